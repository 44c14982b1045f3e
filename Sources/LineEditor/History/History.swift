internal import Support

/// The lines that were typed, without duplicates, the newest last.
package struct History: Sendable {
  /// The lines by position; empty where one was typed again later.
  private var entries: [String] = []
  /// The maximum length of a line, in bytes; longer ones are not stored.
  package static let lineLimit = 16 << 10

  package init() {}

  /// Creates a history from lines, the oldest first; of equal lines only the newest is kept.
  package init(_ lines: [ArraySlice<UInt8>]) {
    var seen: Set<ArraySlice<UInt8>> = []
    for line in lines.reversed() where Self.mayHold(line) && seen.insert(line).inserted {
      entries.append(String(decoding: line, as: UTF8.self))
    }
    entries.reverse()
  }

  /// Adds a line as the newest one, and removes an earlier equal line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of lines.
  package mutating func add(_ line: String) {
    guard Self.mayHold(Array(line.utf8)[...]) else { return }
    // By bytes: an equal line may be written with other scalars.
    if let index = entries.lastIndex(where: { $0.utf8.elementsEqual(line.utf8) }) {
      entries[index] = ""
    }
    entries.append(line)
  }

  /// All lines, the oldest first.
  package var lines: [String] { entries.filter { !$0.isEmpty } }

  /// The position of the newest line before `end` that begins with `prefix`; `nil` if there is none.
  ///
  /// Ignoring case is for ASCII letters; a prefix with a capital letter is always matched exactly.
  package func newest(
    before end: Int? = nil, prefix: String, ignoresCase: Bool = false
  ) -> Int? {
    entries.prefix(end ?? entries.count).lastIndex(where: Self.matching(prefix, ignoresCase))
  }

  /// The oldest line after the position `start` that begins with `prefix`.
  package func oldest(after start: Int, prefix: String, ignoresCase: Bool = false) -> Int? {
    entries.dropFirst(start + 1).firstIndex(where: Self.matching(prefix, ignoresCase))
  }

  private static func matching(_ prefix: String, _ ignoresCase: Bool) -> (String) -> Bool {
    let wanted = Array(prefix.utf8)
    let folds = ignoresCase && wanted.allSatisfy { fold($0) == $0 }
    return { line in
      !line.isEmpty && line.utf8.starts(with: wanted) { (folds ? fold($0) : $0) == $1 }
    }
  }

  /// The newest line before the position `end` that contains `text`, ignoring the case of ASCII.
  package func newest(before end: Int? = nil, holding text: String) -> Int? {
    let wanted = text.utf8.map(Self.fold)
    return entries.prefix(end ?? entries.count).lastIndex {
      UTF8Text.range(of: wanted, in: $0.utf8.map(Self.fold)) != nil
    }
  }

  /// The line at a position; `nil` if there is none, or if it was typed again later.
  package func line(_ index: Int) -> String? {
    entries.indices.contains(index) && !entries[index].isEmpty ? entries[index] : nil
  }

  /// Whether bytes can be stored as a line: UTF-8 without control characters other than tabs.
  private static func mayHold(_ line: ArraySlice<UInt8>) -> Bool {
    !line.isEmpty && line.count <= lineLimit
      && line.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
      && String(validating: line, as: UTF8.self) != nil
  }

  private static func fold(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}
