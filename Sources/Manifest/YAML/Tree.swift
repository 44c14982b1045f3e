internal import AppCore
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

  private let source: SourceFile
  /// The bytes of the source, and after them the texts that are not in it as they are.
  private let text: [UInt8]

  init(
    source: SourceFile, file: Int, entries: [Entry], bytes: [UInt8], cuts: [Int: CutText]
  ) {
    self.source = source
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

  /// The elements of a sequence; aliases are resolved.
  func elements(of index: Int) -> [Int] {
    var elements: [Int] = []
    var element = index + 1
    while element < entries[index].next {
      elements.append(resolve(element))
      element = entries[element].next
    }
    return elements
  }

  /// The keys and values of a mapping, without keys that are already reported; aliases are resolved.
  func pairs(of index: Int) -> [(key: Int, value: Int)] {
    keys(of: index).compactMap { key in
      entries[key].isRefusedKey
        ? nil : (key: resolve(key), value: resolve(entries[key].next))
    }
  }

  /// The keys of a mapping, also those that are already reported; aliases are not resolved.
  func keys(of index: Int) -> [Int] {
    var keys: [Int] = []
    keys.reserveCapacity(entries[index].length)
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

  /// Whether a mapping has a key that is already reported, and is none of some keywords.
  func hasRefusedKey(_ index: Int, besides keywords: [Keyword] = []) -> Bool {
    keys(of: index).contains { key in
      guard entries[key].isRefusedKey else { return false }
      guard !keywords.isEmpty, entries[resolve(key)].kind == .scalar else { return true }
      return Keyword(bytes(resolve(key))).map { !keywords.contains($0) } ?? true
    }
  }

  /// The place of a part of a scalar, given as a range of bytes of its text.
  ///
  /// For a text with escapes or line breaks this is the place of the whole scalar.
  func range(_ index: Int, bytes part: Range<Int>) -> SourceRange {
    let entry = entries[index]
    guard entry.isVerbatim else { return range(index) }
    return SourceRange(
      file: file, start: source.position(ofByte: entry.offset + part.lowerBound),
      end: source.position(ofByte: entry.offset + part.upperBound))
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
}

/// YAML 1.2's core schema: the types of plain scalars.
enum CoreSchema {
  static func isNull(_ text: String) -> Bool {
    switch text {
    case "", "~", "null", "Null", "NULL": true
    default: false
    }
  }

  static func resolve(_ text: String) -> Value {
    if isNull(text) { return .null }
    switch text {
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    guard let first = text.utf8.first, first < 0x3A else { return .string(text) }
    return number(text) ?? .string(text)
  }

  /// The meaning in YAML 1.1 of `yes`, `no`, `on`, `off`, `y` and `n`; `nil` for other words.
  static func oldBoolean(_ text: String) -> Bool? {
    switch text {
    case "yes", "Yes", "YES", "on", "On", "ON", "y", "Y": true
    case "no", "No", "NO", "off", "Off", "OFF", "n", "N": false
    default: nil
    }
  }

  private static func number(_ text: String) -> Value? {
    switch text {
    case ".nan", ".NaN", ".NAN": return .double(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
    default: break
    }
    if text.hasPrefix("0x") { return unsigned(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0o") { return unsigned(text.dropFirst(2), radix: 8) }
    // So that no word of Swift's is a number, such as `-inf`.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else {
      return nil
    }
    // An integer beyond Int is still a number.
    return Int(text).map { .int($0) } ?? Double(text).map { .double($0) }
  }

  private static func unsigned(_ digits: Substring, radix: Int) -> Value? {
    guard digits.utf8.first.map({ $0 != 0x2B && $0 != 0x2D }) ?? false else { return nil }
    return Int(digits, radix: radix).map { .int($0) }
  }
}
