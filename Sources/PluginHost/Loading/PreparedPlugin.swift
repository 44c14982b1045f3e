internal import Support

/// A validated plugin with its private copies: all that is needed to load it, without its bytes.
///
/// A value that can be kept from one start to the next: see ``ScanCache``.
public struct PreparedPlugin: Hashable, Sendable {
  /// A library that the plugin brings along.
  struct Library: Hashable, Sendable {
    /// The name under which it is needed.
    let name: String
    /// The file that was read, and its identity at that time.
    let path: String
    let identity: FileIdentity
    let digest: UInt64
    /// The private copy that the loader is given, and its identity.
    let copy: String
    let copyIdentity: FileIdentity
    /// Whether the loader knows it by its name once it is loaded.
    let isKnownByName: Bool
  }

  /// The plugin's name.
  public let name: String
  /// The path that was read.
  public let path: String
  /// The identity of the file at the time it was read.
  public let identity: FileIdentity
  /// Whether no other user can change the file or its libraries; see ``FileTrust``.
  let isGuarded: Bool
  /// Whether the identities tell the files from later versions; see ``FileClock/margin``.
  let isSettled: Bool
  let digest: UInt64
  /// The path of the private copy that the loader is given.
  public let copy: String
  let copyIdentity: FileIdentity
  let libraries: [Library]
  /// Libraries of the system that it needs, which are loaded before it.
  let systemLibraries: [SystemLibrary]
  /// Paths that were searched in vain; if a file appears at one, the plugin gets another library.
  let absent: [String]
  /// Whether the copies are kept for the next start.
  let isKept: Bool
  /// Whose files are accepted.
  var trust: FileTrust
  /// The folder to remove when the copies are no longer needed, if there is one.
  let temporaryFolder: String?
  /// The size of the address range that it takes when it is loaded.
  let span: UInt64
  /// What tells its code from any other, where that was asked for.
  package var seal: PluginDigests?

  /// The digest of the file as 16 hexadecimal digits: equal for equal files, whatever their path.
  public var generation: String { ContentDigest.text(digest) }

  /// The digests of the file and of the libraries it brings along, which identify the build.
  public var digests: String {
    ([digest] + libraries.map(\.digest)).map(ContentDigest.text).joined(separator: "-")
  }

  /// Whether two plugins, and the libraries that they bring along, have the same names and bytes.
  public func hasSameContent(as other: PreparedPlugin) -> Bool {
    name == other.name && contentKey == other.contentKey && seal == other.seal
  }

  /// The names by which the libraries are needed that it brings along, in the order in which they are
  /// loaded.
  package var libraryNames: [String] { libraries.map(\.name) }

  /// What a process knows a build by that it has loaded.
  var loadedKey: String { seal.map { "\($0.key)" } ?? generation }

  /// The paths that the loader is given: the plugin's copy, and those of the libraries it brings.
  public var copies: [String] { [copy] + libraries.map(\.copy) }

  /// The C symbol of the plugin's entry.
  var entrySymbol: String { "\(PluginMetadata.entryPrefix)\(name)" }

  /// Whether the copies and the libraries of the system are unchanged.
  ///
  /// - Complexity: one `stat` for each.
  var hasSoundCopies: Bool {
    PluginFile.identity(of: copy) == copyIdentity
      && libraries.allSatisfy { PluginFile.identity(of: $0.copy) == $0.copyIdentity }
      && systemLibraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
  }

  /// Whether a search for the libraries that it needs would find the same, unchanged files.
  ///
  /// - Complexity: one `stat` for each library, and for each path at which there is none.
  var hasSameLibraries: Bool {
    libraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
      && systemLibraries.allSatisfy { PluginFile.identity(of: $0.path) == $0.identity }
      && absent.allSatisfy { PluginFile.identity(of: $0) == nil }
  }

  /// Whether the loader finds the copies of libraries that it has to search for, and for `isGuarding` no
  /// other user can change that.
  ///
  /// - Complexity: O(1) where the loader knows all libraries by name; otherwise some system calls for
  ///   each path at which there is none.
  func findsCopies(isGuarding: Bool) -> Bool {
    guard !libraries.allSatisfy(\.isKnownByName) else { return true }
    do throws(Rejection) {
      // Some of these are for other libraries. If one of those is the reason, the plugin is read again.
      try Dependencies.checkSearch(at: absent, isGuarding: isGuarding)
      return true
    } catch {
      return false
    }
  }

  /// Removes copies that are not kept.
  package func discardTemporaryCopies() {
    guard let temporaryFolder else { return }
    PrivateFolder.remove(temporaryFolder)
  }
}
