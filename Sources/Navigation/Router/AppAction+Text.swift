extension AppAction.Report {
  /// The finding in a few words, for the log and for recordings.
  package var text: String {
    switch self {
    case .effectEnded: "the end of an effect"
    case .timeIsUp: "the end of an instance that took too long"
    case .late: "an action of an effect that had ended"
    case .endless: "actions without end"
    case .flood: "very many effects"
    case .notReplaced(let plugin, _, _, _): "another build of '\(plugin)'"
    case .restored(let plugin, _, _): "the same build of '\(plugin)'"
    case .notAdopted: "a changed manifest"
    case .manifestRestored: "the same manifest"
    case .unkept: "a shared value that is not in its file"
    case .crowded: "very many builds"
    }
  }
}
