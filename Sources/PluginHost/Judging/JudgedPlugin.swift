/// A file that is a plugin for this host, as far as can be told without running it.
public struct JudgedPlugin: Sendable {
  /// The file that was judged.
  public let file: PluginFile
  /// The plugin's name, from its entry.
  public let name: String
  /// The SDK that plugin and host share.
  public let contract: Contract
  let dependencies: Dependencies

  /// The C symbol that ``PluginLoader`` looks up.
  public var entrySymbol: String { "\(PluginFacts.entryPrefix)\(name)" }
}
