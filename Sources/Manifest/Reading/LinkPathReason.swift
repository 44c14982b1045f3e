internal import Diagnostics

/// What is wrong with the path of a link.
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
  /// What is wrong, and what to do.
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
