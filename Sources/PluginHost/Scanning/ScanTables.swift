internal import Support

/// The tables of a ``ScanCache``: the contents of its file, and new records.
///
/// The file consists of a mark, a digest of the rest, and the two tables, each a list of records.
struct ScanTables {
  /// The key of a record: a file's device and inode, a digest and zero, or half a seal.
  struct Key: Hashable {
    let first: UInt64
    let second: UInt64

    init(first: UInt64, second: UInt64) {
      self.first = first
      self.second = second
    }

    init(_ digest: UInt64) { self.init(first: digest, second: 0) }

    init(_ seal: PluginDigests) {
      self.init(first: seal.key.words.0, second: seal.key.words.1)
    }
  }
  struct Record {
    /// In seconds since 1970.
    let time: UInt64
    let bytes: ArraySlice<UInt8>
  }
  typealias Table = [Key: Record]

  private(set) var scanResults: Table = [:]
  private(set) var files: Table = [:]
  private var forgotten: Set<Key> = []
  /// Whether there is something to write.
  var isChanged = false

  private static let mark: UInt64 = 0x374e_4143_5343_5041  // "APCSCAN7", the lowest byte first

  init() {}

  /// Reads a file; the tables are empty if it can't be read or is damaged.
  init(_ path: String) {
    guard let bytes = try? WholeFile.read(path) else { return }
    var reader = ByteReader(bytes)
    guard reader.word() == Self.mark, let digest = reader.word(),
      bytes.dropFirst(16).withUnsafeBytes({ ContentDigest($0).value }) == digest,
      let scanResults = Self.read(&reader), let files = Self.read(&reader)
    else { return }
    (self.scanResults, self.files) = (scanResults, files)
  }

  private static func read(_ reader: inout ByteReader) -> Table? {
    guard let count = reader.count() else { return nil }
    var table = Table(minimumCapacity: count)
    for _ in 0..<count {
      guard let first = reader.word(), let second = reader.word(), let time = reader.word(),
        let bytes = reader.data()
      else { return nil }
      table[Key(first: first, second: second)] = Record(time: time, bytes: bytes)
    }
    return table
  }

  /// The plugin that was remembered for a file; `nil` if the file has another identity or path.
  func known(_ identity: FileIdentity, path: String) -> PreparedPlugin? {
    guard let record = files[Key(first: identity.device, second: identity.inode)] else {
      return nil
    }
    var reader = ByteReader(record.bytes)
    return reader.prepared(identity, path: path)
  }

  mutating func remember(_ plugin: PreparedPlugin, at time: UInt64 = now) {
    let key = Key(first: plugin.identity.device, second: plugin.identity.inode)
    var writer = ByteWriter()
    writer.prepared(plugin)
    guard files[key].map({ $0.bytes.elementsEqual(writer.bytes) }) != true else { return }
    files[key] = Record(time: time, bytes: writer.bytes[...])
    isChanged = true
  }

  func scanResult(_ key: Key) -> ScanResult? {
    guard let record = scanResults[key] else { return nil }
    var reader = ByteReader(record.bytes)
    return reader.scanResult()
  }

  func scanResultTime(_ key: Key) -> Int64? {
    scanResults[key].map { Int64(clamping: $0.time) }
  }

  mutating func store(_ scanResult: ScanResult, _ key: Key, at time: UInt64 = now) {
    var writer = ByteWriter()
    writer.scanResult(scanResult)
    scanResults[key] = Record(time: time, bytes: writer.bytes[...])
    forgotten.remove(key)
    isChanged = true
  }

  mutating func forget(_ key: Key) {
    scanResults[key] = nil
    forgotten.insert(key)
    isChanged = true
  }

  /// Encodes the tables.
  ///
  /// - Parameters:
  ///   - other: the tables that another process may have stored meanwhile; they are kept, too.
  ///   - limit: how many records of each table are kept; the oldest are dropped first.
  /// - Returns: the contents of the file that ``init(_:)`` reads.
  func bytes(merging other: ScanTables, keeping limit: Int) -> [UInt8] {
    var rest = ByteWriter()
    let others = other.scanResults.filter { !forgotten.contains($0.key) }
    for table in [
      scanResults.merging(others) { own, _ in own }, files.merging(other.files) { own, _ in own },
    ] {
      let newest = table.sorted { $0.value.time > $1.value.time }.prefix(limit)
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
    file.append(rest.bytes)
    return file.bytes
  }

  private static var now: UInt64 { UInt64(max(0, FileClock.now() / 1_000_000_000)) }
}
