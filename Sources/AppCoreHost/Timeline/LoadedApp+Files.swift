internal import Diagnostics
internal import Glibc

// The files that an app consists of, which must not be overwritten.
extension LoadedApp {
  /// Describes the role of a file in the app.
  ///
  /// - Parameter path: the file; another name of the same file is recognized.
  /// - Returns: a phrase such as "the manifest"; `nil` if the file is not part of the app.
  package func part(at path: String) -> String? {
    guard let file = FileNumber(path) else { return nil }
    for (index, source) in report.sources.files.enumerated() where FileNumber(source.path) == file {
      return index == 0 ? "the manifest" : "a file that the manifest includes"
    }
    return plugins.first { $0.member.path.flatMap(FileNumber.init) == file }
      .map { "the plugin '\($0.name)'" }
  }
}

/// The identity of a file, which is the same for all of its names: the device and the inode.
package struct FileNumber: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// Looks up a file; `nil` if it does not exist.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
