internal import Support

/// Converts libyaml's marks, which count Unicode scalars, to byte offsets.
struct MarkOffsets {
  let isASCII: Bool
  private var index = 0
  private var offset = 0

  init(isASCII: Bool) { self.isASCII = isASCII }

  /// The byte offset of the scalar with an index.
  ///
  /// - Complexity: O(*d*), where *d* is the distance to the previous index; marks come in order.
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
