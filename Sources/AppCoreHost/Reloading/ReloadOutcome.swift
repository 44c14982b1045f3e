public import Diagnostics

/// What came of loading a plugin, or the manifest, again.
public enum ReloadOutcome: Hashable, Sendable {
  /// The changed manifest has taken the former one's place, and so many instances continue.
  case adopted(instances: Int)
  /// The new build has taken the former one's place, and so many instances went over to it.
  case reloaded(version: String, instances: Int)
  /// The file is the one that runs.
  case unchanged
  /// The same, after a reload that was refused: what was wrong was undone.
  case restored
  /// The former build continues, and why.
  case refused(Rejection)
}
