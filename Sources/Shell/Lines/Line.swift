/// A parsed line, before its control is looked up.
public enum Line: Hashable, Sendable {
  /// A blank line or a comment.
  case nothing
  /// `N [VALUE]`; `text` is the whole line, which might be a control's label.
  case number(Int, value: LineValue?, text: String)
  /// `@ID [VALUE]`.
  case identifier(String, value: LineValue?)
  /// `LABEL` or `LABEL = VALUE`.
  case label(String, value: LineValue?)
  /// `:COMMAND`.
  case command(Command)
}

/// The value on a line.
public enum LineValue: Hashable, Sendable {
  /// The value, decoded.
  case text(String)
  /// From a JSON line.
  case number(Double)
  /// From a JSON line.
  case bool(Bool)
  /// `<<END`: the lines up to one that is `END`.
  case lines(end: String)
}
