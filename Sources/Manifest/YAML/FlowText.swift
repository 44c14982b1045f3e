package import Support

/// A part of a manifest on one line, as a value in braces or brackets, however it is written.
package enum FlowText {
  /// The text of a range that holds one value, without comments; `nil` if the part can't be read
  /// alone, because it refers to an anchor elsewhere.
  package static func of(_ range: SourceRange, in source: SourceFile) -> String? {
    let (start, end) = (source.byte(at: range.start), source.byte(at: range.end))
    guard start < end, end <= source.bytes.count else { return nil }
    // The first line is indented like the others.
    let indent = [UInt8](repeating: UInt8(ascii: " "), count: range.start.column - 1)
    let part = SourceFile(path: source.path, bytes: indent + source.bytes[start..<end])
    var builder = TreeBuilder(source: part, file: 0, limits: ManifestLimits())
    guard let tree = builder.build(), builder.problems.isEmpty else { return nil }
    return text(0, of: tree, in: part)
  }

  private static func text(_ index: Int, of tree: Tree, in source: SourceFile) -> String {
    switch tree.entries[index].kind {
    case .mapping:
      let pairs = tree.pairs(of: index).map { key, value in
        "\(text(key, of: tree, in: source)): \(text(value, of: tree, in: source))"
      }
      return pairs.isEmpty ? "{}" : "{ \(pairs.joined(separator: ", ")) }"
    case .sequence:
      let elements = tree.elements(of: index).map { text($0, of: tree, in: source) }
      return "[\(elements.joined(separator: ", "))]"
    case .scalar: return scalar(index, of: tree, in: source)
    case .alias, .invalid: return ""
    }
  }

  private static func scalar(_ index: Int, of tree: Tree, in source: SourceFile) -> String {
    let entry = tree.entries[index]
    let string = tree.string(index)
    if entry.isPlain {
      let isSafe = !string.contains { ",[]{}".contains($0) || $0.isNewline }
      return isSafe ? string : JSONTree.quote(string)
    }
    let (start, end) = (source.byte(at: entry.start), source.byte(at: entry.end))
    let isQuoted =
      start < end && [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(source.bytes[start])
    guard isQuoted, entry.start.line == entry.end.line else { return JSONTree.quote(string) }
    return String(decoding: source.bytes[start..<end], as: UTF8.self)
  }
}
