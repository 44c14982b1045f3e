internal import Glibc
package import Support

/// Opens folders by paths on which no other user can replace a component.
///
/// Each component is opened relative to the descriptor of the one before, without following links;
/// a link is read, and its target is walked in the same way. So exactly what was checked is opened.
/// A component must belong to root, to this user or to the owner of the running program, and nobody
/// else may be able to write to it. A folder with the sticky bit, such as `/tmp`, may be writable:
/// only the owner of an entry can replace it there.
package struct TrustedPath {
  enum Failure: Error {
    /// Other users can change what is at the path.
    case violated(Rejection)
    /// A system call failed, with this `errno`.
    case system(error: Int32)
  }

  /// The folder that the walk has reached.
  private var folder: OpenFile
  private var path: String
  private var rest: [Substring]
  private var links = 0

  /// Opens a folder.
  ///
  /// - Returns: the folder, open for reading.
  /// - Throws: ``Failure``.
  static func open(_ path: String, isCreating: Bool) throws(Failure) -> OpenFile {
    var walk = try TrustedPath(to: path)
    try walk.finish(isCreating: isCreating)
    return walk.folder
  }

  /// Why other users could replace a folder, or add files to it; `nil` if they can't.
  ///
  /// A missing folder is as weak as the one in which it would be created.
  package static func violation(ofAddingTo folder: String) -> Rejection? {
    do throws(Failure) {
      var walk = try TrustedPath(to: folder)
      do throws(Failure) { try walk.finish(isCreating: false) } catch {
        if case .violated = error { throw error }
      }
      return walk.folder.status.flatMap {
        FileTrust.violation(of: $0, at: walk.path, isAdding: true)
      }
    } catch {
      guard case .violated(let violation) = error else { return nil }
      return violation
    }
  }

  /// `O_PATH`, a GNU extension: the folder can only be walked through.
  private static let onlyPath: Int32 = 0o10000000

  private init(to path: String) throws(Failure) {
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .system(error: EINVAL) }
    guard
      let absolute = path.hasPrefix("/") ? path : FilePath.resolved(".").map({ "\($0)/\(path)" })
    else { throw .system(error: errno) }
    rest = absolute.split(separator: "/").reversed()
    (folder, self.path) = (try Self.root(), "/")
  }

  private static func root() throws(Failure) -> OpenFile {
    let number = Glibc.open("/", onlyPath | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system(error: errno) }
    let root = OpenFile(number)
    try check(root, at: "/")
    return root
  }

  private static func check(_ folder: OpenFile, at path: String) throws(Failure) {
    guard let status = folder.status else { throw .system(error: errno) }
    if let violation = FileTrust.violation(of: status, at: path) { throw .violated(violation) }
  }

  /// Walks to the end of the path; throws at the first component that can't be accepted.
  private mutating func finish(isCreating: Bool) throws(Failure) {
    while let name = rest.popLast() { try step(String(name), isCreating: isCreating) }
    // Opened again, without `O_PATH`, so that files can be created in it.
    let number = openat(folder.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { throw .system(error: errno) }
    folder = OpenFile(number)
  }

  private mutating func step(_ name: String, isCreating: Bool) throws(Failure) {
    let flags = Self.onlyPath | O_NOFOLLOW | O_CLOEXEC
    var number = openat(folder.number, name, flags)
    if number < 0, errno == ENOENT, isCreating {
      guard mkdirat(folder.number, name, 0o700) == 0 || errno == EEXIST else {
        throw .system(error: errno)
      }
      number = openat(folder.number, name, flags)
    }
    guard number >= 0 else { throw .system(error: errno) }
    let next = OpenFile(number)
    let place = path == "/" ? "/" + name : path + "/" + name
    guard let status = next.status else { throw .system(error: errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR:
      try Self.check(next, at: place)
      (folder, path) = (next, place)
    case S_IFLNK:
      // A link's permissions mean nothing; in a safe folder only its owner can change it.
      guard FileTrust.isOwner(status.st_uid) else {
        throw .violated(FileTrust.violation(at: place, ownedBy: status.st_uid))
      }
      try follow(name)
    default: throw .system(error: ENOTDIR)
    }
  }

  private mutating func follow(_ name: String) throws(Failure) {
    links += 1
    guard links <= 40 else { throw .system(error: ELOOP) }
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlinkat(folder.number, name, &buffer, buffer.count)
    guard count > 0 else { throw .system(error: errno) }
    let target = String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    rest += target.split(separator: "/").reversed()
    if target.hasPrefix("/") { (folder, path) = (try Self.root(), "/") }
  }
}
