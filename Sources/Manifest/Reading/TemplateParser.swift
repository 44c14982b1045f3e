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

/// Parses the path of a link: `segment/{parameter}?key={parameter}`.
struct LinkPathParser {
  private let text: String
  private let bytes: [UInt8]
  /// Maps a part of the text, as a range of bytes, to its place in the file.
  private let place: (Range<Int>) -> SourceRange
  private var query: [LinkPath.QueryItem] = []
  private var parameters: [Located<String>] = []

  private static let limit = 64

  /// Why a text is not a path, with the remedy.
  struct Fault: Error {
    let reason: String
    let range: SourceRange
  }

  init(text: String, place: @escaping (Range<Int>) -> SourceRange) {
    self.text = text
    self.place = place
    bytes = Array(text.utf8)
  }

  /// The path; throws the first fault in it.
  mutating func parse() throws(Fault) -> LinkPath {
    let all = 0..<bytes.count
    if bytes.isEmpty { throw fault("it is empty", all) }
    if bytes[0] == UInt8(ascii: "/") {
      throw fault("one that begins with '/' is a position; leave the '/' out", 0..<1)
    }
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      throw fault("'#' has no meaning in a link", hash..<hash + 1)
    }
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    let parts = split(0..<mark, at: UInt8(ascii: "/"))
    if parts.count > Self.limit {
      throw fault("it has more than the limit of \(Self.limit) segments", all)
    }
    let items = mark < bytes.count ? split(mark + 1..<bytes.count, at: UInt8(ascii: "&")) : []
    if items.count > Self.limit {
      throw fault(
        "it has more than the limit of \(Self.limit) parameters after the '?'", mark..<bytes.count)
    }
    var segments: [LinkPath.Segment] = []
    for part in parts { segments.append(try segment(part)) }
    for part in items { try addItem(part) }
    return LinkPath(
      text: text, segments: segments, query: query, parameters: parameters, range: place(all))
  }

  private func fault(_ reason: String, _ part: Range<Int>) -> Fault {
    Fault(reason: reason, range: place(part))
  }

  private func split(_ range: Range<Int>, at separator: UInt8) -> [Range<Int>] {
    bytes[range].split(separator: separator, omittingEmptySubsequences: false).map(\.indices)
  }

  private func string(_ part: Range<Int>) -> String {
    String(decoding: bytes[part], as: UTF8.self)
  }

  private mutating func segment(_ part: Range<Int>) throws(Fault) -> LinkPath.Segment {
    if part.isEmpty { throw fault("there is nothing between two slashes", part) }
    if let name = parameter(part) { return .parameter(try add(name, part)) }
    if bytes[part].contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }) {
      throw fault(
        "a parameter is a whole segment, '{name}'; a literal brace is '%7B' or '%7D'", part)
    }
    return .literal(try decoded(part, of: part))
  }

  private mutating func addItem(_ part: Range<Int>) throws(Fault) {
    guard let equals = bytes[part].firstIndex(of: UInt8(ascii: "=")), equals > part.lowerBound,
      let name = parameter(equals + 1..<part.upperBound), !name.isEmpty
    else { throw fault("\(quote(string(part))) after the '?' is not 'key={name}'", part) }
    let key = try decoded(part.lowerBound..<equals, of: part)
    if query.contains(where: { $0.key == key }) {
      throw fault("\(quote(key)) appears twice after the '?'", part)
    }
    query.append(LinkPath.QueryItem(key: key, parameter: try add(name, part)))
  }

  /// The name in the braces of a part; `nil` if it has none.
  private func parameter(_ part: Range<Int>) -> String? {
    guard part.count > 1, bytes[part].first == UInt8(ascii: "{"),
      bytes[part].last == UInt8(ascii: "}")
    else { return nil }
    return string(part.lowerBound + 1..<part.upperBound - 1)
  }

  private func decoded(_ part: Range<Int>, of whole: Range<Int>) throws(Fault) -> String {
    guard let text = PercentEncoding.decode(bytes[part]) else {
      throw fault("'%' is not followed by two hexadecimal digits of a text in UTF-8", whole)
    }
    return text
  }

  private mutating func add(_ name: String, _ part: Range<Int>) throws(Fault) -> String {
    guard Grammar.isVariableName(name.utf8) else {
      throw fault("\(quote(name)) is not a valid name for a parameter", part)
    }
    if parameters.contains(where: { $0.value == name }) {
      throw fault("the parameter \(quote(name)) appears twice", part)
    }
    parameters.append(Located(name, at: place(part)))
    return name
  }
}
