internal import Support

/// The facts that a file's tables state, whether or not it is a plugin that this host can use.
public struct PluginMetadata: Hashable, Sendable {
  /// The names of its entries: one for a plugin, none for any other library.
  public let names: [String]
  /// The contracts of the SDKs that it was compiled against; one for a plugin.
  public let contracts: [Contract]
  /// The contracts of the SDKs that it contains itself; none for a plugin.
  public let ownContracts: [Contract]
  /// The libraries that it needs, in order.
  public let needed: [String]
  /// The name by which the loader knows it, `DT_SONAME`, if it has one.
  public let soname: String?
  /// Where the loader searches for the libraries that it needs, with `$ORIGIN` not expanded; an
  /// empty element is the current folder.
  public let runpath: [String]
  /// Whether that is a `DT_RUNPATH`; see ``ELFFile/hasRunpath``.
  let hasRunpath: Bool
  /// The libraries that the loader also loads for it: see `DT_FILTER` and `DT_AUXILIARY`.
  let filters: [String]
  /// The identifier that the linker gave this build.
  public let buildID: [UInt8]?
  /// The number of symbols that it exports.
  public let exportCount: Int
  /// The number of symbols that it imports.
  public let importCount: Int

  /// The most entries and contracts that are kept; more than one of each is an error anyway.
  private static let namesKept = 32

  static let entryPrefix: StaticString = "appcore_plugin_"

  init(_ elf: ELFFile) throws(Rejection) {
    var names: [String] = []
    var contracts: [Contract] = []
    var ownContracts: [Contract] = []
    var exports = 0
    var imports = 0
    try elf.forEachSymbol { symbol in
      if symbol.isExported { exports += 1 } else if !symbol.isDefined { imports += 1 }
      // One comparison for the hundreds of symbols that are neither.
      guard symbol.hasPrefix("appcore_") else { return }
      if symbol.hasPrefix(Self.entryPrefix) {
        guard symbol.isExported, symbol.isFunction, names.count < Self.namesKept else { return }
        names.append(String(symbol.string.dropFirst("\(Self.entryPrefix)".count)))
      } else if symbol.hasPrefix(Contract.prefix), contracts.count < Self.namesKept,
        ownContracts.count < Self.namesKept, let contract = Contract(symbol: symbol.string)
      {
        if symbol.isDefined { ownContracts.append(contract) } else { contracts.append(contract) }
      }
    }
    // Sorted, because the order in the symbol table is up to the linker.
    self.names = names.sorted()
    self.contracts = contracts.sorted { $0.symbol < $1.symbol }
    self.ownContracts = ownContracts.sorted { $0.symbol < $1.symbol }
    exportCount = exports
    importCount = imports
    needed = try elf.needed
    soname = try elf.soname
    runpath = try elf.searchPath
    hasRunpath = elf.hasRunpath
    filters = try elf.filters
    buildID = try elf.buildID
  }
}

extension PluginMetadata {
  /// The build ID in hexadecimal digits.
  package var buildIDText: String? {
    buildID.map { bytes in
      bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
  }
}
