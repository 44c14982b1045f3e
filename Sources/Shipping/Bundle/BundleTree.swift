internal import Glibc
internal import Support

/// A file of a bundle.
struct BundleFile: Sendable {
  /// As a path from the bundle's folder.
  let path: String
  var bytes: [UInt8]
  var isExecutable = false
  let part: BundlePart
}

/// What the files of a bundle are for.
public enum BundlePart: String, CaseIterable, Hashable, Sendable {
  /// The program that runs the app, and the SDK.
  case host
  /// The libraries of Swift and others that the host and the plugins need.
  case runtime
  /// The plugins, with the libraries that they bring along.
  case plugins
  /// The manifest, and all else that is the app's.
  case app
}

/// The files of a bundle, by their paths.
struct BundleTree: Sendable {
  private(set) var files: [String: BundleFile] = [:]

  /// The files in the order of their paths.
  var sorted: [BundleFile] {
    files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  mutating func add(_ file: BundleFile) { files[file.path] = file }

  mutating func add(_ path: String, _ text: String, isExecutable: Bool = false, _ part: BundlePart)
  {
    add(BundleFile(path: path, bytes: Array(text.utf8), isExecutable: isExecutable, part: part))
  }

  /// How many bytes the files of each part have.
  var sizes: [BundlePart: Int] {
    files.values.reduce(into: [:]) { $0[$1.part, default: 0] += $1.bytes.count }
  }

  /// Writes the files into a folder, with the same modes and times everywhere.
  ///
  /// - Parameters:
  ///   - folder: the folder, which is there and empty.
  ///   - time: the time that every file gets, in seconds since 1970.
  /// - Throws: the system's error.
  func write(to folder: String, time: Int) throws(SystemError) {
    var folders: [String] = []
    for file in sorted {
      var path = folder
      for name in file.path.split(separator: "/").dropLast() {
        path += "/" + name
        if mkdir(path, 0o755) == 0 {
          folders.append(path)
        } else if errno != EEXIST {
          throw SystemError(errno)
        }
      }
      try Self.write(file, to: folder + "/" + file.path, time: time)
    }
    for path in folders.reversed() + [folder] {
      guard chmod(path, 0o755) == 0 else { throw SystemError(errno) }
      try Self.setTime(of: path, to: time)
    }
  }

  /// Writes one more file into a folder that is there, whose time stays as it was.
  func write(_ file: BundleFile, to folder: String, time: Int) throws(SystemError) {
    let path = folder + "/" + file.path
    try Self.write(file, to: path, time: time)
    try Self.setTime(of: FilePath.folder(of: path), to: time)
  }

  /// Writes one file.
  static func write(_ file: BundleFile, to path: String, time: Int) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    var written = 0
    while written < file.bytes.count {
      let count = file.bytes[written...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        throw SystemError(errno)
      }
      written += count
    }
    // Whatever the process's mask is.
    guard fchmod(descriptor, file.isExecutable ? 0o755 : 0o644) == 0 else {
      throw SystemError(errno)
    }
    try setTime(of: path, to: time)
  }

  private static func setTime(of path: String, to time: Int) throws(SystemError) {
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
    guard utimensat(AT_FDCWD, path, times, 0) == 0 else { throw SystemError(errno) }
  }
}
