internal import Support

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
