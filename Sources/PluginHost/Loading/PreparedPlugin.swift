/// A validated plugin whose private copy is made: all that loading it takes, without its bytes.
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
    /// What the loader is given, and its state.
    let copy: String
    let copyIdentity: FileIdentity
    /// Whether the loader knows it by its name once it is loaded.
    let isKnownByName: Bool
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
  /// Libraries of the system that it needs, which are loaded before it.
  let systemLibraries: [SystemLibrary]
  /// Paths at which there was no file; with one there, the plugin has other libraries.
  let absent: [String]
  /// Whether the copies are there at the next start.
  let isKept: Bool
  /// Whose files are taken.
  var trust: FileTrust
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

  /// Whether the copies are as they were made, and the libraries of the system as they were found.
  ///
  /// - Complexity: one `stat` for each.
  var hasSoundCopies: Bool {
    PluginFile.identity(of: copy) == copyIdentity
      && libraries.allSatisfy { PluginFile.identity(of: $0.copy) == $0.copyIdentity }
      && systemLibraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
  }

  /// Whether each library that it needs would be found where it was, in the state in which it was.
  ///
  /// - Complexity: one `stat` for each library, and for each path at which there is none.
  var hasSameLibraries: Bool {
    libraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
      && systemLibraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
      && absent.allSatisfy { PluginFile.identity(of: $0) == nil }
  }

  /// Removes copies that are not kept.
  func discardTemporaryCopies() {
    guard let temporaryFolder else { return }
    PrivateFolder.remove(temporaryFolder)
  }
}
