/// Reads a flowchart of Mermaid, strictly for the part that is written: one statement a line, every
/// text quoted, no end of a text but its own, and every name defined before it is used.
struct MermaidGrammar {
  /// What is not of the language.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// What was read.
  struct Chart {
    /// The labels of the nodes by their names, with what is written by number undone.
    var nodes: [String: String] = [:]
    var edges: [(from: String, to: String, label: String)] = []
    var subgraphs: [String] = []
  }

  /// Reads a whole text.
  @discardableResult
  static func check(_ text: String) throws -> Chart {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    guard lines.popFirst() == "flowchart LR", lines.popLast() == "" else {
      throw Failure(description: "a flowchart begins with 'flowchart LR' and ends with its line")
    }
    var chart = Chart()
    var classes: Set<Substring> = []
    var depth = 1
    for line in lines {
      let body = line.drop { $0 == " " }
      if body == "end" {
        depth -= 1
        guard depth > 0 else { throw Failure(description: "an end too many") }
      }
      let indent = line.count - body.count
      guard indent == depth * 2 else { throw Failure(description: "indented wrongly: \(line)") }
      if body == "end" { continue }
      if let match = body.wholeMatch(of: /subgraph (s[0-9]+)\[(".*")\]/) {
        _ = try label(match.2)
        chart.subgraphs.append(String(match.1))
        depth += 1
      } else if let match = body.wholeMatch(
        of: /([nl][0-9]+)(?:\[\[(".*")\]\]|\[(".*")\]|\(\[(".*")\]\))/)
      {
        guard let quoted = match.2 ?? match.3 ?? match.4 else {
          throw Failure(description: "no text: \(line)")
        }
        guard chart.nodes.updateValue(try label(quoted), forKey: String(match.1)) == nil else {
          throw Failure(description: "defined twice: \(line)")
        }
      } else if let match = body.wholeMatch(
        of: /([nl][0-9]+) (?:-->|==>|-\.->|-\.-)(?:\|(".*")\|)? (n[0-9]+)/)
      {
        chart.edges.append(
          (String(match.1), String(match.3), try match.2.map { try label($0) } ?? ""))
      } else if let match = body.wholeMatch(of: /classDef ([a-z]+) [a-z-]+:[0-9a-z]+/) {
        classes.insert(match.1)
      } else if let match = body.wholeMatch(of: /class (n[0-9]+) ([a-z]+)/) {
        guard classes.contains(match.2) else { throw Failure(description: "no class: \(line)") }
      } else {
        throw Failure(description: "no statement: \(line)")
      }
    }
    guard depth == 1 else { throw Failure(description: "a subgraph does not end") }
    for edge in chart.edges where chart.nodes[edge.from] == nil || chart.nodes[edge.to] == nil {
      throw Failure(description: "no such node: \(edge)")
    }
    return chart
  }

  /// A text without its quotation marks.
  private static func label(_ quoted: Substring) throws -> String {
    var text = ""
    var rest = quoted.dropFirst().dropLast()
    while let character = rest.popFirst() {
      if let match = rest.prefixMatch(of: /([0-9]+);/), character == "#" {
        guard let value = UInt32(match.1), let scalar = Unicode.Scalar(value) else {
          throw Failure(description: "no character has the number \(match.1)")
        }
        text.unicodeScalars.append(scalar)
        rest = rest[match.range.upperBound...]
      } else if character == "<", rest.hasPrefix("br/>") {
        text += "\n"
        rest = rest.dropFirst(4)
      } else if "\"#;&<>`\\{}[]|".contains(character) {
        throw Failure(description: "'\(character)' means something in a text")
      } else {
        text.append(character)
      }
    }
    guard !text.isEmpty else { throw Failure(description: "an empty text") }
    return text
  }
}
