public import AppCore
public import Support

/// A link with resolved names: an address that opens a place in the app.
public struct Link: Sendable {
  /// One step, starting from an app in which nothing is shown.
  public enum Step: Hashable, Sendable {
    /// If `isLiving`, the existing instance that the link needs is used, whatever its arguments.
    case push(Target, isLiving: Bool)
    case present(Target)
    case select(node: Int)
    /// Selects the tab whose own node is `tab`, with the target as its root; only positions have it.
    case root(Target, tab: Int)
  }

  /// The shape of the address.
  public let path: LinkPath
  /// The type of each parameter, inferred from its uses.
  public let types: [String: Schema]
  public let steps: [Step]
  /// The node of which an instance must exist before the link opens; `nil` if none is needed.
  public let needs: Int?

  public init(path: LinkPath, types: [String: Schema], steps: [Step], needs: Int? = nil) {
    self.path = path
    self.types = types
    self.steps = steps
    self.needs = needs
  }
}

extension Link.Step {
  /// The target of the step; without arguments for `select`.
  package var target: Target {
    switch self {
    case .push(let target, _), .present(let target), .root(let target, _): target
    case .select(let node): Target(node: node)
    }
  }

  /// The keyword in manifests.
  package var word: String {
    switch self {
    case .push: "push"
    case .present: "present"
    case .select, .root: "select"
    }
  }

  func with(_ target: Target) -> Self {
    switch self {
    case .push(_, let isLiving): .push(target, isLiving: isLiving)
    case .present: .present(target)
    case .select: .select(node: target.node)
    case .root(_, let tab): .root(target, tab: tab)
    }
  }
}
