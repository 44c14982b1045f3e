/// A judged plugin whose private copy is made: all that loading it takes, without its bytes.
///
/// A value that can be kept from one start to the next: see ``ScanCache``.
public struct PreparedPlugin: Hashable, Sendable {
  /// A library that the plugin brings along.
  struct Library: Hashable, Sendable {
    /// The name under which it is needed.
    let name: String
    /// The file, and which state of it was read.
    let path: String
    let identity: FileIdentity
    let digest: UInt64
    /// What the loader is given.
    let copy: String
  }

  /// The plugin's name.
  public let name: String
  /// The path that was read.
  public let path: String
  /// The state of the file whose bytes were read.
  public let identity: FileIdentity
  /// Whether nobody else can change the file; see ``FileTrust``.
  let isGuarded: Bool
  /// Whether the states of the files can be told from later ones; see ``FileClock/margin``.
  let isSettled: Bool
  let digest: UInt64
  /// The private copy that the loader is to be given.
  public let copy: String
  let copyIdentity: FileIdentity
  let libraries: [Library]
  /// The folder to remove when the copies are no longer needed, if there is one.
  let temporaryFolder: String?
  /// How many addresses it takes when it is loaded.
  let span: UInt64

  /// Which bytes these are, as 16 hexadecimal digits: equal for equal files, whatever their path.
  public var generation: String { ContentDigest.text(digest) }

  /// What tells its code from another build's: digests of the file and of what it brings along.
  public var digests: String {
    ([digest] + libraries.map(\.digest)).map(ContentDigest.text).joined(separator: "-")
  }

  /// Whether two are the same bytes, with what they bring along, whatever their paths.
  public func hasSameContent(as other: PreparedPlugin) -> Bool {
    name == other.name && contentKey == other.contentKey
  }

  /// All that the loader is given: the plugin's copy and those of what it brings along.
  public var copies: [String] { [copy] + libraries.map(\.copy) }

  /// The C symbol of the plugin's entry.
  var entrySymbol: String { "\(PluginFacts.entryPrefix)\(name)" }

  /// Whether the copies are as they were made.
  ///
  /// - Complexity: one `stat` for each.
  var hasSoundCopies: Bool {
    PluginFile.identity(of: copy) == copyIdentity
      && libraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
  }

  /// Removes copies that are not kept.
  func discardTemporaryCopies() {
    guard let temporaryFolder else { return }
    PrivateFolder.remove(temporaryFolder)
  }
}
