internal import Glibc
internal import Support

/// A shell that removes a folder when this process has ended, or when this object is released.
package final class FolderRemover: Sendable {
  /// The end of a pipe whose other end the shell reads.
  private let pipe: OpenFile

  /// Starts the shell; `nil` if it can't be started.
  package init?(_ path: String) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let reader = OpenFile(ends[0])
    pipe = OpenFile(ends[1])
    // In the background of another shell, since code of plugins may wait for all children.
    let command = """
      exec 3<&0 >/dev/null 2>&1
      trap '' HUP INT TERM
      { read -r line <&3; rm -rf -- "$1"; } &
      """
    var id: pid_t = 0
    let error = Spawn.start(
      "/bin/sh", ["-c", command, "sh", path], ["PATH=/usr/bin:/bin"], descriptors: [],
      input: reader.number, hasOwnGroup: true, id: &id)
    guard error == 0 else { return nil }
    _ = ProcessEnd(waitingFor: id)
  }
}
