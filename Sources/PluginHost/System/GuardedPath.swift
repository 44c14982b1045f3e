internal import Glibc
internal import Support

/// A way from the root to a folder on which no other user can put anything in the place of a step.
///
/// Each step is taken by a descriptor of the one before, without following links; a link is read, and
/// its target is walked in the same way. So what was checked is what is opened. A step is taken where
/// root, this user or the owner of the running program has it, and nobody else can write to it; in a
/// folder with the sticky bit, such as `/tmp`, the owner of what is in it decides.
enum GuardedPath {
  /// Why a folder can't be opened.
  enum Failure: Error {
    /// Others can change what is at the path.
    case weak(path: String, FileTrust.Weakness)
    /// The system refuses.
    case system(error: Int32)
  }

  /// Opens a folder.
  ///
  /// - Parameters:
  ///   - path: an absolute path, or one relative to the current folder.
  ///   - isCreating: whether folders that are missing are made, for this user alone.
  /// - Returns: the folder, open for reading.
  /// - Throws: ``Failure``.
  static func open(_ path: String, isCreating: Bool) throws(Failure) -> OpenFile {
    var walk = try Walk(to: path)
    try walk.finish(isCreating: isCreating)
    return walk.folder
  }

  /// Why others could put a file into a folder, and where; `nil` where they can't.
  ///
  /// A folder that is missing is as weak as the one in which it would be made.
  static func weakness(ofAddingTo folder: String) -> (path: String, FileTrust.Weakness)? {
    do throws(Failure) {
      var walk = try Walk(to: folder)
      do throws(Failure) { try walk.finish(isCreating: false) } catch {
        if case .weak = error { throw error }
      }
      guard let status = walk.folder.status,
        let weakness = FileTrust.weakness(ofAddingTo: status)
      else { return nil }
      return (walk.path, weakness)
    } catch {
      if case .weak(let path, let weakness) = error { return (path, weakness) }
      return nil
    }
  }
}

extension GuardedPath {
  private struct Walk {
    /// The last folder that was reached.
    private(set) var folder: OpenFile
    private(set) var path: String
    private var rest: [Substring]
    private var links = 0

    /// Only to be walked through; GNU's extension.
    private static let onlyPath: Int32 = 0o10000000

    init(to path: String) throws(Failure) {
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
      if let weakness = FileTrust.weakness(of: status) { throw .weak(path: path, weakness) }
    }

    /// Goes on to the end, or to the first step that can't be taken.
    mutating func finish(isCreating: Bool) throws(Failure) {
      while let name = rest.popLast() { try step(String(name), isCreating: isCreating) }
      // One that files can be made in.
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
        // Permissions of links mean nothing; in a folder that is safe only its owner can change it.
        guard FileTrust.isOwner(status.st_uid) else {
          throw .weak(path: place, .owner(status.st_uid))
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
}

/// A file or folder that is open: its descriptor is closed with it.
final class OpenFile: Sendable {
  let number: Int32

  /// - Parameter number: a descriptor that is closed nowhere else.
  init(_ number: Int32) { self.number = number }

  deinit { close(number) }

  /// What the system says of it; `nil` where it refuses.
  var status: stat? {
    var status = stat()
    return fstat(number, &status) == 0 ? status : nil
  }
}
