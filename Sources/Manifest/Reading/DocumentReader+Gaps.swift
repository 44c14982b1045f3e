internal import Support

/// The parts of a manifest in which something was left out because of a reported problem.
///
/// What is missing there may have been left out, so that nothing is reported for it.
public struct ManifestGaps: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  public static let plugins = ManifestGaps(rawValue: 1)
  /// What some nodes are.
  public static let nodes = ManifestGaps(rawValue: 2)
  /// Which actions have a route.
  public static let routes = ManifestGaps(rawValue: 4)
  /// What routes and links do, and what else shows a node.
  public static let steps = ManifestGaps(rawValue: 8)
  public static let all: ManifestGaps = [.plugins, .nodes, .routes, .steps]
  /// The parts that say where instances of a node can be.
  package static let places: ManifestGaps = [.nodes, .routes, .steps]

  /// The gap that a problem in the section of a key leaves.
  fileprivate init(_ section: Keyword) {
    switch section {
    case .plugins: self = .plugins
    case .nodes: self = .nodes
    case .routes, .links, .background, .start: self = .steps
    default: self = []
    }
  }
}

extension DocumentReader {
  /// Finds in which parts the problems of this document have left gaps.
  mutating func findGaps() {
    let keys = tree.keys(of: 0)
    let known = Set(keys.compactMap { Keyword(tree.bytes(tree.resolve($0))) })
    // A key that is not known may have been meant for any that is missing.
    let absent = Self.sections.filter { !known.contains($0) }
    for problem in result.problems where problem.leavesGap && problem.range.file == tree.file {
      let start = problem.range.start
      guard let key = keys.last(where: { tree.entries[$0].start <= start }) else {
        result.gaps = .all
        continue
      }
      let section = Keyword(tree.bytes(tree.resolve(key))).flatMap {
        Self.sections.contains($0) || $0 == .vars ? $0 : nil
      }
      if let section {
        result.gaps.formUnion(ManifestGaps(section))
        guard tree.entries[key].isRefusedKey else { continue }
        switch section {
        case .nodes: result.hasUnreadNodes = true
        case .routes: result.gaps.insert(.routes)
        case .vars: result.hasUnreadVariables = true
        default: break
        }
      } else if tree.entries[key].isRefusedKey || tree.bytes(key).starts(with: "x-".utf8) {
        result.gaps = .all
      } else if tree.entries[key].start == start {
        for section in absent {
          result.gaps.formUnion(ManifestGaps(section))
          if section == .routes { result.gaps.insert(.routes) }
        }
      }
    }
  }

  /// The keys whose values define and use names.
  private static let sections: [Keyword] = [
    .plugins, .nodes, .routes, .links, .background, .start,
  ]
}
