/// Reads the graphviz language, strictly for the part that is written: one statement a line, every
/// name quoted, and every attribute known.
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

  private static let characters = #"(?:[^"\\\p{Cc}\p{Zl}]|\\["\\n])*"#
  private static let string = "\"(\(characters))\""
  private static let attributes: String = {
    let names = "label|labelloc|rankdir|fontname|fontsize|shape|style|penwidth|arrowhead"
    let attribute = "(?:\(names))=\"\(characters)\""
    return #" \[(\#(attribute)(?:, \#(attribute))*)\]"#
  }()

  private static func pattern(_ text: String) throws -> Regex<AnyRegexOutput> {
    try Regex(text).matchingSemantics(.unicodeScalar)
  }

  /// Reads a whole text.
  @discardableResult
  static func check(_ text: String) throws -> Graph {
    let cluster = try pattern("subgraph \(string) \\{")
    let defaults = try pattern("(?:graph|node|edge)\(attributes);")
    let statement = try pattern("\(string)(?: -> \(string))?(?:\(attributes))?;")
    let label = try pattern("(?:^|, )label=\(string)")
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    let first = lines.popFirst()
    guard first?.wholeMatch(of: try pattern("digraph \(string) \\{")) != nil, lines.popLast() == ""
    else { throw Failure(description: "not a digraph that ends with its line") }
    var graph = Graph()
    var depth = 1
    for line in lines {
      let body = line.drop { $0 == " " }
      if body == "}" { depth -= 1 }
      guard line.count - body.count == depth * 2, depth > 0 || line.endIndex == lines.last?.endIndex
      else { throw Failure(description: "indented wrongly: \(line)") }
      if body == "}" { continue }
      if let match = body.wholeMatch(of: cluster) {
        graph.clusters.append(String(match[1].substring ?? ""))
        depth += 1
      } else if let match = body.wholeMatch(of: statement) {
        let text = match[3].substring?.firstMatch(of: label)?[1].substring.map(String.init)
        let name = String(match[1].substring ?? "")
        if let target = match[2].substring {
          graph.edges.append((name, String(target), text ?? ""))
        } else {
          graph.nodes.append(name)
          graph.labels[name] = text
        }
      } else if body.wholeMatch(of: defaults) == nil {
        throw Failure(description: "no statement: \(line)")
      }
    }
    guard depth == 0 else { throw Failure(description: "a block does not end") }
    return graph
  }
}
