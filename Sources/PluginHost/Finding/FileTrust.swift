internal import AppCore
internal import Glibc
internal import Support

/// Whose files are accepted as plugins: a plugin's code can do all that the host can do.
///
/// A file that other users can change is refused, and so is one in a folder where they can put
/// another file in its place. To be exact:
/// - the file and its folder must belong to root, to the user who runs this, or to the owner of the
///   running program, who could change the program as well;
/// - neither may be writable by everyone, nor by a group that is not the user's own: systems
///   that give each user a group of the same name make files writable for that group;
/// - a folder with the sticky bit, such as `/tmp`, may be writable, because there only the owner of
///   a file can replace it;
/// - the folders of the running program and of the SDK's library are always accepted: whoever can
///   write there can replace those, too.
///
/// Only the folder that holds the file is checked, and for a link also the folder of its target.
/// The folders above it and access control lists are not checked.
public struct FileTrust: Hashable, Sendable {
  let allowsAll: Bool

  /// Accepts every file that can be read.
  public static let all = FileTrust(allowsAll: true)
  /// Accepts only files that other users can't change.
  public static let guarded = FileTrust(allowsAll: false)

  /// The users whose files are accepted: root, this one, and the owner of the running program.
  private static let owners: Set<uid_t> = {
    var status = stat()
    let owner = stat("/proc/self/exe", &status) == 0 ? [status.st_uid] : []
    return Set([0, geteuid()] + owner)
  }()

  static func isOwner(_ user: uid_t) -> Bool { owners.contains(user) }

  /// Why other users can change a file with this status, or replace files in such a folder; `nil`
  /// if they can't.
  static func violation(of status: stat) -> TrustViolation? {
    guard isOwner(status.st_uid) else { return .owner(status.st_uid) }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if isFolder, status.st_mode & 0o1000 != 0 { return nil }
    return writability(of: status)
  }

  /// Why other users can add files to a folder with this status; `nil` if they can't.
  ///
  /// Unlike `violation(of:)` this ignores the sticky bit, which does not prevent it.
  static func violation(ofAddingTo status: stat) -> TrustViolation? {
    isOwner(status.st_uid) ? writability(of: status) : .owner(status.st_uid)
  }

  private static func writability(of status: stat) -> TrustViolation? {
    let mode = UInt32(status.st_mode & 0o7777)
    if mode & 0o002 != 0 { return .everybody(mode: mode) }
    if mode & 0o020 != 0, status.st_gid != 0, status.st_gid != getegid() {
      return .group(status.st_gid, mode: mode)
    }
    return nil
  }

  /// Checks the folder that holds a file, and for a link also the folder of its target.
  ///
  /// - Throws: a problem of stage `read`.
  /// - Complexity: a few system calls for each folder, once in a process.
  public func checkFolder(of path: String) throws(PluginError) {
    guard !allowsAll else { return }
    var folders = [FilePath.folder(of: path)]
    if FilePath.linkTarget(path) != nil, let real = FilePath.resolved(path) {
      folders.append(FilePath.folder(of: real))
    }
    for folder in folders {
      if let violation = Self.known.withLock({ Self.violation(of: folder, &$0) }) {
        throw PluginError(.read, path: path, .writable(path: folder, violation))
      }
    }
  }

  /// Checks a file, and the folder that holds it.
  ///
  /// - Throws: a problem of stage `read`.
  func check(_ path: String) throws(PluginError) {
    try checkFolder(of: path)
    var status = stat()
    guard !allowsAll, stat(path, &status) == 0, let violation = Self.violation(of: status) else {
      return
    }
    throw PluginError(.read, path: path, .writable(path: path, violation))
  }

  private static let known = Locked<[FileIdentity: Bool]>([:])

  private static func violation(of folder: String, _ safe: inout [FileIdentity: Bool])
    -> TrustViolation?
  {
    var status = stat()
    // Without the folder there is no file either; whoever reads the file reports that.
    guard stat(folder, &status) == 0 else { return nil }
    let identity = FileIdentity(status)
    if safe[identity] == true { return nil }
    guard let violation = violation(of: status), !isOwn(identity) else {
      safe[identity] = true
      return nil
    }
    return violation
  }

  /// Whether a folder is that of the running program or of the SDK's library.
  private static func isOwn(_ folder: FileIdentity) -> Bool {
    let folders = [
      PluginLocator.executableFolder(),
      PluginLocator.libraryFolder(defining: SDK.contractSymbol),
    ]
    return folders.contains { own in
      guard let own, let identity = PluginFile.identity(of: own) else { return false }
      return identity.device == folder.device && identity.inode == folder.inode
    }
  }
}

extension FileTrust {
  /// Checks the sources of a plugin, the library that is built of them, and all folders in between:
  /// whoever can change them decides what is built and loaded.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/built``.
  /// - Complexity: a `stat` for each file and folder.
  func check(_ folder: SourceFolder, library: String) throws(PluginError) {
    guard !allowsAll else { return }
    var seen: Set<Substring> = []
    for file in folder.files.map({ folder.path + "/" + $0 }) + [library] {
      var path = Substring(file)
      while path.utf8.count >= folder.path.utf8.count, seen.insert(path).inserted {
        var status = stat()
        if stat(String(path), &status) == 0, let violation = Self.violation(of: status) {
          let shown =
            path.utf8.count == folder.path.utf8.count ? folder.given : folder.shown(String(path))
          throw PluginError(.built, path: folder.given, .writable(path: shown, violation))
        }
        path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
      }
    }
  }
}

/// Why a file or a folder is not safe from other users.
enum TrustViolation: Hashable {
  /// It belongs to another user, who has this ID.
  case owner(UInt32)
  /// Everybody can write to it; the permission bits.
  case everybody(mode: UInt32)
  /// A group can write to it; the group's ID, and the permission bits.
  case group(UInt32, mode: UInt32)

  var words: String {
    switch self {
    case .owner(let user): "belongs to the user \(user)"
    case .everybody(let mode): "is writable for everybody (mode \(Self.octal(mode)))"
    case .group(let group, let mode):
      "is writable for the group \(group) (mode \(Self.octal(mode)))"
    }
  }

  /// Permission bits as `chmod` and `stat` write them.
  private static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension Rejection {
  /// Other users can change the file at a path, or the contents of the folder there.
  static func writable(path: String, _ violation: TrustViolation) -> Rejection {
    let remedy =
      if case .owner = violation {
        "install the plugin as root or as the user who runs it, or accept '\(path)' as it is with "
          + "`--allow-writable`"
      } else {
        "run `chmod go-w \(shellWord(path))`, or accept it as it is with `--allow-writable`"
      }
    return Rejection(
      .pluginWritable, "other users can change '\(path)', which \(violation.words)", remedy: remedy)
  }
}
