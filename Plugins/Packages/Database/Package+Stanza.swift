extension Package {
  /// Calls `body` with all bytes of the file and the range of a field's value in them.
  ///
  /// The value extends from the end of the colon to the end of the last continuation line. The
  /// name's ASCII case is ignored.
  ///
  /// - Returns: the result of `body`; `nil` if the stanza has no such field.
  /// - Complexity: O(*n*), where *n* is the size of the stanza in bytes.
  func withValue<Result>(of name: String, _ body: (Bytes, Range<Int>) -> Result) -> Result? {
    database.bytes.withUnsafeBufferPointer { bytes in
      value(of: name, in: bytes).map { body(bytes, $0) }
    }
  }

  private func value(of name: String, in bytes: Bytes) -> Range<Int>? {
    let stanza = record.range
    var position = stanza.lowerBound
    while position < stanza.upperBound {
      let lineEnd = bytes.firstPosition(of: .newline, in: position..<stanza.upperBound)
      let colon = bytes.firstPosition(of: .colon, in: position..<lineEnd)
      let isField = bytes[position] != 0x20 && bytes[position] != 0x09
      if isField, bytes.isFolded(bytes.trimmed(position..<colon), equalTo: name) {
        return colon + 1..<valueEnd(from: lineEnd, to: stanza.upperBound, in: bytes)
      }
      position = lineEnd + 1
    }
    return nil
  }

  /// The end of a value whose first line ends at `lineEnd`.
  private func valueEnd(from lineEnd: Int, to stanzaEnd: Int, in bytes: Bytes) -> Int {
    var end = lineEnd
    while end + 1 < stanzaEnd, bytes[end + 1] == 0x20 || bytes[end + 1] == 0x09 {
      end = bytes.firstPosition(of: .newline, in: end + 1..<stanzaEnd)
    }
    return end
  }
}
