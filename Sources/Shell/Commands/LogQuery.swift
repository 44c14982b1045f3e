/// What `:log` is asked for.
public enum LogQuery: Hashable, Sendable {
  /// The latest lines and actions.
  case latest
  /// The actions that took at least this long.
  case slow(Duration)
  /// How often each kind of action was reduced, and how long that took.
  case times
}
