@_spi(Host) internal import AppCore
internal import Support

extension AppAction {
  /// The action in a few words, for the log and for recordings; `nil` for one that navigates, which
  /// its event describes.
  package var text: String? {
    switch self {
    case .instance(_, let action): action.text
    case .navigate: nil
    case .restore(let replacement), .adopt(let replacement):
      replacement.program.map { program in
        program.reload.plugin.map { "a new build of '\($0.name)'" } ?? "a changed manifest"
      } ?? Self.continuation
    case .resume: Self.continuation
    case .end: Self.ending
    case .report(let report): report.text
    }
  }

  package static let ending = "the end of the app"
  /// The text of the step that continues an app from a past step, or from a session.
  package static let continuation = "the app continues"
}

extension AppAction.Report {
  /// The finding in a few words, for the log and for recordings.
  package var text: String {
    switch self {
    case .effectEnded: "the end of an effect"
    case .timeIsUp: "the end of an instance that took too long"
    case .late: "an action of an effect that had ended"
    case .endless: "actions without end"
    case .flood: "very many effects"
    case .notReloaded(let plugin?, _, _, _): "another build of '\(plugin)'"
    case .notReloaded(nil, _, _, _): "a changed manifest"
    case .restored(let plugin?, _, _): "the same build of '\(plugin)'"
    case .restored(nil, _, _): "the same manifest"
    case .warning(let rejection):
      rejection.rule == .manyBuilds
        ? "very many builds" : "a shared value that is not in its file"
    }
  }
}
