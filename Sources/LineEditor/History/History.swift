internal import Glibc

/// The lines that were typed, without duplicates, the newest last.
///
/// All lines are in one block of bytes, so that searching 100,000 of them takes a few milliseconds.
package struct History: Sendable {
  private var bytes: [UInt8] = []
  /// `bytes` with ASCII letters in lower case.
  private var folded: [UInt8] = []
  private var entries: [Entry] = []
  /// The number of lines.
  package private(set) var count = 0

  /// The place of a line in `bytes`; empty if the line was typed again later.
  private struct Entry: Sendable {
    var start: Int
    var length: Int
  }

  /// The maximum length of a line, in bytes; longer ones are not stored.
  package static let lineLimit = 16 << 10

  /// Creates an empty history.
  package init() {}

  /// Creates a history from lines, the oldest first; of equal lines only the newest is kept.
  ///
  /// - Complexity: O(*n*), where *n* is the total length of the lines.
  package init(_ lines: [ArraySlice<UInt8>]) {
    var seen: Set<ArraySlice<UInt8>> = []
    var kept: [ArraySlice<UInt8>] = []
    for line in lines.reversed() where Self.mayHold(line) && seen.insert(line).inserted {
      kept.append(line)
    }
    bytes.reserveCapacity(kept.reduce(0) { $0 + $1.count })
    entries.reserveCapacity(kept.count)
    for line in kept.reversed() { append(line) }
  }

  /// Adds a line as the newest one, and removes an earlier equal line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of lines.
  package mutating func add(_ line: String) {
    let new = Array(line.utf8)
    guard Self.mayHold(new[...]) else { return }
    if let index = newest(before: entries.count, where: { $0.elementsEqual(new) }) {
      entries[index].length = 0
      count -= 1
    }
    append(new[...])
  }

  /// All lines, the oldest first.
  package var lines: [String] { entries.indices.compactMap(line) }

  /// The position of the newest line before `end` that begins with `prefix`; `nil` if there is none.
  ///
  /// Ignoring case is for ASCII letters; a prefix with a capital letter is always matched exactly.
  package func newest(
    before end: Int? = nil, prefix: String, ignoresCase: Bool = false
  ) -> Int? {
    let wanted = Array(prefix.utf8)
    let positions = entries.indices.prefix(end ?? entries.count)
    return text(for: wanted, ignoresCase).withUnsafeBytes { bytes in
      positions.last { begins(entries[$0], in: bytes, with: wanted) }
    }
  }

  /// The oldest line after the position `start` that begins with `prefix`.
  package func oldest(after start: Int, prefix: String, ignoresCase: Bool = false) -> Int? {
    let wanted = Array(prefix.utf8)
    let positions = entries.indices.dropFirst(start + 1)
    return text(for: wanted, ignoresCase).withUnsafeBytes { bytes in
      positions.first { begins(entries[$0], in: bytes, with: wanted) }
    }
  }

  /// The bytes to search in.
  private func text(for wanted: [UInt8], _ ignoresCase: Bool) -> [UInt8] {
    ignoresCase && wanted.allSatisfy { Self.fold($0) == $0 } ? folded : bytes
  }

  private func begins(
    _ entry: Entry, in bytes: UnsafeRawBufferPointer, with wanted: [UInt8]
  ) -> Bool {
    guard entry.length > 0, entry.length >= wanted.count, let base = bytes.baseAddress else {
      return false
    }
    return memcmp(base + entry.start, wanted, wanted.count) == 0
  }

  /// The newest line before the position `end` that contains `text`, ignoring the case of ASCII.
  package func newest(before end: Int? = nil, holding text: String) -> Int? {
    let wanted = text.utf8.map(Self.fold)
    guard let first = wanted.first else { return nil }
    return folded.withUnsafeBytes { bytes in
      entries.indices.prefix(end ?? entries.count).last { index in
        let entry = entries[index]
        guard entry.length >= wanted.count, let base = bytes.baseAddress else { return false }
        var start = base + entry.start
        var room = entry.length - wanted.count + 1
        while room > 0, let hit = memchr(start, Int32(first), room) {
          if memcmp(hit, wanted, wanted.count) == 0 { return true }
          room -= UnsafeRawPointer(hit) - start + 1
          start = UnsafeRawPointer(hit) + 1
        }
        return false
      }
    }
  }

  /// The line at a position; `nil` if there is none, or if it was typed again later.
  package func line(_ index: Int) -> String? {
    guard entries.indices.contains(index), entries[index].length > 0 else { return nil }
    let entry = entries[index]
    return String(decoding: bytes[entry.start..<entry.start + entry.length], as: UTF8.self)
  }

  private func newest(
    before end: Int, where matches: (UnsafeRawBufferPointer) -> Bool
  ) -> Int? {
    bytes.withUnsafeBytes { bytes in
      entries.indices.prefix(end).last { index in
        let entry = entries[index]
        guard entry.length > 0 else { return false }
        return matches(
          UnsafeRawBufferPointer(rebasing: bytes[entry.start..<entry.start + entry.length]))
      }
    }
  }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    entries.append(Entry(start: bytes.count, length: line.count))
    bytes += line
    folded += line.lazy.map(Self.fold)
    count += 1
  }

  /// Whether bytes can be stored as a line: UTF-8 without control characters other than tabs.
  private static func mayHold(_ line: ArraySlice<UInt8>) -> Bool {
    guard !line.isEmpty, line.count <= lineLimit else { return false }
    var isASCII = true
    for byte in line {
      if byte < 0x20 && byte != 0x09 || byte == 0x7f { return false }
      if byte >= 0x80 { isASCII = false }
    }
    return isASCII || String(validating: line, as: UTF8.self) != nil
  }

  private static func fold(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}
