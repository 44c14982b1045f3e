internal import Support

/// Parses the path of a link: `segment/{parameter}?key={parameter}`.
struct LinkPathParser {
  let text: String
  /// Maps a part of the text, as a range of bytes, to its place in the file.
  let place: (Range<Int>) -> SourceRange

  private static let segmentLimit = 64

  /// The path, or the first problem in it.
  func parse() -> Result<LinkPath, Diagnostic> {
    let bytes = Array(text.utf8)
    let all = 0..<bytes.count
    if bytes.isEmpty { return failure(.isEmpty, all) }
    if bytes[0] == UInt8(ascii: "/") { return failure(.isPosition, 0..<1) }
    if let hash = bytes.firstIndex(of: UInt8(ascii: "#")) {
      return failure(.fragment, hash..<hash + 1)
    }
    let mark = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
    var builder = Builder()
    let segments = Self.split(bytes, 0..<mark, at: UInt8(ascii: "/"))
    if segments.count > Self.segmentLimit {
      return failure(.tooManySegments(limit: Self.segmentLimit), all)
    }
    let items =
      mark < bytes.count
      ? Self.split(bytes, mark + 1..<bytes.count, at: UInt8(ascii: "&")) : []
    if items.count > Self.segmentLimit {
      return failure(.tooManyParameters(limit: Self.segmentLimit), mark..<bytes.count)
    }
    for part in segments {
      if let reason = builder.addSegment(bytes[part], place(part)) { return failure(reason, part) }
    }
    for part in items {
      if let reason = builder.addQuery(bytes[part], place(part)) { return failure(reason, part) }
    }
    return .success(
      LinkPath(
        text: text, segments: builder.segments, query: builder.query,
        parameters: builder.parameters, range: place(all)))
  }

  private func failure(
    _ reason: LinkPathReason, _ part: Range<Int>
  ) -> Result<LinkPath, Diagnostic> {
    .failure(Diagnostic(.badLinkPath(text, reason: reason), at: place(part)))
  }

  private static func split(
    _ bytes: [UInt8], _ range: Range<Int>, at separator: UInt8
  ) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for offset in range where bytes[offset] == separator {
      parts.append(start..<offset)
      start = offset + 1
    }
    parts.append(start..<range.upperBound)
    return parts
  }
}

extension LinkPathParser {
  /// The path as it has been parsed so far.
  private struct Builder {
    var segments: [LinkPath.Segment] = []
    var query: [LinkPath.QueryItem] = []
    var parameters: [Located<String>] = []
    private var names: Set<String> = []
    private var keys: Set<String> = []

    mutating func addSegment(
      _ bytes: ArraySlice<UInt8>, _ place: SourceRange
    ) -> LinkPathReason? {
      if bytes.isEmpty { return .emptySegment }
      if bytes.first == UInt8(ascii: "{"), bytes.last == UInt8(ascii: "}"), bytes.count > 1 {
        let name = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
        if let reason = addParameter(name, place) { return reason }
        segments.append(.parameter(name))
        return nil
      }
      if bytes.contains(UInt8(ascii: "{")) || bytes.contains(UInt8(ascii: "}")) {
        return .strayBrace
      }
      guard let text = PercentEncoding.decode(bytes) else { return .badPercentEncoding }
      segments.append(.literal(text))
      return nil
    }

    mutating func addQuery(
      _ bytes: ArraySlice<UInt8>, _ place: SourceRange
    ) -> LinkPathReason? {
      let whole = String(decoding: bytes, as: UTF8.self)
      guard let equals = bytes.firstIndex(of: UInt8(ascii: "=")), equals > bytes.startIndex else {
        return .badQuery(whole)
      }
      let value = bytes[(equals + 1)...]
      guard value.count > 2, value.first == UInt8(ascii: "{"), value.last == UInt8(ascii: "}")
      else { return .badQuery(whole) }
      guard let key = PercentEncoding.decode(bytes[..<equals]) else { return .badPercentEncoding }
      guard keys.insert(key).inserted else { return .duplicateQueryKey(key) }
      let name = String(decoding: value.dropFirst().dropLast(), as: UTF8.self)
      if let reason = addParameter(name, place) { return reason }
      query.append(LinkPath.QueryItem(key: key, parameter: name))
      return nil
    }

    private mutating func addParameter(
      _ name: String, _ place: SourceRange
    ) -> LinkPathReason? {
      guard VariableName.isWellFormed(name) else { return .badParameterName(name) }
      guard names.insert(name).inserted else { return .duplicateParameter(name) }
      parameters.append(Located(name, at: place))
      return nil
    }
  }
}

/// The reason why the path of a link is not valid.
package enum LinkPathReason: Hashable, Sendable {
  case isEmpty
  case isPosition
  case emptySegment
  case strayBrace
  case badParameterName(String)
  case duplicateParameter(String)
  case duplicateQueryKey(String)
  case badQuery(String)
  case badPercentEncoding
  case fragment
  case tooManySegments(limit: Int)
  case tooManyParameters(limit: Int)
}

extension LinkPathReason {
  /// The reason in words, with the remedy.
  var text: String {
    switch self {
    case .isEmpty: "it is empty"
    case .isPosition: "one that begins with '/' is a position; leave the '/' out"
    case .emptySegment: "there is nothing between two slashes"
    case .strayBrace: "a parameter is a whole segment, '{name}'; a literal brace is '%7B' or '%7D'"
    case .badParameterName(let name):
      "'\(Wording.printable(name))' is not a valid name for a parameter"
    case .duplicateParameter(let name):
      "the parameter '\(Wording.printable(name))' appears twice"
    case .duplicateQueryKey(let key): "'\(Wording.printable(key))' appears twice after the '?'"
    case .badQuery(let text): "'\(Wording.printable(text))' after the '?' is not 'key={name}'"
    case .badPercentEncoding: "'%' is not followed by two hexadecimal digits of a text in UTF-8"
    case .fragment: "'#' has no meaning in a link"
    case .tooManySegments(let limit): "it has more than the limit of \(limit) segments"
    case .tooManyParameters(let limit):
      "it has more than the limit of \(limit) parameters after the '?'"
    }
  }
}
