package import Support

// The requirements for opening an address.
extension Rule {
  static let unknownLink = Rule(
    "unknown-link", means: "The manifest has no link of this shape.",
    remedy: "Use the suggested one; Tab completes links, and `appcore graph` lists them.")

  static let missingLinkParameter = Rule(
    "missing-parameter",
    means: "The address ends before all parameters of the link are given.",
    remedy: "Add what the message names: path parameters in the path, others after `?`.")

  static let unknownLinkParameter = Rule(
    "unknown-parameter", means: "The link has no parameter of that name after its `?`.",
    remedy: "Use the suggested one, or leave it out.")

  static let duplicateLinkParameter = Rule(
    "duplicate-parameter", means: "A parameter is given twice after the `?`.",
    remedy: "Leave one of them out.")

  static let wrongLinkType = Rule(
    "wrong-type", means: "A parameter of the address is not of the type that the link takes.",
    remedy: "Give a value of the type that the message names.")

  static let badLink = Rule(
    "bad-link",
    means: "The address can't be parsed: it contains a `#`, or a `%` that is not a UTF-8 "
      + "percent-escape.",
    remedy: "Write `%25` for a literal `%` and `%23` for a literal `#`.")

  static let badPosition = Rule(
    "bad-position",
    means: "A part of a position can't be read, or names something that does not exist. The "
      + "message gives the column.",
    remedy: "Correct that part; `:path --full` prints positions that can be opened.")

  /// The rules of links and positions.
  package static let linkRules: [Rule] = [
    .unknownLink, .missingLinkParameter, .unknownLinkParameter, .duplicateLinkParameter,
    .wrongLinkType, .badLink, .badPosition,
  ]
}

extension Rejection {
  static func unknownLink(_ address: String, nearest: String?, known: [String]) -> Rejection {
    Rejection(
      .unknownLink, "there is no link '\(address)'" + hint(nearest, known, what: "there are"))
  }

  static func missingParameters(_ names: [String], of link: String) -> Rejection {
    Rejection(.missingLinkParameter, "the link '\(link)' needs " + quoted(names))
  }

  static func unknownParameter(
    _ name: String, of link: String, nearest: String?, known: [String]
  ) -> Rejection {
    Rejection(
      .unknownLinkParameter,
      "the link '\(link)' takes no '\(name)' after the '?'"
        + hint(nearest, known, what: "it takes"))
  }

  static func duplicateParameter(_ name: String) -> Rejection {
    Rejection(.duplicateLinkParameter, "'\(name)' is given twice after the '?'")
  }

  static func wrongType(_ name: String, value: String, expected: String) -> Rejection {
    Rejection(.wrongLinkType, "'\(name)' must be \(expected), not '\(value)'")
  }

  static func badEncoding(_ part: String) -> Rejection {
    Rejection(
      .badLink, "in '\(part)' a '%' is not followed by two hexadecimal digits of a text in UTF-8")
  }

  static var fragment: Rejection {
    Rejection(.badLink, "'#' has no meaning in a link; a literal one is '%23'")
  }

  /// The column counts from 1, in characters.
  static func badPosition(_ fault: String, part: String, column: Int) -> Rejection {
    Rejection(.badPosition, "at column \(column), '\(part)': \(fault)")
  }

  static func hint(_ nearest: String?, _ known: [String], what: String) -> String {
    if let nearest { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "; \(what) none" : "; \(what) \(quoted(known))"
  }

  static func quoted(_ names: [String]) -> String {
    let shown = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}
