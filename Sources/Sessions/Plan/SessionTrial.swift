internal import AppCore
internal import PluginHost
internal import Support

/// Restores a session in another process, which ends afterwards, to learn what becomes of it.
///
/// The process runs the plugins' code: they read the states that they have written, and migrate
/// those of former versions. It is limited as a scan is, so that a plugin that crashes, hangs or
/// signals other processes costs only the answer.
package struct SessionTrial {
  /// The hidden command that restores the session.
  package static let command = "__restore"
  /// How long it may take, in seconds.
  private static let limit: UInt32 = 30

  private let arguments: [String]
  private let environment: [String: String]

  /// - Parameters:
  ///   - manifest: the manifest.
  ///   - file: the session's file.
  ///   - options: the options for reading the manifest, as arguments.
  ///   - environment: the process's variables.
  package init(
    manifest: String, session file: String, options: [String], environment: [String: String]
  ) {
    arguments = [Self.command, manifest, "--session", file] + options
    self.environment = environment
  }

  /// Runs the trial.
  ///
  /// - Parameter forecast: the plan without the plugins' code.
  /// - Returns: the plan with the result; the unknown stays so, with the reason, if there is none.
  package func run(_ forecast: SessionPlan) -> SessionPlan {
    var plan = forecast
    let mark = "\(UInt64.random(in: .min ... .max))"
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let process = ToolProcess(
      executable: FilePath.resolved("/proc/self/exe") ?? "appcore",
      arguments: arguments + ["--mark", mark], environment: environment)
    let (end, output) = process.run()
    guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix(mark) }),
      case .object(let result)? = try? Value(json: String(line.dropFirst(mark.count))),
      case .array(let fates)? = result["fates"], fates.count == plan.entries.count,
      case .bool(let startsAnew)? = result["startsAnew"]
    else {
      let said = output.split(separator: "\n").last.map { ": " + $0.prefix(200) } ?? ""
      for index in plan.entries.indices {
        guard case .unknown = plan.entries[index].fate else { continue }
        plan.entries[index].fate = .unknown(
          reason: "the process that was to restore it ended with \(end.words)\(said)")
      }
      return plan
    }
    for (index, value) in fates.enumerated() {
      plan.entries[index].fate = SessionPlan.Fate(value) ?? plan.entries[index].fate
    }
    plan.startsAnew = startsAnew
    return plan
  }

  /// Limits this process, which is about to restore a session; call it before plugins are loaded.
  package static func confine() { ScanConfinement.confine(seconds: limit) }

  /// The line for the process that runs the trial.
  package static func answer(_ plan: SessionPlan, mark: String) -> String {
    let fates = plan.entries.map { entry -> Value in
      let (fate, detail) = entry.fate.words
      return ["fate": .string(fate), "detail": detail.map { .string($0) } ?? .null]
    }
    let result: Value = ["fates": .array(fates), "startsAnew": .bool(plan.startsAnew)]
    return mark + result.json
  }
}

extension SessionPlan.Fate {
  fileprivate init?(_ value: Value) {
    guard case .object(let fields) = value, case .string(let fate)? = fields["fate"] else {
      return nil
    }
    var detail = ""
    if case .string(let text)? = fields["detail"] { detail = text }
    switch fate {
    case "kept": self = .kept
    case "migrated": self = .migrated(from: detail)
    case "made anew": self = .madeAnew(reason: detail)
    case "dropped": self = .dropped(reason: detail)
    default: return nil
    }
  }
}
