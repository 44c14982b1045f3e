/// Names for command arguments that are not on the screen: completions after `:open` and similar
/// commands.
public struct CompletionNouns: Sendable {
  /// A name, and what it is in a few words.
  public struct Noun: Hashable, Sendable {
    public let name: String
    public let detail: String

    /// Creates a name.
    public init(_ name: String, detail: String = "") {
      self.name = name
      self.detail = detail
    }
  }

  /// The links, with their parameters in braces.
  public var links: [Noun]
  public var plugins: [Noun]
  /// The codes that messages end with.
  public var codes: [Noun]

  /// Creates the names.
  public init(links: [Noun] = [], plugins: [Noun] = [], codes: [Noun] = []) {
    self.links = links
    self.plugins = plugins
    self.codes = codes
  }
}
