/// Debian's order of versions, deb-version(7): `[epoch:]upstream[-revision]`.
///
/// Versions are kept as text; this type only compares two of them. Invalid versions are compared
/// by the same rules, so that a malformed field never makes a comparison fail.
enum DebianVersion {
  /// Says whether `left` is older than (-1), equal to (0) or newer than (1) `right`.
  ///
  /// - Complexity: O(*n*), where *n* is the total length of both.
  static func compare(_ left: String, _ right: String) -> Int {
    var left = left
    var right = right
    return left.withUTF8 { left in right.withUTF8 { right in compare(left, right) } }
  }

  /// Says whether `left` is older than (-1), equal to (0) or newer than (1) `right`.
  static func compare(_ left: Bytes, _ right: Bytes) -> Int {
    let (left, right) = (Parts(left), Parts(right))
    let epochs = comparePart(left.epoch, right.epoch)
    if epochs != 0 { return epochs }
    let upstreams = comparePart(left.upstream, right.upstream)
    return upstreams != 0 ? upstreams : comparePart(left.revision, right.revision)
  }

  private struct Parts {
    let epoch: Bytes
    let upstream: Bytes
    let revision: Bytes

    init(_ version: Bytes) {
      var range = version.trimmed(0..<version.count)
      let colon = version.firstPosition(of: .colon, in: range)
      if colon < range.upperBound, version[range.lowerBound..<colon].allSatisfy(\.isDigit) {
        epoch = version.slice(range.lowerBound..<colon)
        range = colon + 1..<range.upperBound
      } else {
        epoch = Bytes(start: nil, count: 0)
      }
      if let dash = version[range].lastIndex(of: UInt8(ascii: "-")) {
        upstream = version.slice(range.lowerBound..<dash)
        revision = version.slice(dash + 1..<range.upperBound)
      } else {
        upstream = version.slice(range)
        revision = Bytes(start: nil, count: 0)
      }
    }
  }

  /// Compares runs of non-digits by rank, and runs of digits as numbers of any length, in turn.
  private static func comparePart(_ left: Bytes, _ right: Bytes) -> Int {
    var i = 0
    var j = 0
    while i < left.count || j < right.count {
      while (i < left.count && !left[i].isDigit) || (j < right.count && !right[j].isDigit) {
        let difference = rank(left, i) - rank(right, j)
        if difference != 0 { return difference.signum() }
        i += 1
        j += 1
      }
      while i < left.count, left[i] == UInt8(ascii: "0") { i += 1 }
      while j < right.count, right[j] == UInt8(ascii: "0") { j += 1 }
      var firstDifference = 0
      while i < left.count, left[i].isDigit, j < right.count, right[j].isDigit {
        if firstDifference == 0 { firstDifference = Int(left[i]) - Int(right[j]) }
        i += 1
        j += 1
      }
      if i < left.count, left[i].isDigit { return 1 }
      if j < right.count, right[j].isDigit { return -1 }
      if firstDifference != 0 { return firstDifference.signum() }
    }
    return 0
  }

  /// The rank of a byte: `~` sorts before the end, the end before letters, letters before others.
  private static func rank(_ bytes: Bytes, _ position: Int) -> Int {
    guard position < bytes.count, !bytes[position].isDigit else { return 0 }
    let byte = bytes[position]
    if byte == UInt8(ascii: "~") { return -1 }
    return byte.isLetter ? Int(byte) : Int(byte) + 256
  }
}
