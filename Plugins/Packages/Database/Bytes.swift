internal import Glibc

/// Borrowed bytes of a status file.
///
/// The file is kept as one array and never copied into strings; every range in this folder is an
/// offset into it, counted from 0 in bytes.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UInt8 {
  static let newline = UInt8(ascii: "\n")
  static let colon = UInt8(ascii: ":")

  /// Whether this is ASCII whitespace: a space, a tab, or a line terminator.
  var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

  /// Whether this is an ASCII digit.
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether this is an ASCII letter.
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  /// Whether names of packages and architectures may contain this byte.
  var isNamePart: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "+")
      || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
  }

  /// This byte, with an ASCII uppercase letter lowercased.
  var folded: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The bytes of a range, as a buffer whose indices start at 0.
  func slice(_ range: Range<Int>) -> Bytes { Bytes(rebasing: self[range]) }

  /// The position of the first `byte` in a range, or the range's end.
  func firstPosition(of byte: UInt8, in range: Range<Int>) -> Int {
    guard let base = baseAddress, !range.isEmpty else { return range.upperBound }
    let start = UnsafeRawPointer(base) + range.lowerBound
    guard let hit = memchr(start, Int32(byte), range.count) else { return range.upperBound }
    return range.lowerBound + (UnsafeRawPointer(hit) - start)
  }

  /// A range without leading and trailing whitespace.
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var low = range.lowerBound
    var high = range.upperBound
    while low < high, self[low].isBlank { low += 1 }
    while high > low, self[high - 1].isBlank { high -= 1 }
    return low..<high
  }

  /// The first line of a field's value, trimmed.
  func firstLine(_ value: Range<Int>) -> Range<Int> {
    trimmed(value.lowerBound..<firstPosition(of: .newline, in: value))
  }

  /// The text of a range; invalid UTF-8 is replaced by U+FFFD.
  func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }

  /// Whether a range equals `name`, ignoring ASCII case.
  func isFolded(_ range: Range<Int>, equalTo name: String) -> Bool {
    guard range.count == name.utf8.count else { return false }
    var position = range.lowerBound
    for byte in name.utf8 {
      guard self[position].folded == byte.folded else { return false }
      position += 1
    }
    return true
  }

  /// Whether dpkg accepts this as a package name: letters, digits and `-+._`, beginning with a
  /// letter or a digit.
  var isPackageName: Bool {
    guard let first, first.isLetter || first.isDigit else { return false }
    return allSatisfy(\.isNamePart)
  }

  /// Whether these bytes precede others in bytewise order, in which a prefix comes first.
  func isBefore(_ other: Bytes) -> Bool {
    let shared = Swift.min(count, other.count)
    if shared > 0, let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, shared)
      if order != 0 { return order < 0 }
    }
    return count < other.count
  }
}
