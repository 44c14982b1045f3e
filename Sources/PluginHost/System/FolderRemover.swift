internal import Glibc
internal import Support

/// A shell that removes a folder when this process has ended, or when this object is released.
package final class FolderRemover: Sendable {
  /// The end of a pipe whose other end the shell reads.
  private let pipe: OpenFile

  /// Starts the shell; `nil` if it can't be started.
  package init?(_ path: String) {
    guard let (reader, writer) = try? OpenFile.pipe() else { return nil }
    pipe = writer
    // In the background of another shell, since code of plugins may wait for all children.
    let command = """
      exec 3<&0 >/dev/null 2>&1
      trap '' HUP INT TERM
      { read -r line <&3; rm -rf -- "$1"; } &
      """
    let id = try? Spawn.start(
      "/bin/sh", ["-c", command, "sh", path], environment: ["PATH": "/usr/bin:/bin"],
      input: reader, descriptors: [], hasOwnGroup: true)
    guard let id else { return nil }
    _ = ProcessEnd(waitingFor: id)
  }
}
