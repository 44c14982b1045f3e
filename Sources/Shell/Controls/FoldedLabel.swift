/// A label to be compared with many, ignoring case and the spaces around it.
struct FoldedLabel {
  private let folded: String
  /// The same in bytes, where it is plain ASCII.
  private let ascii: [UInt8]?

  init(_ label: String) {
    folded = ControlIndex.folded(label)
    let bytes = Array(folded.utf8)
    ascii = bytes.allSatisfy { $0 < 0x80 } ? bytes : nil
  }

  func matches(_ label: String) -> Bool {
    if let ascii, let isEqual = Self.compare(label, ascii) { return isEqual }
    return ControlIndex.folded(label) == folded
  }

  /// Whether the label is these bytes but for case; `nil` if that takes a closer look: letters
  /// beyond ASCII may become ASCII, as the Kelvin sign does, and spaces at the ends don't count.
  private static func compare(_ label: String, _ wanted: [UInt8]) -> Bool? {
    var position = 0
    var isEqual = true
    var previous: UInt8 = 0x20
    for byte in label.utf8 {
      let isSpace = byte == 0x20 || byte == 0x09
      if byte >= 0x80 || isSpace && position == 0 { return nil }
      let lower = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
      if isEqual { isEqual = position < wanted.count && lower == wanted[position] }
      position += 1
      previous = byte
    }
    if position > 0, previous == 0x20 || previous == 0x09 { return nil }
    return isEqual && position == wanted.count
  }
}
