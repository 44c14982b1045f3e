public import AppCore
public import Manifest

/// An address that opens a place in the app, as the graph knows it.
public struct Link: Sendable {
  /// One step on an app in which nothing else is shown.
  public enum Step: Sendable {
    /// `isLiving` means the instance that the link needs, whatever its arguments.
    case push(Target, isLiving: Bool)
    case present(Target)
    case select(node: Int)
  }

  /// The shape of the address.
  public let path: LinkPath
  /// The type of each parameter, inferred from its uses.
  public let types: [String: Schema]
  public let steps: [Step]
  /// The node of which an instance must live before the link opens.
  public let needs: Int?

  /// Creates a link.
  public init(path: LinkPath, types: [String: Schema], steps: [Step], needs: Int? = nil) {
    self.path = path
    self.types = types
    self.steps = steps
    self.needs = needs
  }
}
