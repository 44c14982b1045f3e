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

  package init(
    manifest: String, session file: String, options: [String], environment: [String: String]
  ) {
    arguments = [Self.command, manifest, "--session", file] + options
    self.environment = environment
  }

  /// Runs the trial.
  ///
  /// - Parameter expected: the plan without the plugins' code.
  /// - Returns: the plan with the result; the unknown stays so, with the reason, if there is none.
  package func run(_ expected: SessionPlan) -> SessionPlan {
    var plan = expected
    let mark = "\(UInt64.random(in: .min ... .max))"
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let (end, output, _) = Spawn.run(
      FilePath.resolved("/proc/self/exe") ?? "appcore", arguments + ["--mark", mark],
      environment: environment)
    guard let line = output.split(separator: "\n").last(where: { $0.hasPrefix(mark) }),
      let answer = (try? Value(json: String(line.dropFirst(mark.count))))?.decoded(Answer.self),
      answer.outcomes.count == plan.entries.count
    else {
      let said = output.split(separator: "\n").last.map { ": " + $0.prefix(200) } ?? ""
      for index in plan.entries.indices {
        guard case .unknown = plan.entries[index].outcome else { continue }
        plan.entries[index].outcome = .unknown(
          reason: "the process that was to restore it ended with \(end.words)\(said)")
      }
      return plan
    }
    for (index, outcome) in answer.outcomes.enumerated() { plan.entries[index].outcome = outcome }
    plan.startsAnew = answer.startsAnew
    return plan
  }

  /// Limits this process, which is about to restore a session; call it before plugins are loaded.
  package static func confine() { ScanConfinement.confine(seconds: limit) }

  /// The line for the process that runs the trial.
  package static func answer(_ plan: SessionPlan, mark: String) -> String {
    let answer = Answer(outcomes: plan.entries.map(\.outcome), startsAnew: plan.startsAnew)
    return mark + Value(coding: answer).json
  }

  private struct Answer: Codable {
    let outcomes: [RestoreOutcome]
    let startsAnew: Bool
  }
}
