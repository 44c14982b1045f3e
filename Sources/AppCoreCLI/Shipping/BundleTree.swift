internal import Glibc
internal import Support

struct BundleFile: Sendable {
  var path: String
  var bytes: [UInt8]
  var isExecutable = false

  /// The parts of a bundle, by which its size is reported: the program that runs the app with the
  /// SDK's library; the other libraries that it and the plugins need; the plugins with those in their
  /// folders; and all other files.
  static let parts = ["host", "runtime", "plugins", "app"]

  var part: String {
    if ["bin/appcore", "lib/libAppCore.so"].contains(path) { return "host" }
    let names = path.split(separator: "/")
    return names.starts(with: ["lib", "appcore"]) ? String(names[2]) : "app"
  }
}

struct BundleTree: Sendable {
  private(set) var files: [String: BundleFile] = [:]

  var sorted: [BundleFile] {
    files.values.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
  }

  mutating func add(_ file: BundleFile) { files[file.path] = file }

  var sizes: [String: Int] {
    files.values.reduce(into: [:]) { $0[$1.part, default: 0] += $1.bytes.count }
  }

  /// Writes the files into an existing, empty folder, with fixed modes and times.
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

  /// Adds a file to the tree and to its folder, in which the file's parent has to exist.
  ///
  /// Writing changes the parent's time, which is set to `time` again.
  mutating func add(
    _ file: BundleFile, writingTo folder: String, time: Int
  ) throws(BundleError) {
    add(file)
    let path = folder + "/" + file.path
    try BundleError.reporting(folder) { () throws(SystemError) in
      try Self.write(file, to: path, time: time)
      try Self.setTime(of: FilePath.folder(of: path), to: time)
    }
  }

  /// Writes a new file; fails if something exists at the path.
  static func write(_ file: BundleFile, to path: String, time: Int) throws(SystemError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    if let error = file.bytes.withUnsafeBytes({ Descriptor.writeAll($0, to: descriptor) }) {
      throw error
    }
    // Independent of the process's umask.
    guard fchmod(descriptor, file.isExecutable ? 0o755 : 0o644) == 0 else {
      throw SystemError(errno)
    }
    try setTime(of: path, to: time)
  }

  static func setTime(of path: String, to time: Int) throws(SystemError) {
    let times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
    guard utimensat(AT_FDCWD, path, times, 0) == 0 else { throw SystemError(errno) }
  }
}
