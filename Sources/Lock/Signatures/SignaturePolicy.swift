package import Diagnostics
internal import Manifest

/// What a machine asks of the locks of apps: `/etc/appcore/policy.yaml`.
///
/// ```yaml
/// signatures: warn
/// apps:
///   till: require
/// ```
package struct SignaturePolicy: Hashable, Sendable {
  /// What is asked for.
  package enum Level: String, CaseIterable, Comparable, Sendable {
    /// Nothing.
    case off
    /// What is wrong with a signature is said.
    case warn
    /// An app runs only as it was signed.
    case require

    package static func < (left: Self, right: Self) -> Bool {
      let order = allCases
      return order.firstIndex(of: left) ?? 0 < order.firstIndex(of: right) ?? 0
    }
  }

  /// What is asked of all apps.
  package private(set) var level = Level.off
  /// What is asked of some, by their names; stricter than of all.
  package private(set) var apps: [String: Level] = [:]

  /// Asks for nothing.
  init() {}

  /// What is asked of an app.
  ///
  /// An app names itself. So a name can only make the policy stricter.
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
      // What manifests say of an empty file is not for a policy.
      problems.removeAll { $0.rule == .emptyManifest }
      if problems.isEmpty {
        problems.append(Self.problem("a policy is a map with 'signatures' or 'apps'", top))
      }
      return (nil, problems)
    }
    guard !settings.settings.isEmpty else {
      return (nil, [Self.problem("the policy has neither 'signatures' nor 'apps'", top)])
    }
    var policy = SignaturePolicy()
    for (name, value) in settings.settings {
      switch (name.value, value.value) {
      case ("signatures", _):
        if let level = readLevel(value, "'signatures'", &problems) { policy.level = level }
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
            "'\(name.value)' is not part of a policy; it has 'signatures' and 'apps'", name.range))
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
    Diagnostic(Finding(.policyInvalid, Wording.printable(message)), at: range)
  }
}

extension PolicyFolder {
  /// What the machine asks for.
  package enum Answer: Sendable {
    case policy(SignaturePolicy)
    /// The file has problems; it is the second of two sources that are given for them.
    case invalid(path: String, bytes: [UInt8])
    /// The folder or the file does not count.
    case refused(Rejection)
  }

  /// Reads the policy; where there is no file, nothing is asked for.
  ///
  /// - Complexity: two system calls where there is none.
  package func policy() -> Answer {
    do throws(Rejection) {
      guard let bytes = try read(SignaturePolicy.fileName) else {
        return .policy(SignaturePolicy())
      }
      let path = path + "/" + SignaturePolicy.fileName
      let policy = SignaturePolicy.read(bytes, path: path, file: 0).policy
      return policy.map { .policy($0) } ?? .invalid(path: path, bytes: bytes)
    } catch {
      return .refused(error)
    }
  }

  /// What is wrong with a policy, as a source with an index.
  package func problems(of bytes: [UInt8], path: String, file: Int) -> [Diagnostic] {
    SignaturePolicy.read(bytes, path: path, file: file).problems
  }
}
