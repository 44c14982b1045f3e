internal import Glibc
internal import Support

/// Reading of whole files.
enum FileContent {
  /// The bytes of a file; `limit + 1` bytes if it is larger than the limit.
  ///
  /// A file named on the command line may be a pipe, such as `/dev/stdin`. In a manifest, anything
  /// but a regular file is a mistake: reading it might block or never end.
  static func read(
    _ path: String, limit: Int, isNamedByPerson: Bool
  ) throws(UnreadableFile) -> [UInt8] {
    // O_NONBLOCK: otherwise opening a named pipe waits for its other end.
    let waiting = isNamedByPerson ? 0 : O_NONBLOCK
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | waiting)
    guard descriptor >= 0 else { throw UnreadableFile(path: path, errno: errno) }
    defer { close(descriptor) }
    return try read(descriptor, path, limit: limit, isNamedByPerson: isNamedByPerson)
  }

  /// The bytes of an open file; `limit + 1` bytes if it is larger than the limit.
  static func read(
    _ descriptor: Int32, _ path: String, limit: Int, isNamedByPerson: Bool
  ) throws(UnreadableFile) -> [UInt8] {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw UnreadableFile(path: path, errno: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: throw UnreadableFile(path: path, errno: EISDIR)
    case _ where isNamedByPerson: break
    default: throw UnreadableFile(path: path, cause: "it is not a regular file")
    }
    let size = Int(status.st_size)
    var bytes: [UInt8] = []
    // One byte more than the file has: the read that returns 0 then needs no larger buffer.
    var chunk = min(max(size, 4095), limit) + 1
    while bytes.count <= limit {
      let wanted = min(chunk, limit + 1 - bytes.count)
      var failure: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        var result = Glibc.read(descriptor, buffer.baseAddress, wanted)
        while result < 0, errno == EINTR {
          result = Glibc.read(descriptor, buffer.baseAddress, wanted)
        }
        if result < 0 { failure = errno }
        count = max(result, 0)
      }
      if failure != 0 { throw UnreadableFile(path: path, errno: failure) }
      if part.isEmpty { break }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      chunk = max(4096, bytes.count)
    }
    return bytes
  }

  /// The folder of a file whose path is absolute.
  static func folder(of identity: String) -> String {
    let end = identity.utf8.lastIndex(of: UInt8(ascii: "/")) ?? identity.startIndex
    return end == identity.startIndex ? "/" : String(identity[..<end])
  }

  /// Whether a file is in a folder or in one of its subfolders.
  ///
  /// `true` for a file that does not exist, which is reported as a different problem.
  static func exists(_ identity: String, in folder: String) -> Bool {
    guard access(identity, F_OK) == 0 else { return true }
    let start = folder == "/" ? folder : folder + "/"
    return identity.utf8.starts(with: start.utf8)
  }

  /// The path of a file with symbolic links and `..` resolved; equal for two paths of one file.
  static func identity(of path: String) -> String {
    if let resolved = FilePath.resolved(path) { return resolved }
    // Text that was not read from a file counts as a file in the working directory.
    guard !path.hasPrefix("/"), let folder = FilePath.resolved(".") else { return path }
    return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
  }
}

/// A file that can't be read: not a problem *in* a manifest, so it has no position.
public struct UnreadableFile: Error, Hashable, Sendable {
  /// The path as it was given.
  public let path: String

  /// Why, in the system's words, such as `No such file or directory`.
  public let cause: String

  init(path: String, cause: String) {
    self.path = path
    self.cause = cause
  }

  init(path: String, errno: Int32) {
    self.path = path
    cause = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
  }
}

extension UnreadableFile: CustomStringConvertible {
  /// `can't read 'path': cause`.
  public var description: String { "can't read '\(Wording.printable(path))': \(cause)" }
}
