@_spi(Host) internal import AppCore
internal import Navigation

/// The path from the root of an app to its current instance.
public struct AppPath: Sendable {
  /// How many names ``names`` holds at most.
  public static let limit = 32

  /// The names of the nodes from the root to the current instance.
  ///
  /// If there are more than ``limit``, the first one and the last 31.
  public let names: [String]
  /// The titles of the same nodes; the name of a node that has no title.
  public let titles: [String]
  /// How many instances the whole path has.
  public let depth: Int
}

extension App {
  /// The path from the root to the current instance.
  ///
  /// - Complexity: O(1), whatever the depth: at most ``AppPath/limit`` instances are visited.
  public var path: AppPath {
    let state = shownState
    let ids = state.path(limit: AppPath.limit)
    let nodes = ids.compactMap { state.instances[$0].map { graph.nodes[$0.node] } }
    let depth = state.current.flatMap { state.instances[$0]?.depth } ?? 0
    return AppPath(
      names: nodes.map(\.name), titles: nodes.map { $0.title ?? $0.name }, depth: depth)
  }

  /// The current position as a link: every node with its arguments, modals marked with `!`.
  ///
  /// A secret argument is replaced by `…`. The middle of a long path is left out unless `isFull`.
  ///
  /// - Complexity: O(depth) if `isFull`, else O(1).
  public func position(isFull: Bool) -> String {
    var writer = PositionWriter(graph: graph, state: shownState)
    return writer.text(limit: isFull ? .max : AppPath.limit)
  }

  /// Why the full position can't be opened again; `nil` if it can.
  ///
  /// The reason is a secret argument, which a position leaves out.
  ///
  /// - Complexity: O(depth).
  public var positionRemark: String? {
    var writer = PositionWriter(graph: graph, state: shownState)
    _ = writer.text()
    return writer.secret.map { secret in
      "this position can't be reopened: '\(secret.argument)' of '\(secret.node)' is secret and was "
        + "left out"
    }
  }

  /// Whether the current instance is in a modal.
  package var isInModal: Bool {
    let navigation = shownState.navigation
    return navigation.topLayer != navigation.rootLayer
  }
}
