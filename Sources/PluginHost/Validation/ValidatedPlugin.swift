/// A file that is a plugin for this host, as far as can be told without running it.
public struct ValidatedPlugin: Sendable {
  /// The file that was validated.
  public let file: PluginFile
  /// The plugin's name, from its entry.
  public let name: String
  /// The SDK that plugin and host share.
  public let contract: Contract
  let dependencies: Dependencies

  /// What tells its code from another build's: digests of the file and of what it brings along.
  public var digest: String {
    ([file] + dependencies.items.map(\.file)).map { "\($0.digest)" }.joined(separator: "-")
  }

  /// The C symbol that ``PluginLoader`` looks up.
  public var entrySymbol: String { "\(PluginFacts.entryPrefix)\(name)" }
}
