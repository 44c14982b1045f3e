internal import Support

/// Finds content before and after the document of a file.
enum Preamble {
  /// The place of a `%TAG` directive before the document; `nil` if there is none.
  ///
  /// Searched before parsing, because libyaml compares every directive with all earlier ones.
  static func tagDirective(in source: SourceFile) -> SourcePosition? {
    var lines = LineIterator(bytes: source.bytes)
    var number = 0
    while let line = lines.next() {
      number += 1
      let text = source.bytes[line]
      if text.starts(with: "%TAG".utf8) { return SourcePosition(line: number, column: 1) }
      guard isBlank(text) || text.first == UInt8(ascii: "%") else { return nil }
    }
    return nil
  }

  /// The place of the first line after a document that is not blank, a comment or `...`.
  static func content(after offset: Int, in source: SourceFile) -> SourcePosition? {
    var lines = LineIterator(bytes: source.bytes, from: min(offset, source.bytes.count))
    while let line = lines.next() {
      let text = source.bytes[line]
      if isBlank(text) || isMarker(text) { continue }
      return source.position(ofByte: line.lowerBound)
    }
    return nil
  }

  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    let first = line.first { $0 != 0x20 && $0 != 0x09 }
    return first == nil || first == UInt8(ascii: "#")
  }

  private static func isMarker(_ line: ArraySlice<UInt8>) -> Bool {
    line.starts(with: "...".utf8) && isBlank(line.dropFirst(3))
  }
}
