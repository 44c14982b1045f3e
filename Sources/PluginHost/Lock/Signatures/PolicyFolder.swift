internal import Glibc
internal import Support

/// The folder with the machine's policy, which only root can change.
///
/// Its path is fixed: no variable and no option changes it. It is a parameter for tests alone.
package struct PolicyFolder: Sendable {
  package let path: String
  /// The user who has to own it: root.
  private let owner: uid_t

  /// The machine's.
  package static let machine = PolicyFolder("/etc/appcore")

  package init(_ path: String, owner: UInt32 = 0) {
    self.path = path
    self.owner = owner
  }

  /// The largest file that is read, in bytes.
  private static let sizeLimit = 4 << 20

  /// The bytes of a file in the folder; `nil` if there is no such file, or no folder.
  ///
  /// - Throws: why it can't be trusted or read.
  func read(_ name: String) throws(Rejection) -> [UInt8]? {
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard folder >= 0 else {
      if errno == ENOENT { return nil }
      throw refusal(of: path, errno)
    }
    defer { close(folder) }
    try check(folder, path)
    let file = path + "/" + name
    let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw refusal(of: file, errno)
    }
    defer { close(descriptor) }
    try check(descriptor, file)
    do throws(SystemError) {
      let bytes = try WholeFile.read(descriptor, limit: Self.sizeLimit)
      guard bytes.count <= Self.sizeLimit else { throw SystemError(EFBIG) }
      return bytes
    } catch {
      throw refusal(of: file, error.code)
    }
  }

  private func refusal(of path: String, _ error: Int32) -> Rejection {
    // For a link, the system's error is one of these two.
    if error == ELOOP || error == ENOTDIR {
      return Rejection(.policyNotSafe, "'\(path)' is a symbolic link or not a directory")
    }
    return Rejection(.policyNotRead, "can't read '\(path)': \(SystemError(error))")
  }

  /// Makes sure that only the owner can change an open file.
  private func check(_ descriptor: Int32, _ path: String) throws(Rejection) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw refusal(of: path, errno) }
    guard status.st_uid == owner else {
      throw Rejection(
        .policyNotSafe, "'\(path)' belongs to user \(status.st_uid), and not to root")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw Rejection(
        .policyNotSafe,
        "'\(path)' can be written by others (mode \(String(status.st_mode & 0o7777, radix: 8)))")
    }
    let kind = status.st_mode & S_IFMT
    guard kind == S_IFREG || kind == S_IFDIR else {
      throw Rejection(.policyNotSafe, "'\(path)' is not a regular file")
    }
  }
}
