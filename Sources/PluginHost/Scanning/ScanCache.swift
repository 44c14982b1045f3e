internal import Support

enum ScanResult: Hashable {
  /// The plugin's encoded description of itself.
  case answer([UInt8])
  /// Why it is in quarantine: the plugin itself is the cause, and would fail again.
  case quarantine(Rejection)
  /// Why it could not be scanned or loaded, perhaps only this time.
  case failure(Rejection)
}

/// The results of scans, kept in one file from one start to the next.
///
/// There are two tables. The *results* are stored by the content of the plugin and of the libraries
/// that it brings along. The *known* files are stored by device and inode: if such a file, and the
/// libraries that it brought along, have the same sizes and times as before, none of them needs to
/// be read; that costs a `stat` each. A file is remembered only if it was older than a tick of its
/// file system's clock when it was read (see ``FileClock``): a build within that tick would go
/// unnoticed.
///
/// A cache is for one SDK of the host and one format of the answers. If its file can't be read, the
/// cache is empty; if it can't be written, the file stays as it is: both only cost another scan.
public final class ScanCache {
  /// A file's device and inode, a digest and zero, or half of a plugin's digests.
  struct Key: Hashable {
    let first: UInt64
    let second: UInt64
  }

  /// The times are in seconds since 1970.
  private typealias Table = [Key: (time: UInt64, bytes: ArraySlice<UInt8>)]
  private typealias Tables = (results: Table, files: Table)

  /// How many results are kept, and as many known files; the oldest are removed first.
  private static let kept = 1024
  /// How many hosts' caches are kept: each SDK has its own.
  private static let keptFiles = 16
  private static let sizeLimit = 256 << 20
  private static let mark: UInt64 = 0x414e_4143_5343_5041  // "APCSCANA", the lowest byte first

  private let folder: PrivateFolder
  private let name: String
  private var tables: Tables
  private var isChanged = false

  /// Opens the cache in `appcore/scans` under `XDG_CACHE_HOME`, else under `~/.cache`; `nil` if
  /// that can't be a folder of this user alone.
  public init?(environment: [String: String], form: String) {
    guard let folder = PrivateFolder(inCache: "scans", environment) else { return nil }
    self.folder = folder
    let sdk = HostSDK.current
    var key = "\(form)\t\(sdk.contract.symbol)\t\(sdk.digest)"
    name = key.withUTF8 { "\(ContentDigest(UnsafeRawBufferPointer($0)))" }
    tables = Self.tables(in: folder, name)
  }

  /// The plugin in a file, if the file was read before and has not changed.
  ///
  /// - Returns: the plugin as it was remembered; `nil` if the file has to be read.
  /// - Complexity: one `stat` for the file, for each library that the plugin needs besides the
  ///   host's, and for each path at which one would be found first.
  public func known(_ path: String, trust: FileTrust) -> PreparedPlugin? {
    guard let identity = PluginFile.identity(of: path),
      let record = tables.files[Key(first: identity.device, second: identity.inode)]
    else { return nil }
    var reader = ByteReader(record.bytes)
    guard var plugin = reader.prepared(), plugin.file.identity == identity, plugin.path == path,
      plugin.isGuarded || trust.allowsAll, plugin.hasSameLibraries
    else { return nil }
    plugin.trust = trust
    return plugin
  }

  /// Remembers a file, if its identity tells it from later versions and its copies are kept.
  func remember(_ plugin: PreparedPlugin, at time: UInt64 = now) {
    guard plugin.isSettled, plugin.isKept else { return }
    let key = Key(first: plugin.file.identity.device, second: plugin.file.identity.inode)
    var writer = ByteWriter()
    writer.prepared(plugin)
    guard tables.files[key].map({ $0.bytes.elementsEqual(writer.bytes) }) != true else { return }
    tables.files[key] = (time, writer.bytes[...])
    isChanged = true
  }

  /// Remembers a file that was read again, and writes the cache.
  public func keep(_ plugin: PreparedPlugin) {
    remember(plugin)
    save()
  }

  func scanResult(on plugin: PreparedPlugin) -> ScanResult? { result(plugin.contentKey)?.result }

  /// The result of a plugin, whose copies need not exist, and the time of the scan, in seconds
  /// since 1970.
  func scanResult(on plugin: ValidatedPlugin) -> (result: ScanResult, time: Int64)? {
    result(Key(plugin.files.map { ($0.digest.value, $0.identity.size) }))
      // Where there is a lock, it is kept by what takes longer to compute.
      ?? result(Key(PluginDigests(plugin)))
  }

  private func result(_ key: Key) -> (result: ScanResult, time: Int64)? {
    guard let record = tables.results[key] else { return nil }
    var reader = ByteReader(record.bytes)
    let result: ScanResult? =
      switch reader.byte() {
      case 0: reader.data().map { .answer(Array($0)) }
      case 1: reader.rejection().map { .quarantine($0) }
      default: nil
      }
    return result.map { ($0, Int64(clamping: record.time)) }
  }

  /// Keeps a result that the plugin itself is responsible for.
  func store(_ result: ScanResult, on plugin: PreparedPlugin, at time: UInt64 = now) {
    var writer = ByteWriter()
    switch result {
    case .answer(let bytes):
      writer.byte(0)
      writer.data(bytes)
    case .quarantine(let cause):
      writer.byte(1)
      writer.rejection(cause)
    case .failure: return
    }
    tables.results[plugin.contentKey] = (time, writer.bytes[...])
    isChanged = true
  }

  /// Removes the result of a plugin.
  public func forget(_ plugin: PreparedPlugin) {
    // An empty record, which takes the place of one that another process may write.
    tables.results[plugin.contentKey] = (Self.now, [])
    isChanged = true
  }

  /// Writes the file if something has changed, with what other processes have written meanwhile.
  public func save() { save(keeping: Self.kept) }

  func save(keeping limit: Int) {
    guard isChanged else { return }
    let others = Self.tables(in: folder, name)
    var rest = ByteWriter()
    for (own, other) in [(tables.results, others.results), (tables.files, others.files)] {
      let newest = own.merging(other) { own, _ in own }
        .sorted { $0.value.time > $1.value.time }.prefix(limit)
      rest.list(newest) { writer, record in
        writer.word(record.key.first)
        writer.word(record.key.second)
        writer.word(record.value.time)
        writer.data(record.value.bytes)
      }
    }
    var file = ByteWriter()
    file.word(Self.mark)
    file.word(rest.bytes.withUnsafeBytes { ContentDigest($0).value })
    folder.replace(name, with: file.bytes + rest.bytes)
    isChanged = false
    folder.removeOldest(keeping: Self.keptFiles)
  }

  /// Reads a file: a mark, a digest of the rest, and the two tables, each a list of records.
  ///
  /// The tables are empty if it can't be read or is damaged.
  private static func tables(in folder: PrivateFolder, _ name: String) -> Tables {
    guard let bytes = folder.bytes(of: name, limit: sizeLimit) else { return ([:], [:]) }
    var reader = ByteReader(bytes)
    guard reader.word() == mark, let digest = reader.word(),
      bytes.dropFirst(16).withUnsafeBytes({ ContentDigest($0).value }) == digest,
      let results = table(&reader), let files = table(&reader)
    else { return ([:], [:]) }
    return (results, files)
  }

  private static func table(_ reader: inout ByteReader) -> Table? {
    let records = reader.list { reader -> (Key, Table.Value)? in
      guard let first = reader.word(), let second = reader.word(), let time = reader.word(),
        let bytes = reader.data()
      else { return nil }
      return (Key(first: first, second: second), (time, bytes))
    }
    return records.map { Table($0, uniquingKeysWith: { $1 }) }
  }

  private static var now: UInt64 { UInt64(max(0, FileClock.now() / 1_000_000_000)) }
}

extension ScanCache.Key {
  init(_ digests: PluginDigests) {
    let key = digests.key
    self.init(first: key.words[0], second: key.words[1])
  }

  /// The key of a plugin's file and the libraries it brings along, by their digests and sizes.
  init(_ files: [(digest: UInt64, size: UInt64)]) {
    let words = files.flatMap { [$0.digest, $0.size] }
    self.init(first: words.withUnsafeBytes { ContentDigest($0).value }, second: 0)
  }
}

extension PreparedPlugin {
  /// The key of the content that a scan runs: the plugin's bytes and those of the libraries it
  /// brings.
  var contentKey: ScanCache.Key {
    digests.map { ScanCache.Key($0) }
      ?? ScanCache.Key(([file] + libraries).map { ($0.digest, $0.identity.size) })
  }
}
