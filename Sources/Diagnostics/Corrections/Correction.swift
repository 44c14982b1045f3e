/// What to write in the place of what is wrong.
///
/// It says what is there now, so that nothing else is ever replaced: a text with escapes, or a
/// file that has changed since, is left alone.
public struct Correction: Hashable, Sendable {
  /// Where to write it; more than one place where one mistake was made several times.
  public let places: [SourceRange]

  /// What to write.
  public let change: Change

  /// What is in the text, and what is to be there.
  public struct Change: Hashable, Sendable {
    /// What is wrong, as YAML reads it.
    public let old: String
    /// What was probably meant.
    public let new: String
    /// Whether nothing else can have been meant, so that a program may write it unasked.
    public let isCertain: Bool
    /// Whether both are source text as it stands, not values that quotes may be put around.
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

    /// The change to a suggested name; `nil` where none is suggested.
    package init?(_ old: String, _ suggestion: Suggestion?) {
      guard let suggestion else { return nil }
      self.init(old, suggestion.name, isCertain: suggestion.isCertain)
    }
  }
}

/// A range of a text, and what to write in its place.
public struct TextEdit: Hashable, Sendable {
  /// What is replaced; an empty range where text is inserted.
  public let range: SourceRange
  /// The source text that replaces it.
  public let text: String
  /// The bytes of the range.
  package let bytes: Range<Int>
}
