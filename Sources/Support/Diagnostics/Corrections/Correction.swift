/// A replacement for a mistake in a source text.
///
/// It includes the old text, so that nothing else is ever replaced: a text with escapes, or a file
/// that has changed since, is left alone.
public struct Correction: Hashable, Sendable {
  /// The ranges to replace; several if the same mistake was made several times.
  public let places: [SourceRange]

  /// The old text and the new one.
  public let change: Change

  /// The text to replace, and its replacement.
  public struct Change: Hashable, Sendable {
    /// What is wrong, as YAML reads it.
    public let old: String
    /// What was probably meant.
    public let new: String
    /// Whether nothing else can have been meant, so that a program may apply it without asking.
    public let isCertain: Bool
    /// Whether both are literal source text, and not values that may be quoted.
    public let isSource: Bool

    /// Creates a change.
    package init(
      _ old: String, _ new: String, isCertain: Bool = true, isSource: Bool = false
    ) {
      self.old = old
      self.new = new
      self.isCertain = isCertain
      self.isSource = isSource
    }

    /// The change to a suggested name; `nil` if none is suggested.
    package init?(_ old: String, _ suggestion: Suggestion?) {
      guard let suggestion else { return nil }
      self.init(old, suggestion.name, isCertain: suggestion.isCertain)
    }
  }
}

/// A range of a text, and its replacement.
public struct TextEdit: Hashable, Sendable {
  /// The range to replace; empty if text is inserted.
  public let range: SourceRange
  /// The source text that replaces it.
  public let text: String
  /// The bytes of the range.
  package let bytes: Range<Int>
}
