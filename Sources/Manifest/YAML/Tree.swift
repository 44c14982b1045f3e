internal import Support

/// A YAML document built from libyaml's events: all values with their places, in one array.
///
/// Values are in document order, a collection before its elements, a key before its value. An alias
/// refers to the value of its anchor, so that nothing is copied.
final class Tree: Sendable {
  /// The index of the file in the source map.
  let file: Int
  /// The values; the first is the root.
  let entries: [Entry]
  /// The comments that cut texts off, by the index of the scalar.
  let cuts: [Int: CutText]

  private let text: [UInt8]

  init(file: Int, entries: [Entry], bytes: [UInt8], cuts: [Int: CutText]) {
    self.file = file
    self.entries = entries
    self.cuts = cuts
    text = bytes
  }

  /// The index of a value; for an alias, that of its target.
  func resolve(_ index: Int) -> Int {
    entries[index].kind == .alias ? entries[index].offset : index
  }

  /// The text of a scalar as bytes.
  func bytes(_ index: Int) -> ArraySlice<UInt8> {
    let entry = entries[index]
    return text[entry.offset..<entry.offset + entry.length]
  }

  /// The text of a scalar.
  func string(_ index: Int) -> String { String(decoding: bytes(index), as: UTF8.self) }

  func range(_ index: Int) -> SourceRange {
    let entry = entries[index]
    return SourceRange(file: file, start: entry.start, end: entry.end)
  }

  func elements(of index: Int) -> Elements {
    Elements(tree: self, cursor: index + 1, end: entries[index].next)
  }

  /// The keys and values of a mapping, without keys that are already reported.
  func pairs(of index: Int) -> Pairs {
    Pairs(tree: self, cursor: index + 1, end: entries[index].next)
  }

  /// The keys of a mapping, also those that are already reported; aliases are not resolved.
  func keys(of index: Int) -> [Int] {
    var keys: [Int] = []
    var key = index + 1
    while key < entries[index].next {
      keys.append(key)
      key = entries[entries[key].next].next
    }
    return keys
  }

  /// The texts of a mapping's keys that are already reported.
  func refusedKeys(of index: Int) -> [String] {
    keys(of: index).filter { entries[$0].isRefusedKey && entries[resolve($0)].kind == .scalar }
      .map { string(resolve($0)) }
  }

  /// Whether a mapping has a key that is already reported.
  func hasRefusedKey(_ index: Int) -> Bool { refusesKey(of: index, besides: []) }

  /// Whether a mapping has a key that is already reported, and is none of some keywords.
  func refusesKey(of index: Int, besides keywords: [Keyword]) -> Bool {
    keys(of: index).contains { key in
      guard entries[key].isRefusedKey else { return false }
      guard !keywords.isEmpty, entries[resolve(key)].kind == .scalar else { return true }
      return Keyword(bytes(resolve(key))).map { !keywords.contains($0) } ?? true
    }
  }

  /// The place of a part of a scalar, given as a range of bytes of its text.
  ///
  /// For a text with escapes or line breaks this is the place of the whole scalar.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes between this part and the cursor.
  func range(_ index: Int, bytes part: Range<Int>, _ cursor: inout ScalarCursor) -> SourceRange {
    let entry = entries[index]
    guard entry.isVerbatim else { return range(index) }
    if cursor.index != index { cursor = ScalarCursor(index: index) }
    let text = bytes(index)
    let end = cursor.column(of: part.upperBound, in: text)
    let start = cursor.column(of: part.lowerBound, in: text)
    let column = entry.start.column + (entry.isPlain ? 0 : 1)
    let line = entry.start.line
    return SourceRange(
      file: file, start: SourcePosition(line: line, column: column + start),
      end: SourcePosition(line: line, column: column + end))
  }
}

/// A position in the text of a scalar, from which columns are counted.
struct ScalarCursor {
  /// The index of the scalar; -1 for none.
  let index: Int
  private var byte = 0
  private var column = 0

  init(index: Int = -1) { self.index = index }

  /// The number of Unicode scalars before a byte.
  mutating func column(of wanted: Int, in text: ArraySlice<UInt8>) -> Int {
    while byte < min(wanted, text.count) {
      if !UTF8Text.isContinuation(text[text.startIndex + byte]) { column += 1 }
      byte += 1
    }
    while byte > wanted {
      byte -= 1
      if !UTF8Text.isContinuation(text[text.startIndex + byte]) { column -= 1 }
    }
    return column
  }
}

extension Tree {
  /// One value of the document.
  struct Entry {
    enum Kind: UInt8 {
      case scalar, sequence, mapping, alias
      /// A value that is already reported and is skipped.
      case invalid
    }

    let start: SourcePosition
    var end: SourcePosition
    /// The start of a scalar's text, in bytes; the target of an alias.
    var offset = 0
    /// The number of bytes of a scalar, or of elements or pairs of a collection.
    var length = 0
    /// The index after the value and all its descendants.
    var next = 0
    var kind: Kind
    /// Whether a scalar has no quotes and is not a block.
    var isPlain = false
    /// Whether a scalar's text is identical to its source, on one line.
    var isVerbatim = false
    /// Whether this is a key that is already reported.
    var isRefusedKey = false
  }

  struct Elements: Sequence, IteratorProtocol {
    let tree: Tree
    var cursor: Int
    let end: Int

    /// The index of the next element; an alias is resolved.
    mutating func next() -> Int? {
      guard cursor < end else { return nil }
      defer { cursor = tree.entries[cursor].next }
      return tree.resolve(cursor)
    }
  }

  struct Pairs: Sequence, IteratorProtocol {
    let tree: Tree
    var cursor: Int
    let end: Int

    /// The indexes of the next key and value; aliases are resolved.
    mutating func next() -> (key: Int, value: Int)? {
      while cursor < end {
        let key = cursor
        let value = tree.entries[key].next
        cursor = tree.entries[value].next
        if !tree.entries[key].isRefusedKey { return (tree.resolve(key), tree.resolve(value)) }
      }
      return nil
    }
  }
}

/// Counts the values that aliases expand to, without expanding them.
struct AliasSizes {
  /// The indexes of the aliases in the tree's entries, in order.
  private var positions: [Int] = []
  /// The prefix sums: the number of values that each alias and all earlier ones expand to.
  private var sums: [Int] = []

  /// The number of aliases.
  var count: Int { positions.count }

  /// The number of values that all aliases expand to, nested aliases included.
  var total: Int { sums.last ?? 0 }

  /// Adds an alias whose target is a value, given as the range of its entries.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of aliases.
  mutating func add(at position: Int, target: Range<Int>) {
    let first = index(of: target.lowerBound)
    let last = index(of: target.upperBound)
    let nested = sum(before: last) - sum(before: first)
    positions.append(position)
    sums.append(total.addingClamped(target.count.addingClamped(nested)))
  }

  private func sum(before index: Int) -> Int { index == 0 ? 0 : sums[index - 1] }

  /// The number of aliases before an entry.
  private func index(of entry: Int) -> Int {
    var low = 0
    var high = positions.count
    while low < high {
      let middle = (low + high) / 2
      if positions[middle] < entry { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension Int {
  /// The sum; `Int.max` on overflow.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? .max : sum
  }
}
