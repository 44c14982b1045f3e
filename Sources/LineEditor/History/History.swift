internal import Glibc
internal import Support

/// The lines that were typed, without duplicates, the newest last.
///
/// All lines are in one block of bytes, so that searching 100,000 of them takes a few milliseconds.
package struct History: Sendable {
  private var bytes: [UInt8] = []
  /// `bytes` with ASCII letters in lower case.
  private var folded: [UInt8] = []
  /// The range of each line in `bytes`; empty if the line was typed again later.
  private var ranges: [Range<Int>] = []
  /// The number of lines.
  package private(set) var count = 0

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
    ranges.reserveCapacity(kept.count)
    for line in kept.reversed() { append(line) }
  }

  /// Adds a line as the newest one, and removes an earlier equal line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of lines.
  package mutating func add(_ line: String) {
    let new = Array(line.utf8)
    guard Self.mayHold(new[...]) else { return }
    if let index = ranges.indices.last(where: { bytes[ranges[$0]].elementsEqual(new) }) {
      ranges[index] = 0..<0
      count -= 1
    }
    append(new[...])
  }

  /// All lines, the oldest first.
  package var lines: [String] { ranges.indices.compactMap(line) }

  /// The position of the newest line before `end` that begins with `prefix`; `nil` if there is none.
  ///
  /// Ignoring case is for ASCII letters; a prefix with a capital letter is always matched exactly.
  package func newest(
    before end: Int? = nil, prefix: String, ignoresCase: Bool = false
  ) -> Int? {
    let begins = matching(prefix, ignoresCase)
    return ranges.indices.prefix(end ?? ranges.count).last(where: begins)
  }

  /// The oldest line after the position `start` that begins with `prefix`.
  package func oldest(after start: Int, prefix: String, ignoresCase: Bool = false) -> Int? {
    ranges.indices.dropFirst(start + 1).first(where: matching(prefix, ignoresCase))
  }

  /// Whether the line at a position begins with `prefix`.
  private func matching(_ prefix: String, _ ignoresCase: Bool) -> (Int) -> Bool {
    let wanted = Array(prefix.utf8)
    let text = ignoresCase && wanted.allSatisfy { Self.fold($0) == $0 } ? folded : bytes
    return { index in
      let range = ranges[index]
      guard !range.isEmpty, range.count >= wanted.count else { return false }
      return text.withUnsafeBytes { bytes in
        bytes.baseAddress.map { memcmp($0 + range.lowerBound, wanted, wanted.count) == 0 } ?? false
      }
    }
  }

  /// The newest line before the position `end` that contains `text`, ignoring the case of ASCII.
  package func newest(before end: Int? = nil, holding text: String) -> Int? {
    let wanted = text.utf8.map(Self.fold)
    return ranges.indices.prefix(end ?? ranges.count).last { index in
      let range = ranges[index]
      return UTF8Text.range(
        of: wanted, in: folded, from: range.lowerBound, to: range.upperBound) != nil
    }
  }

  /// The line at a position; `nil` if there is none, or if it was typed again later.
  package func line(_ index: Int) -> String? {
    guard ranges.indices.contains(index), !ranges[index].isEmpty else { return nil }
    return String(decoding: bytes[ranges[index]], as: UTF8.self)
  }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    ranges.append(bytes.count..<bytes.count + line.count)
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
