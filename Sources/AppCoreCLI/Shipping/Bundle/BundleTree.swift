internal import Glibc
internal import Support

/// A file of a bundle, in memory.
struct BundleFile: Sendable {
  /// The path from the bundle's folder.
  let path: String
  var bytes: [UInt8]
  var isExecutable = false
  let part: BundlePart
}

/// The parts of a bundle, by which its size is reported.
public enum BundlePart: String, CaseIterable, Hashable, Sendable {
  /// The program that runs the app, and the SDK's library.
  case host
  /// The Swift libraries, and other libraries that the host and the plugins need.
  case runtime
  /// The plugins, and the libraries in their folders.
  case plugins
  /// The manifest, the launcher, the documents and all other files of the app.
  case app
}

/// The files of a bundle, in memory, by their paths.
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

  /// The total size of the files in each part, in bytes.
  var sizes: [BundlePart: Int] {
    files.values.reduce(into: [:]) { $0[$1.part, default: 0] += $1.bytes.count }
  }

  /// Writes the files into a folder, with fixed modes and times.
  ///
  /// - Parameters:
  ///   - folder: an existing, empty folder.
  ///   - time: the time of all files and folders, in seconds since 1970.
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

  /// Writes one more file into the tree in a folder; its parent folder has to exist.
  ///
  /// Writing changes the parent's time, which is set to `time` again.
  func write(_ file: BundleFile, to folder: String, time: Int) throws(SystemError) {
    let path = folder + "/" + file.path
    try Self.write(file, to: path, time: time)
    try Self.setTime(of: FilePath.folder(of: path), to: time)
  }

  /// Writes a new file; fails if something exists at the path.
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
    // Independent of the process's umask.
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
