/// Reads the graphviz language as its grammar has it, strictly for the part that is written: no
/// unquoted names but attributes' own, no HTML, and every attribute known.
struct DOTGrammar {
  /// What is not of the language.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What was read.
  struct Graph {
    /// The nodes that have a statement of their own, as they are named.
    var nodes: [String] = []
    var edges: [(from: String, to: String, label: String)] = []
    /// The labels of the nodes.
    var labels: [String: String] = [:]
    var clusters: [String] = []
  }

  private enum Token: Equatable {
    case word(String)
    case string(String)
    case sign(String)
  }

  private var tokens: [Token]
  private var next = 0
  private var graph = Graph()

  /// Reads a whole text.
  @discardableResult
  static func check(_ text: String) throws -> Graph {
    var grammar = DOTGrammar(tokens: try tokens(of: text))
    try grammar.expect(.word("digraph"))
    _ = try grammar.string()
    try grammar.block()
    guard grammar.next == grammar.tokens.count else {
      throw Failure(description: "something follows the graph")
    }
    return grammar.graph
  }

  private static func tokens(of text: String) throws -> [Token] {
    var tokens: [Token] = []
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      switch scalar {
      case " ", "\n": rest.removeFirst()
      case "\"":
        rest.removeFirst()
        var string = ""
        while let scalar = rest.popFirst(), scalar != "\"" {
          guard !scalar.properties.generalCategory.isControl else {
            throw Failure(description: "a control character in \(string)")
          }
          string.unicodeScalars.append(scalar)
          if scalar == "\\" {
            guard let escaped = rest.popFirst(), "\\\"n".unicodeScalars.contains(escaped) else {
              throw Failure(description: "a bare backslash in \(string)")
            }
            string.unicodeScalars.append(escaped)
          }
          guard !rest.isEmpty else { throw Failure(description: "a string does not end") }
        }
        tokens.append(.string(string))
      case "-":
        guard rest.starts(with: "->".unicodeScalars) else {
          throw Failure(description: "a bare '-'")
        }
        rest.removeFirst(2)
        tokens.append(.sign("->"))
      case "{", "}", "[", "]", "=", ",", ";":
        rest.removeFirst()
        tokens.append(.sign(String(scalar)))
      case "a"..."z":
        let word = rest.prefix { ("a"..."z").contains($0) }
        rest.removeFirst(word.count)
        tokens.append(.word(String(word)))
      default: throw Failure(description: "'\(scalar)' can't stand outside of a string")
      }
    }
    return tokens
  }

  private init(tokens: [Token]) { self.tokens = tokens }

  private var token: Token? { next < tokens.count ? tokens[next] : nil }

  private mutating func expect(_ wanted: Token) throws {
    guard token == wanted else {
      throw Failure(description: "\(wanted) is due at \(next), not \(String(describing: token))")
    }
    next += 1
  }

  private mutating func string() throws -> String {
    guard case .string(let string)? = token else {
      throw Failure(description: "a string is due at \(next)")
    }
    next += 1
    return string
  }

  private mutating func block() throws {
    try expect(.sign("{"))
    while token != .sign("}") { try statement() }
    next += 1
  }

  private mutating func statement() throws {
    switch token {
    case .word("subgraph"):
      next += 1
      graph.clusters.append(try string())
      return try block()
    case .word("graph"), .word("node"), .word("edge"):
      next += 1
      _ = try attributes()
    case .string:
      let name = try string()
      if token == .sign("->") {
        next += 1
        let target = try string()
        graph.edges.append((name, target, try attributes()["label"] ?? ""))
      } else {
        graph.nodes.append(name)
        graph.labels[name] = try attributes()["label"]
      }
    default: throw Failure(description: "no statement begins with \(String(describing: token))")
    }
    try expect(.sign(";"))
  }

  private static let known: Set<String> = [
    "label", "labelloc", "rankdir", "fontname", "fontsize", "shape", "style", "penwidth",
    "arrowhead",
  ]

  private mutating func attributes() throws -> [String: String] {
    guard token == .sign("[") else { return [:] }
    next += 1
    var attributes: [String: String] = [:]
    while true {
      guard case .word(let name)? = token, Self.known.contains(name) else {
        throw Failure(description: "\(String(describing: token)) is no attribute")
      }
      next += 1
      try expect(.sign("="))
      attributes[name] = try string()
      if token == .sign("]") { break }
      try expect(.sign(","))
    }
    next += 1
    return attributes
  }
}

extension Unicode.GeneralCategory {
  fileprivate var isControl: Bool { self == .control || self == .lineSeparator }
}
