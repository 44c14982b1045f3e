internal import Diagnostics

extension Problem.LinkPathReason {
  /// What is wrong, and what to do.
  var text: String {
    switch self {
    case .isEmpty: "it is empty"
    case .isPosition: "one that begins with '/' is a position; leave the '/' out"
    case .emptySegment: "there is nothing between two slashes"
    case .strayBrace: "a parameter is a whole segment, '{name}'; a literal brace is '%7B' or '%7D'"
    case .badParameterName(let name): "'\(Wording.printable(name))' is no name for a parameter"
    case .duplicateParameter(let name):
      "the parameter '\(Wording.printable(name))' stands there twice"
    case .duplicateQueryKey(let key): "'\(Wording.printable(key))' stands twice behind the '?'"
    case .badQuery(let text): "'\(Wording.printable(text))' behind the '?' is not 'key={name}'"
    case .badPercentEncoding: "'%' is not followed by two hexadecimal digits of a text in UTF-8"
    case .fragment: "'#' has no meaning in a link"
    case .tooManySegments(let limit): "it has more than the limit of \(limit) segments"
    case .tooManyParameters(let limit):
      "it has more than the limit of \(limit) parameters behind the '?'"
    }
  }
}
