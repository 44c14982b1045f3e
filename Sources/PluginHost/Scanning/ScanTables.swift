/// The tables of a ``ScanCache``: what the file held, read where it is needed, and what is new.
///
/// The file: a mark, a digest of the rest, and the records of both tables, the verdicts first. Each
/// record is its key, the time when it was stored, and its bytes.
struct ScanTables {
  private static let mark: UInt64 = 0x324e_4143_5343_5041  // "APCSCAN2", the lowest byte first

  private struct Record {
    /// In seconds since 1970.
    var time: UInt64
    var bytes: ArraySlice<UInt8>
  }
  private struct FileKey: Hashable {
    let device: UInt64
    let inode: UInt64
  }

  private var verdicts: [UInt64: Record] = [:]
  private var files: [FileKey: Record] = [:]
  private var forgotten: Set<UInt64> = []
  /// Whether there is something to write.
  var isChanged = false

  /// Reads a file; nothing where it can't be read or is damaged.
  init(_ path: String) {
    let reader = FileReader(path: path, sizeLimit: 64 << 20)
    guard let (buffer, _) = try? reader.readAny() else { return }
    defer { buffer.deallocate() }
    guard buffer.count > 16,
      buffer.loadUnaligned(as: UInt64.self).littleEndian == Self.mark,
      ContentDigest(UnsafeRawBufferPointer(rebasing: buffer[16...])).value
        == UInt64(littleEndian: buffer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    else { return }
    var bytes = ByteReader(Array(buffer)[16...])
    guard let count = bytes.count() else { return }
    verdicts.reserveCapacity(count)
    for _ in 0..<count {
      guard let key = bytes.word(), let record = Self.record(&bytes) else { return }
      verdicts[key] = record
    }
    guard let count = bytes.count() else { return }
    files.reserveCapacity(count)
    for _ in 0..<count {
      guard let device = bytes.word(), let inode = bytes.word(),
        let record = Self.record(&bytes)
      else { return }
      files[FileKey(device: device, inode: inode)] = record
    }
  }

  private static func record(_ bytes: inout ByteReader) -> Record? {
    guard let time = bytes.word(), let data = bytes.data() else { return nil }
    return Record(time: time, bytes: data)
  }

  func known(_ identity: FileIdentity) -> PreparedPlugin? {
    guard let record = files[FileKey(device: identity.device, inode: identity.inode)] else {
      return nil
    }
    var reader = ByteReader(record.bytes)
    guard let plugin = reader.prepared(), plugin.identity == identity else { return nil }
    return plugin
  }

  mutating func remember(_ plugin: PreparedPlugin) {
    let key = FileKey(device: plugin.identity.device, inode: plugin.identity.inode)
    var writer = ByteWriter()
    writer.prepared(plugin)
    guard files[key].map({ Array($0.bytes) }) != writer.bytes else { return }
    files[key] = Record(time: Self.now, bytes: writer.bytes[...])
    isChanged = true
  }

  func verdict(_ key: UInt64) -> ScanVerdict? {
    guard let record = verdicts[key] else { return nil }
    var reader = ByteReader(record.bytes)
    return reader.verdict()
  }

  func verdictTime(_ key: UInt64) -> Int64? { verdicts[key].map { Int64(clamping: $0.time) } }

  mutating func store(_ verdict: ScanVerdict, _ key: UInt64) {
    var writer = ByteWriter()
    writer.verdict(verdict)
    verdicts[key] = Record(time: Self.now, bytes: writer.bytes[...])
    forgotten.remove(key)
    isChanged = true
  }

  mutating func forget(_ key: UInt64) {
    verdicts[key] = nil
    forgotten.insert(key)
    isChanged = true
  }

  /// Takes over what another process has stored and this one has not.
  mutating func merge(_ other: ScanTables) {
    for (key, record) in other.verdicts where !forgotten.contains(key) && verdicts[key] == nil {
      verdicts[key] = record
    }
    for (key, record) in other.files where files[key] == nil { files[key] = record }
  }

  /// The file, with at most so many records of each kind.
  func bytes(keeping limit: Int) -> [UInt8] {
    func newest<Key>(_ records: [Key: Record]) -> [(key: Key, value: Record)] {
      guard records.count > limit else { return Array(records) }
      return Array(records.sorted { $0.value.time > $1.value.time }.prefix(limit))
    }
    var writer = ByteWriter()
    writer.list(newest(verdicts)) { writer, entry in
      writer.word(entry.key)
      writer.word(entry.value.time)
      writer.data(entry.value.bytes)
    }
    writer.list(newest(files)) { writer, entry in
      writer.word(entry.key.device)
      writer.word(entry.key.inode)
      writer.word(entry.value.time)
      writer.data(entry.value.bytes)
    }
    var file = ByteWriter()
    file.word(Self.mark)
    file.word(writer.bytes.withUnsafeBytes { ContentDigest($0).value })
    return file.bytes + writer.bytes
  }

  private static var now: UInt64 { UInt64(max(0, FileClock.now() / 1_000_000_000)) }
}
