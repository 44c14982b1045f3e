internal import Glibc
package import Manifest
package import Support

/// Which apps must have signed locks, and what may be typed in apps: the contents of
/// `/etc/appcore/policy.yaml`.
///
/// ```yaml
/// signatures: warn
/// apps:
///   till: require
/// commands: user
/// ```
package struct MachinePolicy: Hashable, Sendable {
  /// What is required of a lock.
  package enum Level: String, RankedCases, Sendable {
    case off
    /// Problems of the signature are reported, and the app runs.
    case warn
    /// The app runs only with a lock that is signed.
    case require
    /// The same; and of a bundle's folder, all files are verified and its own host is run.
    case bundle
  }

  /// What is required of all apps.
  package private(set) var level = Level.off
  /// What is required of some apps, by name; it is stricter than for all.
  package private(set) var apps: [String: Level] = [:]

  /// The most commands that people may type in any app.
  package private(set) var commands = Manifest.Commands.all

  /// What is required of an app.
  ///
  /// Any manifest can take any name. So a name can only make the policy stricter.
  package func level(for app: String) -> Level { max(level, apps[app] ?? .off) }

  static let fileName = "policy.yaml"

  /// Reads a policy.
  ///
  /// - Returns: the policy, `nil` where there are problems.
  static func read(
    _ bytes: [UInt8], path: String, file: Int
  ) -> (policy: MachinePolicy?, problems: [Diagnostic]) {
    let (settings, found) = SettingsFile.read(bytes, path: path, file: file)
    var problems = found.filter { $0.severity == .error }
    let top = SourceRange.start(ofFile: file)
    guard let settings else {
      // The message about an empty file is for manifests.
      problems.removeAll { $0.rule == .emptyManifest }
      if problems.isEmpty {
        problems.append(Self.problem("a policy is a map with \(keys)", top))
      }
      return (nil, problems)
    }
    guard !settings.isEmpty else {
      return (nil, [Self.problem("the policy is empty; it has \(keys)", top)])
    }
    var policy = MachinePolicy()
    for (name, value) in settings {
      switch (name.value, value.value) {
      case ("signatures", _):
        if let level = readLevel(value, "'signatures'", &problems) { policy.level = level }
      case ("commands", .text(let text)) where Manifest.Commands(rawValue: text) != nil:
        policy.commands = Manifest.Commands(rawValue: text) ?? .none
      case ("commands", _):
        problems.append(problem("'commands' is 'none', 'user' or 'all'", value.range))
      case ("apps", .table(let apps)):
        for (name, value) in apps {
          if let level = readLevel(value, "'\(name.value)'", &problems) {
            policy.apps[name.value] = level
          }
        }
      case ("apps", _):
        problems.append(problem("'apps' is a map from the names of apps to policies", value.range))
      default:
        problems.append(
          problem(
            "'\(name.value)' is not part of a policy; it has \(keys)", name.range))
      }
    }
    for (name, value) in settings where name.value == "apps" {
      guard case .table(let apps) = value.value else { continue }
      for (name, value) in apps where policy.apps[name.value].map({ $0 < policy.level }) ?? false {
        problems.append(
          problem(
            "an app can't be asked for less than all apps ('\(policy.level)'), since any app can "
              + "take the name '\(name.value)'", value.range))
      }
    }
    return (problems.isEmpty ? policy : nil, problems.sortedByPosition())
  }

  private static let keys = "'signatures', 'apps' and 'commands'"

  private static func readLevel(
    _ value: Located<SettingsFile.Setting>, _ subject: String, _ problems: inout [Diagnostic]
  ) -> Level? {
    guard case .text(let text) = value.value, let level = Level(rawValue: text) else {
      problems.append(problem("\(subject) is 'off', 'warn', 'require' or 'bundle'", value.range))
      return nil
    }
    return level
  }

  private static func problem(_ message: String, _ range: SourceRange) -> Diagnostic {
    Diagnostic(DiagnosticMessage(.policyInvalid, Wording.printable(message)), at: range)
  }
}

extension PolicyFolder {
  /// Reads the policy; without a file, nothing is required.
  ///
  /// - Returns: the policy, `nil` where there are problems.
  /// - Throws: why the folder or the file can't be trusted or read.
  /// - Complexity: two system calls if there is no file.
  package func policy(
    _ sources: inout SourceMap
  ) throws(Rejection) -> (policy: MachinePolicy?, problems: [Diagnostic]) {
    guard let bytes = try read(MachinePolicy.fileName) else { return (MachinePolicy(), []) }
    let path = path + "/" + MachinePolicy.fileName
    let result = MachinePolicy.read(bytes, path: path, file: sources.files.count)
    if result.policy == nil { _ = sources.add(SourceFile(path: path, bytes: bytes)) }
    return result
  }
}

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
    let place = path + "/" + name
    guard let folder = try open(path, at: path, in: AT_FDCWD, O_DIRECTORY),
      let file = try open(name, at: place, in: folder.number, O_NONBLOCK | O_NOCTTY)
    else { return nil }
    do throws(SystemError) {
      let bytes = try WholeFile.read(file.number, limit: Self.sizeLimit)
      guard bytes.count <= Self.sizeLimit else { throw SystemError(EFBIG) }
      return bytes
    } catch {
      throw refusal(of: place, error.code)
    }
  }

  private func refusal(of path: String, _ error: Int32) -> Rejection {
    // For a link, the system's error is one of these two.
    if error == ELOOP || error == ENOTDIR {
      return Rejection(.policyNotSafe, "'\(path)' is a symbolic link or not a directory")
    }
    return Rejection(.policyNotRead, "can't read '\(path)': \(SystemError(error))")
  }

  /// Opens a file or a folder that only the owner can change; `nil` if there is none.
  private func open(
    _ name: String, at path: String, in folder: Int32, _ flags: Int32
  ) throws(Rejection) -> OpenFile? {
    let number = openat(folder, name, flags | O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard number >= 0 else {
      if errno == ENOENT { return nil }
      throw refusal(of: path, errno)
    }
    let file = OpenFile(number)
    guard let status = file.status else { throw refusal(of: path, errno) }
    guard status.st_uid == owner else {
      throw Rejection(
        .policyNotSafe, "'\(path)' belongs to user \(status.st_uid), and not to root")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw Rejection(
        .policyNotSafe,
        "'\(path)' can be written by others (mode \(String(status.st_mode & 0o7777, radix: 8)))")
    }
    guard status.isRegular || status.isFolder else {
      throw Rejection(.policyNotSafe, "'\(path)' is not a regular file")
    }
    return file
  }
}
