internal import Support

/// Parses the references in a scalar's text: `$` has a meaning at the start, and after `{`.
struct TemplateParser {
  /// A reference as written, with its range of bytes in the text.
  struct RawReference {
    enum Kind {
      case payload([(name: String, part: Range<Int>)])
      case variable(String)
      case directory
      case data
    }

    let kind: Kind
    let text: String
    let part: Range<Int>
  }

  enum Piece {
    case text(String)
    case insertion(RawReference, Range<Int>)
    case bad(String, nearest: Suggestion?, Range<Int>)
    case unclosed(String, Range<Int>)
  }

  enum Template {
    case literal(String)
    case reference(RawReference)
    case bad(String, nearest: Suggestion?, Range<Int>)
    case pieces([Piece])
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private static let dollar = UInt8(ascii: "$")
  private static let open = UInt8(ascii: "{")
  private static let close = UInt8(ascii: "}")

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Parses the text.
  mutating func parse() -> Template {
    if bytes.first == Self.dollar, !isDollar(1) {
      let all = 0..<bytes.count
      if let reference = reference(all) { return .reference(reference) }
      return .bad(string(all), nearest: reading(all), all)
    }
    var pieces: [Piece] = []
    var text: [UInt8] = []
    var offset = 0
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
      if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
      text = []
      let end = insertionEnd(from: offset + 1)
      pieces.append(insertion(from: offset, to: end))
      offset = end
    }
    if pieces.isEmpty { return .literal(String(decoding: text, as: UTF8.self)) }
    if !text.isEmpty { pieces.append(.text(String(decoding: text, as: UTF8.self))) }
    return .pieces(pieces)
  }

  private func isDollar(_ offset: Int) -> Bool {
    offset < bytes.count && bytes[offset] == Self.dollar
  }

  private func string(_ part: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[part]), as: UTF8.self)
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
    if let reference = reference(inner) { return .insertion(reference, start..<end) }
    return .bad(string(inner), nearest: reading(inner), inner)
  }

  /// The reference that a part spells; `nil` if it is not a reference.
  private func reference(_ part: Range<Int>) -> RawReference? {
    guard let fields = path(part.dropFirst()) else { return nil }
    let text = string(part)
    if fields.isEmpty { return RawReference(kind: .payload([]), text: text, part: part) }
    guard bytes[part.lowerBound + 1] != UInt8(ascii: ".") else {
      return RawReference(kind: .payload(fields), text: text, part: part)
    }
    switch fields[0].name {
    case "dir" where fields.count == 1:
      return RawReference(kind: .directory, text: text, part: part)
    case "data" where fields.count == 1: return RawReference(kind: .data, text: text, part: part)
    default: break
    }
    guard fields.count == 2, fields[0].name == "vars" else { return nil }
    return RawReference(kind: .variable(fields[1].name), text: text, part: part)
  }

  /// The names between dots, with or without a leading dot; `nil` if one is not a valid name.
  private func path(_ part: Range<Int>) -> [(name: String, part: Range<Int>)]? {
    guard !part.isEmpty else { return [] }
    var fields: [(name: String, part: Range<Int>)] = []
    var start = part.lowerBound
    if bytes[start] == UInt8(ascii: ".") { start += 1 }
    var offset = start
    while offset <= part.upperBound {
      if offset == part.upperBound || bytes[offset] == UInt8(ascii: ".") {
        guard isName(start..<offset) else { return nil }
        fields.append((string(start..<offset), start..<offset))
        start = offset + 1
      }
      offset += 1
    }
    return fields
  }

  private func isName(_ part: Range<Int>) -> Bool {
    guard let first = part.first, !Self.isDigit(bytes[first]), bytes[first] != UInt8(ascii: "-")
    else { return false }
    return part.allSatisfy { offset in
      let byte = bytes[offset]
      return byte >= 0x80 || Self.isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
        || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

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
    if part.lowerBound == 0, let name = Self.nameInBraces(text) { return name }
    var end = part.lowerBound + 1
    while end < part.upperBound,
      bytes[end] == UInt8(ascii: ".") || isName(end..<end + 1)
        || Self.isDigit(bytes[end]) || bytes[end] == UInt8(ascii: "-")
    {
      end += 1
    }
    // "$dir/file" needs braces around the reference; subscripts and calls are not supported.
    if end < part.upperBound, bytes[end] == UInt8(ascii: "[") || bytes[end] == UInt8(ascii: "(") {
      return nil
    }
    if end < part.upperBound, end > part.lowerBound + 1,
      reference(part.lowerBound..<end) != nil
    {
      let isAlone = part.lowerBound == 0
      return isAlone ? "{\(string(part.lowerBound..<end))}\(string(end..<part.upperBound))" : nil
    }
    guard end == part.upperBound else { return part.lowerBound == 0 ? "$\(text)" : nil }
    let names = text.dropFirst().split(separator: ".")
    guard let first = names.first.map(String.init), !Self.isDigit(first.utf8.first ?? 0) else {
      return part.lowerBound == 0 ? "$\(text)" : nil
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
