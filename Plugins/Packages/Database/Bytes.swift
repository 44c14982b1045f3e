internal import Glibc

/// A borrowed run of bytes of a status file.
///
/// The file is kept as one array and never copied into strings; every range in this folder is an
/// offset into it, counted from 0 in bytes.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension UInt8 {
  static let newline = UInt8(ascii: "\n")
  static let colon = UInt8(ascii: ":")

  /// Whether this is a space, a tab, or an end of line.
  var isBlank: Bool { self == 0x20 || (self >= 0x09 && self <= 0x0D) }

  /// Whether this is an ASCII digit.
  var isDigit: Bool { self >= 0x30 && self <= 0x39 }

  /// Whether this is an ASCII letter.
  var isLetter: Bool { (self | 0x20) >= 0x61 && (self | 0x20) <= 0x7A }

  /// Whether names of packages and architectures may have this byte in them.
  var isNamePart: Bool {
    isLetter || isDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "+")
      || self == UInt8(ascii: ".") || self == UInt8(ascii: "_")
  }

  /// This byte with an ASCII capital made small; all others stay.
  var folded: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// The bytes of a range, counted from their own 0.
  func slice(_ range: Range<Int>) -> Bytes { Bytes(rebasing: self[range]) }

  /// The position of the first `byte` in a range, or the range's end.
  func firstPosition(of byte: UInt8, in range: Range<Int>) -> Int {
    guard let base = baseAddress, !range.isEmpty else { return range.upperBound }
    let start = UnsafeRawPointer(base) + range.lowerBound
    guard let hit = memchr(start, Int32(byte), range.count) else { return range.upperBound }
    return range.lowerBound + (UnsafeRawPointer(hit) - start)
  }

  /// A range without the blanks at its two ends.
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

  /// The text of a range, with what is not UTF-8 replaced by U+FFFD.
  func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }

  /// Whether a range reads as `name`, ASCII case aside.
  func isFolded(_ range: Range<Int>, equalTo name: String) -> Bool {
    guard range.count == name.utf8.count else { return false }
    var position = range.lowerBound
    for byte in name.utf8 {
      guard self[position].folded == byte.folded else { return false }
      position += 1
    }
    return true
  }

  /// Whether this is a name as dpkg takes it: letters, digits and `-+._`, the first one of the
  /// former two.
  var isPackageName: Bool {
    guard let first, first.isLetter || first.isDigit else { return false }
    return allSatisfy(\.isNamePart)
  }

  /// Orders two runs bytewise, a beginning before what it begins.
  func isBefore(_ other: Bytes) -> Bool {
    let shared = Swift.min(count, other.count)
    if shared > 0, let left = baseAddress, let right = other.baseAddress {
      let order = memcmp(left, right, shared)
      if order != 0 { return order < 0 }
    }
    return count < other.count
  }
}
