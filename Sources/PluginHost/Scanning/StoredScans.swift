internal import Glibc

/// The file of a ``ScanCache`` as it was read: nothing of it is taken apart before it is asked for.
///
/// The file, in words of eight bytes with the lowest first: a mark, a digest of the rest, how many
/// results and how many files there are; an entry for each result and for each file, sorted by
/// their keys, in which they are searched where they stand; then their bytes. An entry is the key, of
/// two words, the time when it was stored, and where its bytes are.
struct StoredScans {
  /// What a record is found by: a file's device and inode, or a digest and zero.
  struct Key: Hashable, Comparable {
    let first: UInt64
    let second: UInt64

    static func < (left: Key, right: Key) -> Bool {
      (left.first, left.second) < (right.first, right.second)
    }
  }
  struct Record {
    /// In seconds since 1970.
    var time: UInt64
    var bytes: ArraySlice<UInt8>
  }
  /// The two kinds of records.
  enum Table { case scanResults, files }

  private static let mark: UInt64 = 0x354e_4143_5343_5041  // "APCSCAN5", the lowest byte first
  private static let headSize = 32
  private static let entrySize = 40
  private static let sizeLimit = 64 << 20

  /// The whole file; empty where there is none, or it is damaged.
  private let bytes: [UInt8]
  private let scanResultCount: Int
  private let fileCount: Int

  /// Reads a file; nothing where it can't be read or is damaged.
  init(_ path: String) {
    let bytes = Self.read(path)
    let counts: (scanResults: Int, files: Int)? = bytes.withUnsafeBytes { raw in
      guard raw.count >= Self.headSize, Self.word(raw, 0) == Self.mark,
        ContentDigest(UnsafeRawBufferPointer(rebasing: raw[16...])).value == Self.word(raw, 8)
      else { return nil }
      let room = UInt64((raw.count - Self.headSize) / Self.entrySize)
      let (scanResults, files) = (Self.word(raw, 16), Self.word(raw, 24))
      guard scanResults <= room, files <= room - scanResults else { return nil }
      return (Int(scanResults), Int(files))
    }
    self.bytes = counts == nil ? [] : bytes
    scanResultCount = counts?.scanResults ?? 0
    fileCount = counts?.files ?? 0
  }

  /// The bytes of a file in a folder that is ours; none where it can't be read.
  private static func read(_ path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0, status.st_size <= sizeLimit
    else { return [] }
    return [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
      while count < buffer.count, let base = buffer.baseAddress {
        let part = Glibc.read(descriptor, base + count, buffer.count - count)
        if part < 0, errno == EINTR { continue }
        // What is too short shows by its digest.
        guard part > 0 else { return }
        count += part
      }
    }
  }

  private static func word(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(littleEndian: raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  private func entries(of table: Table) -> Range<Int> {
    table == .scanResults ? 0..<scanResultCount : scanResultCount..<scanResultCount + fileCount
  }

  /// The record under a key.
  ///
  /// - Complexity: O(log n) in the number of records; nothing is allocated.
  func record(_ key: Key, in table: Table) -> Record? {
    let found: Int? = bytes.withUnsafeBytes { raw in
      let entries = entries(of: table)
      var (low, high) = (entries.lowerBound, entries.upperBound)
      while low < high {
        let middle = (low + high) / 2
        let other = Self.key(raw, middle)
        if other == key { return middle }
        if other < key { low = middle + 1 } else { high = middle }
      }
      return nil
    }
    return found.flatMap { record(at: $0) }
  }

  private static func key(_ raw: UnsafeRawBufferPointer, _ entry: Int) -> Key {
    let start = headSize + entry * entrySize
    return Key(first: word(raw, start), second: word(raw, start + 8))
  }

  /// The record of an entry; `nil` where it says that it is where there are no bytes.
  private func record(at entry: Int) -> Record? {
    let (time, start, count) = bytes.withUnsafeBytes { raw in
      let place = Self.headSize + entry * Self.entrySize + 16
      return (Self.word(raw, place), Self.word(raw, place + 8), Self.word(raw, place + 16))
    }
    guard start <= UInt64(bytes.count), count <= UInt64(bytes.count) - start else { return nil }
    return Record(time: time, bytes: bytes[Int(start)..<Int(start) + Int(count)])
  }

  /// All records of a table.
  func all(in table: Table) -> [(key: Key, value: Record)] {
    entries(of: table).compactMap { entry in
      guard let record = record(at: entry) else { return nil }
      return (bytes.withUnsafeBytes { Self.key($0, entry) }, record)
    }
  }

  /// The bytes of a file with these records.
  static func bytes(
    scanResults: [(key: Key, value: Record)], files: [(key: Key, value: Record)]
  ) -> [UInt8] {
    let records = scanResults.sorted { $0.key < $1.key } + files.sorted { $0.key < $1.key }
    var rest = ByteWriter()
    rest.word(UInt64(scanResults.count))
    rest.word(UInt64(files.count))
    var start = headSize + records.count * entrySize
    for (key, record) in records {
      for word in [
        key.first, key.second, record.time, UInt64(start), UInt64(record.bytes.count),
      ] {
        rest.word(word)
      }
      start += record.bytes.count
    }
    for (_, record) in records { rest.append(record.bytes) }
    var file = ByteWriter()
    file.word(mark)
    file.word(rest.bytes.withUnsafeBytes { ContentDigest($0).value })
    file.append(rest.bytes)
    return file.bytes
  }
}
