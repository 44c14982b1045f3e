internal import Diagnostics
internal import Glibc

// The files that an app is made of, which nothing may be written to.
extension LoadedApp {
  /// What a file is to the app.
  ///
  /// - Parameter path: the file, by whatever name.
  /// - Returns: the words, such as "the manifest"; `nil` for a file that is not part of the app.
  package func part(at path: String) -> String? {
    guard let file = FileNumber(path) else { return nil }
    for (index, source) in report.sources.files.enumerated() where FileNumber(source.path) == file {
      return index == 0 ? "the manifest" : "a file that the manifest includes"
    }
    return plugins.first { $0.member.path.flatMap(FileNumber.init) == file }
      .map { "the plugin '\($0.name)'" }
  }
}

/// By what the system knows a file, whatever its names.
package struct FileNumber: Hashable, Sendable {
  private let device: UInt64
  private let inode: UInt64

  /// - Returns: `nil` where there is no such file.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, inode) = (UInt64(status.st_dev), UInt64(status.st_ino))
  }
}
