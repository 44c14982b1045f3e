/// Why an address can't be opened; nothing has changed.
public enum LinkProblem: Error, Hashable, Sendable {
  /// No link has this shape.
  case unknownLink(String, nearest: String?, known: [String])
  /// The address ends before these parameters of the link.
  case missingParameters([String], of: String)
  /// The link has no such parameter behind its `?`.
  case unknownParameter(String, of: String, nearest: String?, known: [String])
  /// A parameter stands twice behind the `?`.
  case duplicateParameter(String)
  /// A parameter or an argument is of another type.
  case wrongType(String, value: String, expected: String)
  /// A `%` is not followed by two digits of a text in UTF-8.
  case badEncoding(String)
  /// A `#` has no meaning.
  case fragment
  /// What is wrong with a part of a position; the column counts from 1, in characters.
  case badPosition(PositionFault, part: String, column: Int)

  /// A code for programs.
  public var code: String {
    switch self {
    case .unknownLink: "unknown-link"
    case .missingParameters: "missing-parameter"
    case .unknownParameter: "unknown-parameter"
    case .duplicateParameter: "duplicate-parameter"
    case .wrongType: "wrong-type"
    case .badEncoding, .fragment: "bad-link"
    case .badPosition: "bad-position"
    }
  }
}

/// What is wrong with one part of a position.
public enum PositionFault: Hashable, Sendable {
  case empty
  case shortened
  case modalFirst
  case unknownNode(nearest: String?)
  /// A container is followed by what is none of its tabs.
  case noTab(container: String, tabs: [String])
  /// A tab is named after a node that is no container.
  case notInContainer(String)
  case noEquals
  case badEncoding
  case duplicate
  case unknownArgument(node: String, nearest: String?, known: [String])
  case missingArguments([String], node: String)
  case leftOut(argument: String, node: String)
  case wrongType(argument: String, expected: String)
}

extension LinkProblem: CustomStringConvertible {
  public var description: String {
    switch self {
    case .unknownLink(let address, let nearest, let known):
      "there is no link '\(address)'" + Self.hint(nearest, known, what: "there are")
    case .missingParameters(let names, let link):
      "the link '\(link)' needs " + Self.list(names)
    case .unknownParameter(let name, let link, let nearest, let known):
      "the link '\(link)' takes no '\(name)' behind the '?'"
        + Self.hint(nearest, known, what: "it takes")
    case .duplicateParameter(let name): "'\(name)' stands twice behind the '?'"
    case .wrongType(let name, let value, let expected):
      "'\(name)' must be \(expected), not '\(value)'"
    case .badEncoding(let part):
      "in '\(part)' a '%' is not followed by two hexadecimal digits of a text in UTF-8"
    case .fragment: "'#' has no meaning in a link; a literal one is '%23'"
    case .badPosition(let fault, let part, let column):
      "at column \(column), '\(part)': \(fault)"
    }
  }

  static func hint(_ nearest: String?, _ known: [String], what: String) -> String {
    if let nearest { return "; did you mean '\(nearest)'?" }
    return known.isEmpty ? "; \(what) none" : "; \(what) \(list(known))"
  }

  static func list(_ names: [String]) -> String {
    let shown = names.prefix(8).map { "'\($0)'" }.joined(separator: ", ")
    return names.count > 8 ? "\(shown) and \(names.count - 8) more" : shown
  }
}

extension PositionFault: CustomStringConvertible {
  public var description: String {
    switch self {
    case .empty: "a node is missing between the slashes"
    case .shortened: "the position is shortened here; ':path --full' prints it whole"
    case .modalFirst: "the app's root can't be a modal; leave the '!' out"
    case .unknownNode(let nearest):
      "there is no such node" + (nearest.map { "; did you mean '\($0)'?" } ?? "")
    case .noTab(let container, let tabs):
      "'\(container)' has no such tab" + LinkProblem.hint(nil, tabs, what: "it has")
    case .notInContainer(let node):
      "'~' names the node in the place of a tab, but '\(node)' before it is no container"
    case .noEquals: "an argument is written 'name=value'"
    case .badEncoding: "a '%' is not followed by two hexadecimal digits of a text in UTF-8"
    case .duplicate: "the argument stands twice"
    case .unknownArgument(let node, let nearest, let known):
      "'\(node)' takes no such argument" + LinkProblem.hint(nearest, known, what: "it takes")
    case .missingArguments(let names, let node):
      "'\(node)' needs " + LinkProblem.list(names)
    case .leftOut(let argument, let node):
      "'\(argument)' of '\(node)' is secret and was left out, so this position can't be reopened"
    case .wrongType(let argument, let expected): "'\(argument)' must be \(expected)"
    }
  }
}
