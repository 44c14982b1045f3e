internal import Glibc

/// Texts end to end, an end of line after each: no row has one, so nothing is found across two.
struct SearchColumn: Sendable {
  /// The rows, and a NUL byte at the very end, where the C library stops.
  private var text: [UInt8] = [0]
  private var starts: [UInt32] = []

  init(rows: Int) { starts.reserveCapacity(rows) }

  /// Adds a row; ``fold()`` is due after the last one.
  ///
  /// - Parameter row: without ends of line and NUL bytes.
  mutating func append(_ row: Bytes) {
    // The end of line before the first row is not needed, and harmless.
    text[text.count - 1] = .newline
    starts.append(UInt32(truncatingIfNeeded: text.count))
    text.append(contentsOf: row)
    text.append(0)
  }

  /// Folds the ASCII case of all rows: at once, because that is some ten times faster.
  mutating func fold() {
    text.withUnsafeMutableBufferPointer { text in
      for position in text.indices { text[position] = text[position].folded }
    }
  }

  /// The rows that have a text in them, ascending.
  ///
  /// The text is folded; an empty one is found nowhere.
  ///
  /// - Complexity: O(bytes of all rows).
  func rows(containing needle: [UInt8]) -> [Int32] {
    var found: [Int32] = []
    guard !needle.isEmpty, !needle.contains(0), !needle.contains(.newline) else { return found }
    let needle = needle.map { CChar(bitPattern: $0) } + [0]
    text.withUnsafeBytes { text in
      guard let base = text.assumingMemoryBound(to: CChar.self).baseAddress else { return }
      var position = 0
      var row = 0
      while let hit = strstr(base + position, needle) {
        let offset = base.distance(to: UnsafePointer(hit))
        while row + 1 < starts.count, starts[row + 1] <= offset { row += 1 }
        found.append(Int32(truncatingIfNeeded: row))
        guard row + 1 < starts.count else { return }
        position = Int(starts[row + 1])
      }
    }
    return found
  }
}
