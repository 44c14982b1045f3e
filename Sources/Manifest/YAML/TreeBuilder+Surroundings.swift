internal import Support

// Content before and after the document.
extension TreeBuilder {
  /// The line of a `%TAG` directive before the document; `nil` if there is none.
  ///
  /// Searched before parsing, because libyaml compares every directive with all earlier ones.
  var tagDirective: Int? {
    for (number, line) in source.lines.enumerated() {
      let text = source.bytes[line]
      if text.starts(with: "%TAG".utf8) { return number + 1 }
      guard Self.isBlank(text) || text.first == UInt8(ascii: "%") else { return nil }
    }
    return nil
  }

  /// Reports content after the document: another document, or text that was meant for this one.
  mutating func refuseContent(after end: Int) {
    let line = source.position(ofByte: min(end, source.bytes.count)).line
    let lineEnd = source.lines[line - 1].upperBound
    let rest = [min(end, lineEnd)..<lineEnd] + source.lines[line...]
    let content = rest.first { line in
      let text = source.bytes[line]
      let isMarker = text.starts(with: "...".utf8) && Self.isBlank(text.dropFirst(3))
      return !Self.isBlank(text) && !isMarker
    }
    guard let byte = content?.lowerBound else { return }
    let place = source.position(ofByte: byte)
    if source.bytes[byte...].starts(with: "---".utf8) || source.character(at: byte) == "%" {
      fail(
        .severalDocuments, at: range(place),
        "a manifest is one document; move what follows to a file of its own")
    } else if let character = source.closing(at: byte) {
      fail(.syntax, at: range(place), "this '\(character)' closes nothing")
    } else if let root = entries.first, root.kind != .mapping {
      fail(
        .syntax, at: range(root.start, root.end),
        "a manifest is keys and their values in YAML; it begins with 'appcore: 1'")
    } else {
      fail(.syntax, at: range(place), "this comes after the end of the manifest")
    }
  }

  /// Whether there is nothing but white space and a comment.
  private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
    let first = line.first { $0 != 0x20 && $0 != 0x09 }
    return first == nil || first == UInt8(ascii: "#")
  }
}
