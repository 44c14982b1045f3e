public import AppCore
public import Support

/// A link with resolved names: an address that opens a place in the app.
public struct Link: Sendable {
  /// One step, starting from an app in which nothing is shown.
  public enum Step: Sendable {
    /// If `isLiving`, the existing instance that the link needs is used, whatever its arguments.
    case push(Target, isLiving: Bool)
    case present(Target)
    case select(node: Int)
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
