internal import Support

/// Parses the references in a scalar's text: `$` has a meaning at the start, and after `{`.
struct TemplateParser {
  /// A reference as written, with its range of bytes in the text.
  struct WrittenReference {
    let text: String
    let part: Range<Int>
    /// Whether it is `$` or begins with `$.`; otherwise it is `$dir`, `$data` or `$vars.name`.
    let isPayload: Bool
    let names: [(name: String, part: Range<Int>)]
  }

  /// A part of the text; a range of bytes is that of the insertion with its braces.
  enum Piece {
    case text(String)
    /// A reference, which is the whole text if it has no range.
    case reference(WrittenReference, Range<Int>?)
    case bad(String, nearest: Suggestion?, Range<Int>)
    case unclosed(String, Range<Int>)
  }

  private let bytes: [UInt8]
  private static let dollar = UInt8(ascii: "$")
  private static let open = UInt8(ascii: "{")
  private static let close = UInt8(ascii: "}")

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func parse() -> [Piece] {
    if bytes.first == Self.dollar, !isDollar(1) {
      let all = 0..<bytes.count
      if let reference = reference(all) { return [.reference(reference, nil)] }
      return [.bad(string(all), nearest: reading(all), all)]
    }
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var offset = 0
    func endText() {
      if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
      text = []
    }
    if bytes.first == Self.dollar {
      text.append(Self.dollar)
      offset = 2
    }
    while offset < bytes.count {
      guard bytes[offset] == Self.open, isDollar(offset + 1) else {
        text.append(bytes[offset])
        offset += 1
        continue
      }
      if isDollar(offset + 2) {
        text += [Self.open, Self.dollar]
        offset += 3
        continue
      }
      endText()
      let end = insertionEnd(from: offset + 1)
      pieces.append(insertion(from: offset, to: end))
      offset = end
    }
    endText()
    return pieces
  }

  private func isDollar(_ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == Self.dollar
  }

  private func string(_ part: Range<Int>) -> String {
    String(decoding: bytes[part], as: UTF8.self)
  }

  /// The offset after the `}`; without one, that of the next `{` or the end of the text.
  private func insertionEnd(from start: Int) -> Int {
    var end = start
    while end < bytes.count {
      if bytes[end] == Self.close { return end + 1 }
      if bytes[end] == Self.open { return end }
      end += 1
    }
    return end
  }

  private func insertion(from start: Int, to end: Int) -> Piece {
    guard end - 1 > start, bytes[end - 1] == Self.close else {
      return .unclosed(string(start..<end), start..<end)
    }
    let inner = start + 1..<end - 1
    if let reference = reference(inner) { return .reference(reference, start..<end) }
    return .bad(string(inner), nearest: reading(inner), inner)
  }

  /// The reference that a part spells; `nil` if it is not a reference.
  private func reference(_ part: Range<Int>) -> WrittenReference? {
    guard let names = names(part.dropFirst()) else { return nil }
    let isPayload = names.isEmpty || bytes[part.lowerBound + 1] == UInt8(ascii: ".")
    if !isPayload {
      switch names[0].name {
      case "dir", "data": guard names.count == 1 else { return nil }
      case "vars": guard names.count == 2 else { return nil }
      default: return nil
      }
    }
    return WrittenReference(text: string(part), part: part, isPayload: isPayload, names: names)
  }

  /// The names between dots, with or without a leading dot; `nil` if one is not a valid name.
  private func names(_ part: Range<Int>) -> [(name: String, part: Range<Int>)]? {
    guard !part.isEmpty else { return [] }
    var names: [(name: String, part: Range<Int>)] = []
    var start = part.lowerBound
    if bytes[start] == UInt8(ascii: ".") { start += 1 }
    for offset in start...part.upperBound
    where offset == part.upperBound || bytes[offset] == UInt8(ascii: ".") {
      guard Grammar.isVariableName(bytes[start..<offset]) else { return nil }
      names.append((string(start..<offset), start..<offset))
      start = offset + 1
    }
    return names
  }

  /// The nearest reading as a suggestion, which is certain if it only adds braces.
  private func reading(_ part: Range<Int>) -> Suggestion? {
    nearestReading(part).map { Suggestion($0, isCertain: $0.hasPrefix("{")) }
  }

  /// The reference that `${vars.x}` or `${x}` was probably meant for; `nil` for other text.
  static func nameInBraces(_ text: String) -> String? {
    guard text.hasPrefix("${"), text.hasSuffix("}") else { return nil }
    let name = text.dropFirst(2).dropLast()
    guard let first = name.first, first.isLetter || first == ".",
      name.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) })
    else { return nil }
    return name.hasPrefix("vars.") || first == "." ? "$\(name)" : "$.\(name)"
  }

  /// The probable meaning of text that begins with `$` and is not a reference.
  private func nearestReading(_ part: Range<Int>) -> String? {
    let text = string(part)
    let isAlone = part.lowerBound == 0
    if isAlone, let name = Self.nameInBraces(text) { return name }
    var end = part.lowerBound + 1
    while end < part.upperBound,
      bytes[end] == UInt8(ascii: ".") || Grammar.isInVariableName(bytes[end])
    {
      end += 1
    }
    if end < part.upperBound {
      // "$dir/file" needs braces around the reference; subscripts and calls are not supported.
      if bytes[end] == UInt8(ascii: "[") || bytes[end] == UInt8(ascii: "(") { return nil }
      if end > part.lowerBound + 1, reference(part.lowerBound..<end) != nil {
        return isAlone ? "{\(string(part.lowerBound..<end))}\(string(end..<part.upperBound))" : nil
      }
      return isAlone ? "$\(text)" : nil
    }
    let names = text.dropFirst().split(separator: ".")
    guard let first = names.first.map(String.init), !(0x30...0x39).contains(first.utf8.first ?? 0)
    else {
      return isAlone ? "$\(text)" : nil
    }
    let rest = names.dropFirst().joined(separator: ".")
    switch NearestName.of(first, among: ["vars", "var", "dir", "data", "variables"]) {
    case "dir" where rest.isEmpty: return "$dir"
    case "data" where rest.isEmpty: return "$data"
    case "vars", "var", "variables":
      return rest.isEmpty || rest.contains(".") ? nil : "$vars.\(rest)"
    default: return "$.\(names.joined(separator: "."))"
    }
  }
}
