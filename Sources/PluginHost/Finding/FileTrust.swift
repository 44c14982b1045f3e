internal import AppCore
package import Glibc
package import Support

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
    let owner = FilePath.status("/proc/self/exe").map { [$0.st_uid] } ?? []
    return Set([0, geteuid()] + owner)
  }()

  static func isOwner(_ user: uid_t) -> Bool { owners.contains(user) }

  /// The user's own group, which has the user's name and which nobody else is in; `nil` if the group
  /// of this process is one that users share.
  private static let ownGroup: gid_t? = {
    var buffer = [CChar](repeating: 0, count: 65_536)
    var (user, foundUser): (passwd, UnsafeMutablePointer<passwd>?) = (passwd(), nil)
    guard getpwuid_r(geteuid(), &user, &buffer, buffer.count, &foundUser) == 0, foundUser != nil,
      let name = user.pw_name.map({ String(cString: $0) })
    else { return nil }
    var (group, foundGroup): (Glibc.group, UnsafeMutablePointer<Glibc.group>?) = (.init(), nil)
    guard getgrgid_r(getegid(), &group, &buffer, buffer.count, &foundGroup) == 0,
      foundGroup != nil, group.gr_name.map({ String(cString: $0) }) == name
    else { return nil }
    return getegid()
  }()

  /// Why other users can change a file with this status, or replace files in such a folder; `nil`
  /// if they can't.
  ///
  /// With `isAdding`, also why they could add files to the folder, which the sticky bit does not
  /// prevent. The message shows the file by `path`.
  package static func violation(
    of status: stat, at path: String, isAdding: Bool = false
  ) -> Rejection? {
    guard isOwner(status.st_uid) else { return violation(at: path, ownedBy: status.st_uid) }
    let mode = status.st_mode & 0o7777
    if !isAdding, status.isFolder, mode & 0o1000 != 0 { return nil }
    let who: String
    if mode & 0o002 != 0 {
      who = "everybody"
    } else if mode & 0o020 != 0, status.st_gid != 0, status.st_gid != ownGroup {
      who = "the group \(status.st_gid)"
    } else {
      return nil
    }
    let digits = String(mode, radix: 8)
    let bits = String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    return Rejection(
      .pluginWritable,
      "other users can change '\(path)', which is writable for \(who) (mode \(bits))",
      remedy: "run `chmod go-w \(shellWord(path))`, or accept it as it is with `--allow-writable`")
  }

  /// A file, or a folder on its path, belongs to another user.
  static func violation(at path: String, ownedBy user: uid_t) -> Rejection {
    Rejection(
      .pluginWritable, "other users can change '\(path)', which belongs to the user \(user)",
      remedy: "install the plugin as root or as the user who runs it, or accept '\(path)' as it is "
        + "with `--allow-writable`")
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
        throw PluginError(.read, path: path, violation)
      }
    }
  }

  /// Checks a file, and the folder that holds it.
  ///
  /// - Throws: a problem of stage `read`.
  func check(_ path: String) throws(PluginError) {
    try checkFolder(of: path)
    guard !allowsAll, let status = FilePath.status(path),
      let violation = Self.violation(of: status, at: path)
    else { return }
    throw PluginError(.read, path: path, violation)
  }

  /// Folders that were found to be safe.
  private static let known = Locked<Set<FileIdentity>>([])

  private static func violation(
    of folder: String, _ safe: inout Set<FileIdentity>
  ) -> Rejection? {
    // Without the folder there is no file either; whoever reads the file reports that.
    guard let status = FilePath.status(folder) else { return nil }
    let identity = FileIdentity(status)
    if safe.contains(identity) { return nil }
    guard let violation = violation(of: status, at: folder), !isOwn(identity) else {
      safe.insert(identity)
      return nil
    }
    return violation
  }

  /// Whether a folder is that of the running program or of the SDK's library.
  private static func isOwn(_ folder: FileIdentity) -> Bool {
    [PluginLocator.executableFolder(), PluginLocator.libraryFolder(defining: SDK.contractSymbol)]
      .compactMap { $0.flatMap(PluginFile.identity) }
      .contains { $0.device == folder.device && $0.inode == folder.inode }
  }

  /// Checks the sources of a plugin, the library that is built of them, and all folders in between:
  /// whoever can change them decides what is built and loaded.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/built``.
  /// - Complexity: a `stat` for each file and folder.
  func check(_ sources: PluginSources, library: String) throws(PluginError) {
    guard !allowsAll else { return }
    var seen: Set<Substring> = []
    let length = sources.path.utf8.count
    for file in sources.files.map({ sources.path + "/" + $0 }) + [library] {
      if FilePath.linkTarget(file) != nil { try checkFolder(of: file) }
      var path = Substring(file)
      while path.utf8.count >= length, seen.insert(path).inserted {
        let shown = path.utf8.count == length ? sources.given : sources.shown(String(path))
        if let status = FilePath.status(String(path)),
          let violation = Self.violation(of: status, at: shown)
        {
          throw PluginError(.built, path: sources.given, violation)
        }
        path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)]
      }
    }
  }
}

/// Identifies a file and its current version, for the cost of a `stat`.
public struct FileIdentity: Hashable, Sendable {
  public let device: UInt64
  public let inode: UInt64
  /// In bytes.
  public let size: UInt64
  /// In nanoseconds since 1970.
  public let modified: Int64
  /// When the file's data or attributes last changed, in nanoseconds since 1970; unlike
  /// ``modified`` no program can set it.
  public let changed: Int64

  /// Whether it is the same file with the same size, whatever its times.
  ///
  /// Another process that uses a private copy updates its times.
  func isSameFile(as other: FileIdentity) -> Bool {
    device == other.device && inode == other.inode && size == other.size
  }
}

extension FileIdentity {
  init(_ status: stat) {
    func nanoseconds(_ time: timespec) -> Int64 {
      Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino),
      size: UInt64(clamping: status.st_size), modified: nanoseconds(status.st_mtim),
      changed: nanoseconds(status.st_ctim))
  }
}
