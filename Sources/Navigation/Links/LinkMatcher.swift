internal import AppCore
internal import Manifest
internal import Support

/// Finds the link that an address matches, and parses its parameters.
///
/// A literal segment takes precedence over a parameter. Segments are percent-decoded after they are
/// split, so a value may contain any character.
struct LinkMatcher {
  let graph: Graph
  let address: String

  /// Returns the plan of the matching link.
  func plan() throws(Rejection) -> LinkPlan {
    if address.utf8.contains(UInt8(ascii: "#")) { throw .fragment }
    let parts = Self.split(address[...], at: "?", limit: 1)
    var segments: [String] = []
    for part in Self.split(parts[0], at: "/") { segments.append(try decoded(part)) }
    let link = try link(segments)
    var values: [String: Value] = [:]
    for (segment, text) in zip(link.path.segments, segments) {
      if case .parameter(let name) = segment { values[name] = try value(text, name, link) }
    }
    if parts.count > 1 { try readQuery(parts[1], link, into: &values) }
    return LinkPlan(
      address: address, steps: link.steps.map { step($0, .object(values)) }, needs: link.needs)
  }

  private func step(_ step: Link.Step, _ payload: Value) -> LinkPlan.Step {
    switch step {
    case .push(let target, let isLiving):
      .push(
        node: target.node, graph.arguments(target, payload: payload), isLiving: isLiving)
    case .present(let target):
      .present(node: target.node, graph.arguments(target, payload: payload))
    case .select(let node): .select(node: node)
    }
  }

  /// The link that matches; of several, the one with a literal where they first differ.
  private func link(_ segments: [String]) throws(Rejection) -> Link {
    var best: Link?
    for link in graph.links where link.path.fits(segments) {
      if let current = best, !link.path.isNearer(than: current.path) { continue }
      best = link
    }
    if let best { return best }
    let short = graph.links.first { link in
      let rest = link.path.segments.dropFirst(segments.count)
      let isBegun = segments.count < link.path.segments.count
      let given = segments.last == "" ? Array(segments.dropLast()) : segments
      return isBegun && link.path.begins(with: segments) && rest.allSatisfy(\.isParameter)
        || link.path.begins(with: given) && given.count < segments.count
          && link.path.segments.dropFirst(given.count).allSatisfy(\.isParameter)
    }
    if let short {
      let given = segments.last == "" ? segments.count - 1 : segments.count
      throw .missingParameters(
        short.path.segments.dropFirst(given).compactMap(\.parameter), of: short.path.text)
    }
    throw .unknownLink(
      address, nearest: nearest(to: segments), known: graph.links.map(\.path.text))
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
        throw .unknownParameter(
          key, of: link.path.text, nearest: NearestName.of(key, among: known), known: known)
      }
      guard seen.insert(key).inserted else { throw .duplicateParameter(key) }
      values[item.parameter] = try value(
        pair.count > 1 ? decoded(pair[1]) : "", item.parameter, link)
    }
  }

  private func value(
    _ text: String, _ name: String, _ link: Link
  ) throws(Rejection) -> Value {
    let type = link.types[name] ?? .string
    guard let value = type.value(ofText: text) else {
      throw .wrongType(name, value: text, expected: type.phrase)
    }
    return value
  }

  private func decoded(_ part: Substring) throws(Rejection) -> String {
    guard let text = PercentEncoding.decode(Array(part.utf8)[...]) else {
      throw .badEncoding(String(part))
    }
    return text
  }

  /// The parts between separators, empty ones included.
  static func split(
    _ text: Substring, at separator: Character, limit: Int = .max
  ) -> [Substring] {
    text.split(separator: separator, maxSplits: limit, omittingEmptySubsequences: false)
  }
}

extension LinkPath {
  fileprivate func fits(_ given: [String]) -> Bool {
    given.count == segments.count && begins(with: given)
  }

  /// Whether the given segments match the first ones of this path; no parameter matches an empty
  /// one.
  fileprivate func begins(with given: [String]) -> Bool {
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
    for (mine, others) in zip(segments, other.segments) where mine.isParameter != others.isParameter
    { return !mine.isParameter }
    return false
  }
}

extension LinkPath.Segment {
  fileprivate var parameter: String? {
    if case .parameter(let name) = self { name } else { nil }
  }

  fileprivate var isParameter: Bool { parameter != nil }
}
