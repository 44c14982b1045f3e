internal import Diagnostics

/// Turns libyaml's marks, which count scalars, into bytes.
struct MarkOffsets {
  let isASCII: Bool
  private var index = 0
  private var offset = 0

  init(isASCII: Bool) { self.isASCII = isASCII }

  /// The byte of the scalar with an index.
  ///
  /// - Complexity: O(distance from the one asked for before); marks come in order.
  mutating func offset(of wanted: Int, in input: UnsafeBufferPointer<UInt8>) -> Int {
    if isASCII { return wanted }
    while index < wanted, offset < input.count {
      offset += 1
      while offset < input.count, UTF8Text.isContinuation(input[offset]) { offset += 1 }
      index += 1
    }
    while index > wanted, offset > 0 {
      offset -= 1
      while offset > 0, UTF8Text.isContinuation(input[offset]) { offset -= 1 }
      index -= 1
    }
    return offset
  }
}
