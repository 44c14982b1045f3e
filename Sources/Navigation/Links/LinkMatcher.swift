public import AppCore
public import Support

/// Finds the link that an address matches, and parses its parameters.
///
/// A literal segment takes precedence over a parameter. Segments are percent-decoded after they are
/// split, so a value may contain any character.
struct LinkMatcher {
  let graph: Graph
  let address: String

  func plan() throws(Rejection) -> LinkPlan {
    if address.utf8.contains(UInt8(ascii: "#")) {
      throw Rejection(.badLink, "'#' has no meaning in a link; a literal one is '%23'")
    }
    let parts = Self.split(address[...], at: "?", limit: 1)
    var segments: [String] = []
    for part in Self.split(parts[0], at: "/") { segments.append(try decoded(part)) }
    let link = try link(segments)
    var values: [String: Value] = [:]
    for (segment, text) in zip(link.path.segments, segments) {
      if case .parameter(let name) = segment { values[name] = try value(text, name, link) }
    }
    if parts.count > 1 { try readQuery(parts[1], link, into: &values) }
    let steps = link.steps.map { step in
      let arguments = graph.arguments(of: step.target, payload: .object(values))
      return step.with(Target(node: step.target.node, arguments))
    }
    return LinkPlan(address: address, steps: steps, needs: link.needs)
  }

  /// The link that matches; of several, the one with a literal where they first differ.
  private func link(_ segments: [String]) throws(Rejection) -> Link {
    var best: Link?
    for link in graph.links where link.path.fits(segments) {
      if let current = best, !link.path.isNearer(than: current.path) { continue }
      best = link
    }
    if let best { return best }
    // An address that ends before, or with a slash for, the first parameter that is missing.
    let given = segments.last == "" ? segments.dropLast() : segments[...]
    for link in graph.links where link.path.begins(with: given) {
      let missing = link.path.segments.dropFirst(given.count).map(\.parameter)
      guard !missing.isEmpty, !missing.contains(nil) else { continue }
      throw Rejection(
        .missingLinkParameter,
        "the link '\(link.path.text)' needs "
          + Wording.list(missing.compactMap { $0 }, limit: 8))
    }
    throw Rejection(
      .unknownLink,
      "there is no link '\(address)'"
        + Self.hint(nearest(to: segments), graph.links.map(\.path.text), what: "there are"))
  }

  /// The link that was probably meant: its literals are similar, and parameters match anything.
  private func nearest(to segments: [String]) -> String? {
    let wanted = segments.joined(separator: "/")
    var texts: [String: String] = [:]
    var candidates: [String] = []
    for link in graph.links {
      let filled = link.path.segments.enumerated().map { index, segment in
        switch segment {
        case .literal(let text): text
        case .parameter(let name): index < segments.count ? segments[index] : name
        }
      }.joined(separator: "/")
      if texts.updateValue(link.path.text, forKey: filled) == nil { candidates.append(filled) }
    }
    return NearestName.of(wanted, among: candidates).flatMap { texts[$0] }
  }

  private func readQuery(
    _ text: Substring, _ link: Link, into values: inout [String: Value]
  ) throws(Rejection) {
    var seen: Set<String> = []
    for part in Self.split(text, at: "&") {
      let pair = Self.split(part, at: "=", limit: 1)
      let key = try decoded(pair[0])
      guard let item = link.path.query.first(where: { $0.key == key }) else {
        let known = link.path.query.map(\.key)
        throw Rejection(
          .unknownLinkParameter,
          "the link '\(link.path.text)' takes no '\(key)' after the '?'"
            + Self.hint(NearestName.of(key, among: known), known, what: "it takes"))
      }
      guard seen.insert(key).inserted else {
        throw Rejection(.duplicateLinkParameter, "'\(key)' is given twice after the '?'")
      }
      values[item.parameter] = try value(
        pair.count > 1 ? decoded(pair[1]) : "", item.parameter, link)
    }
  }

  private func value(
    _ text: String, _ name: String, _ link: Link
  ) throws(Rejection) -> Value {
    let type = link.types[name] ?? .string
    guard let value = type.value(ofText: text) else {
      throw Rejection(.wrongLinkType, "'\(name)' must be \(type.phrase), not '\(text)'")
    }
    return value
  }

  private func decoded(_ part: Substring) throws(Rejection) -> String {
    guard let text = PercentEncoding.decode(part.utf8) else {
      throw Rejection(
        .badLink,
        "in '\(part)' a '%' is not followed by two hexadecimal digits of a text in UTF-8")
    }
    return text
  }

  /// The parts between separators, empty ones included.
  static func split(
    _ text: Substring, at separator: Character, limit: Int = .max
  ) -> [Substring] {
    text.split(separator: separator, maxSplits: limit, omittingEmptySubsequences: false)
  }

  /// What was probably meant, else what there is.
  static func hint(_ nearest: String?, _ known: [String], what: String) -> String {
    if let nearest { return "; did you mean '\(nearest)'?" }
    return "; \(what) " + (known.isEmpty ? "none" : Wording.list(known, limit: 8))
  }
}

extension LinkPath {
  fileprivate func fits(_ given: [String]) -> Bool {
    given.count == segments.count && begins(with: given[...])
  }

  /// Whether the given segments match the first ones of this path; no parameter matches an empty
  /// one.
  fileprivate func begins(with given: ArraySlice<String>) -> Bool {
    given.count <= segments.count
      && zip(segments, given).allSatisfy { segment, text in
        switch segment {
        case .literal(let literal): literal == text
        case .parameter: !text.isEmpty
        }
      }
  }

  /// Whether this path has the literal where it and `other` first differ; both must match the same
  /// address.
  fileprivate func isNearer(than other: LinkPath) -> Bool {
    let first = zip(segments, other.segments).first {
      ($0.parameter == nil) != ($1.parameter == nil)
    }
    return first.map { $0.0.parameter == nil } ?? false
  }
}

extension LinkPath.Segment {
  fileprivate var parameter: String? {
    if case .parameter(let name) = self { name } else { nil }
  }
}

/// The target of a link or a position, parsed and checked against the graph.
///
/// A plan is a value, so it can be kept until the instance that it needs exists.
public struct LinkPlan: Hashable, Sendable {
  /// The address as it was given.
  public let address: String
  /// The steps; the arguments of their targets are values.
  let steps: [Link.Step]
  /// The node of which an instance must exist first; `nil` if none is needed.
  public let needs: Int?

  /// The arguments that the address gives, each with the node that takes them.
  package var arguments: [(node: Int, arguments: Value)] {
    steps.compactMap { step in
      if case .select = step { nil } else { (step.target.node, step.target.value) }
    }
  }
}

extension Graph {
  /// Parses an address: a position if it begins with `/`, otherwise a link.
  ///
  /// `json` parses the JSON in which positions write lists and objects; `nil` if it is malformed.
  ///
  /// - Throws: a rejection that says what is wrong with the address, and where.
  /// - Complexity: O(*n*) for a position, where *n* is the length of the address; a link is also
  ///   compared with all links of the graph.
  public func plan(
    _ address: String, json: @escaping (String) -> Value?
  ) throws(Rejection) -> LinkPlan {
    address.utf8.first == UInt8(ascii: "/")
      ? try PositionReader(graph: self, address: address, json: json).plan()
      : try LinkMatcher(graph: self, address: address).plan()
  }

  /// The arguments for `target`, whose references are resolved in `payload`: the node's own,
  /// overridden by those of the target.
  package func arguments(of target: Target, payload: Value) -> Value {
    target.arguments.resolved(
      payload, over: nodes[target.node].arguments.resolved(.null))
  }
}
