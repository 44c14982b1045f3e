internal import Support

/// The tables of a ``ScanCache``: what the file held, read where it is needed, and what is new.
struct ScanTables {
  private typealias Key = StoredScans.Key
  private typealias Record = StoredScans.Record

  private let stored: StoredScans
  /// What is new.
  private var scanResults: [Key: Record] = [:]
  private var files: [Key: Record] = [:]
  private var forgotten: Set<Key> = []
  /// Whether there is something to write.
  var isChanged = false

  /// Reads a file; nothing where it can't be read or is damaged.
  init(_ path: String) { stored = StoredScans(path) }

  /// What was remembered of a file.
  ///
  /// - Complexity: O(log n) in the number of files.
  func known(_ identity: FileIdentity, path: String) -> PreparedPlugin? {
    let key = Key(first: identity.device, second: identity.inode)
    guard let record = (files.isEmpty ? nil : files[key]) ?? stored.record(key, in: .files) else {
      return nil
    }
    var reader = ByteReader(record.bytes)
    guard let plugin = reader.prepared(identity, path: path) else { return nil }
    return plugin
  }

  mutating func remember(_ plugin: PreparedPlugin) {
    let key = Key(first: plugin.identity.device, second: plugin.identity.inode)
    var writer = ByteWriter()
    writer.prepared(plugin)
    let old = files[key] ?? stored.record(key, in: .files)
    guard old.map({ $0.bytes.elementsEqual(writer.bytes) }) != true else { return }
    files[key] = Record(time: Self.now, bytes: writer.bytes[...])
    isChanged = true
  }

  private func scanResultRecord(_ digest: UInt64) -> Record? {
    let key = Key(first: digest, second: 0)
    if !scanResults.isEmpty, let record = scanResults[key] { return record }
    if !forgotten.isEmpty, forgotten.contains(key) { return nil }
    return stored.record(key, in: .scanResults)
  }

  func scanResult(_ digest: UInt64) -> ScanResult? {
    guard let record = scanResultRecord(digest) else { return nil }
    var reader = ByteReader(record.bytes)
    return reader.scanResult()
  }

  func scanResultTime(_ digest: UInt64) -> Int64? {
    scanResultRecord(digest).map { Int64(clamping: $0.time) }
  }

  mutating func store(_ scanResult: ScanResult, _ digest: UInt64) {
    let key = Key(first: digest, second: 0)
    var writer = ByteWriter()
    writer.scanResult(scanResult)
    scanResults[key] = Record(time: Self.now, bytes: writer.bytes[...])
    forgotten.remove(key)
    isChanged = true
  }

  mutating func forget(_ digest: UInt64) {
    let key = Key(first: digest, second: 0)
    scanResults[key] = nil
    forgotten.insert(key)
    isChanged = true
  }

  /// The file, with what another process may have stored there meanwhile, and with at most so many
  /// records of each kind.
  func bytes(merging other: StoredScans, keeping limit: Int) -> [UInt8] {
    func newest(
      _ new: [Key: Record], _ table: StoredScans.Table
    ) -> [(key: StoredScans.Key, value: StoredScans.Record)] {
      var records = new
      for source in [stored, other] {
        for (key, record) in source.all(in: table) where records[key] == nil {
          if table == .scanResults, forgotten.contains(key) { continue }
          records[key] = record
        }
      }
      guard records.count > limit else { return Array(records) }
      return Array(records.sorted { $0.value.time > $1.value.time }.prefix(limit))
    }
    return StoredScans.bytes(
      scanResults: newest(scanResults, .scanResults), files: newest(files, .files))
  }

  private static var now: UInt64 { UInt64(max(0, FileClock.now() / 1_000_000_000)) }
}
