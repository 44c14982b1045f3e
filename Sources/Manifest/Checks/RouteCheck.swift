internal import Support

/// Finds routes for the same pair of node and action.
enum RouteCheck {
  private struct Pair: Hashable {
    /// The node; `nil` for `any`.
    let node: NodeID?
    let action: String
  }

  /// Reports every pair that already has a route, at the action of the later route.
  ///
  /// - Complexity: O(*n*), where *n* is the number of pairs of node and action.
  static func run(on draft: inout Draft, limit: Int) {
    dropRoutes(beyond: limit, in: &draft)
    var first: [Pair: SourceRange] = [:]
    first.reserveCapacity(pairs(of: draft.manifest.routes[...]))
    for route in draft.manifest.routes {
      for action in route.actions {
        draft.counter.count(max(1, route.source.nodes.count))
        switch route.source {
        case .any:
          check(nil, "any", action, &first, &draft.problems)
        case .nodes(let nodes):
          for node in nodes {
            if let id = node.id { check(id, node.name, action, &first, &draft.problems) }
          }
        }
      }
    }
  }

  /// Removes the routes beyond the limit: `from` and `action` may both be lists, so that even a
  /// small file has many pairs.
  private static func dropRoutes(beyond limit: Int, in draft: inout Draft) {
    var total = 0
    for (index, route) in draft.manifest.routes.enumerated() {
      total += pairs(of: draft.manifest.routes[index...index])
      guard total > limit else { continue }
      draft.problems.append(Diagnostic(.tooManyPairs(limit: limit), at: route.range))
      draft.manifest.routes.removeSubrange(index...)
      return
    }
  }

  private static func pairs(of routes: ArraySlice<Manifest.Route>) -> Int {
    routes.reduce(0) { $0 + $1.actions.count * max(1, $1.source.nodes.count) }
  }

  private static func check(
    _ id: NodeID?, _ name: String, _ action: Located<String>,
    _ first: inout [Pair: SourceRange], _ problems: inout [Diagnostic]
  ) {
    let pair = Pair(node: id, action: action.value)
    if let other = first[pair] {
      problems.append(
        Diagnostic(
          .duplicateRoute(node: name, action: action.value), at: action.range,
          related: .init(.firstDefinition, at: other)))
    } else {
      first[pair] = action.range
    }
  }
}
