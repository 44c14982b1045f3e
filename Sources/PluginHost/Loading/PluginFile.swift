internal import Support

/// The bytes of a plugin's file and the facts in them, read without running any of its code.
///
/// The file is read into memory, not mapped: truncating a mapped file would end the process, and
/// overwriting it would change it after it was validated. These bytes are loaded later; see
/// ``PluginLoader``.
public final class PluginFile: Sendable {
  /// The largest file that is read, 256 MiB: several times a large debug build.
  public static let sizeLimit: UInt64 = 256 << 20

  public let path: String
  /// The identity of the file at the time it was read.
  public let identity: FileIdentity
  /// Whether ``identity`` alone tells the bytes from later versions of the file.
  ///
  /// `false` for a file that was written shortly before it was read: it may be written again within
  /// the same tick of its file system's clock.
  let isSettled: Bool
  let isGuarded: Bool
  let trust: FileTrust
  /// The digest of the bytes, without a stamp at their end.
  let digest: ContentDigest
  /// The configuration that it was compiled for; `nil` without a stamp.
  public let configuration: BuildConfiguration?
  public let metadata: PluginMetadata

  /// The version of the SDK that it was compiled against, such as `0.2.0`; `nil` if it has no mark.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the file.
  ///
  /// It is only shown to people: compatibility depends on the ``Contract`` and on the symbols that the
  /// host has. The SDK leaves it among the constants of what is compiled against it.
  public var sdkVersion: String? {
    let label: StaticString = "appcore.sdk.version="
    var rest = bytes[...]
    while let offset = GNUFunctions.offset(of: label, in: UnsafeRawBufferPointer(rebasing: rest)) {
      rest = rest.dropFirst(offset + label.utf8CodeUnitCount)
      let version = rest.prefix { PluginLocator.isNameByte($0) || $0 == 0x2d || $0 == 0x2e }
      if version.count <= 32, version.first.map({ 0x30...0x39 ~= $0 }) == true {
        return String(decoding: version, as: UTF8.self)
      }
    }
    return nil
  }

  // Written by `init` alone, then read only.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  nonisolated(unsafe) let elf: ELFFile

  /// Reads a file.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/read``.
  /// - Complexity: O(*n*), where *n* is the size of the file; most of it is one copy.
  public convenience init(
    path: String, trust: FileTrust = .all
  ) throws(PluginError) {
    let start = FileClock.now()
    let (buffer, identity, isGuarded) = try FileReader(path: path, trust: trust).read()
    try self.init(
      path: path, identity: identity, taking: buffer, readAt: start, isGuarded: isGuarded,
      trust: trust)
  }

  /// Takes ownership of a file's bytes; deallocates them at once if it throws.
  init(
    path: String, identity: FileIdentity, taking buffer: UnsafeMutableRawBufferPointer,
    readAt start: Int64 = 0, isGuarded: Bool = false, trust: FileTrust = .all
  ) throws(PluginError) {
    let bytes = UnsafeRawBufferPointer(buffer)
    do throws(Rejection) {
      // First: for a damaged file, a wrong digest says more than an error in one of its tables.
      (digest, configuration) = try PluginStamp.check(bytes, of: path)
      elf = try ELFFile(bytes)
      metadata = try PluginMetadata(elf)
      if configuration == nil { try PluginStamp.requireNone(bytes, of: path, after: try elf.end) }
    } catch {
      buffer.deallocate()
      throw PluginError(.read, path: path, error)
    }
    self.path = path
    self.identity = identity
    isSettled = start - max(identity.modified, identity.changed) > FileClock.margin
    self.isGuarded = isGuarded
    self.trust = trust
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  /// The current identity of the file at a path, to compare with ``identity``; `nil` if there is
  /// none.
  public static func identity(of path: String) -> FileIdentity? {
    // `stat` would see only the part of a path before a NUL.
    path.utf8.contains(0) ? nil : FilePath.status(path).map { FileIdentity($0) }
  }
}

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

  /// The build ID in hexadecimal digits.
  package var buildIDText: String? {
    buildID.map { bytes in
      bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
  }
}
