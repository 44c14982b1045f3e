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
package struct SignaturePolicy: Hashable, Sendable {
  /// What is required of a lock.
  package enum Level: String, CaseIterable, Comparable, Sendable {
    case off
    /// Problems of the signature are reported, and the app runs.
    case warn
    /// The app runs only with a lock that is signed.
    case require

    package static func < (left: Self, right: Self) -> Bool {
      let order = allCases
      return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
    }
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
  ) -> (policy: SignaturePolicy?, problems: [Diagnostic]) {
    let (settings, found) = SettingsFile.read(bytes, path: path, file: file)
    var problems = found.filter { $0.severity == .error }
    let start = SourcePosition(line: 1, column: 1)
    let top = SourceRange(file: file, start: start, end: start)
    guard let settings else {
      // The message about an empty file is for manifests.
      problems.removeAll { $0.rule == .emptyManifest }
      if problems.isEmpty {
        problems.append(Self.problem("a policy is a map with \(keys)", top))
      }
      return (nil, problems)
    }
    guard !settings.settings.isEmpty else {
      return (nil, [Self.problem("the policy is empty; it has \(keys)", top)])
    }
    var policy = SignaturePolicy()
    for (name, value) in settings.settings {
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
    for (name, value) in settings.settings where name.value == "apps" {
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
      problems.append(problem("\(subject) is 'off', 'warn' or 'require'", value.range))
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
  ) throws(Rejection) -> (policy: SignaturePolicy?, problems: [Diagnostic]) {
    guard let bytes = try read(SignaturePolicy.fileName) else { return (SignaturePolicy(), []) }
    let path = path + "/" + SignaturePolicy.fileName
    let result = SignaturePolicy.read(bytes, path: path, file: sources.files.count)
    if result.policy == nil { _ = sources.add(SourceFile(path: path, bytes: bytes)) }
    return result
  }
}
