public import AppCore

/// What the root store takes: an action for an instance, or one for the navigation.
public enum AppAction: ComponentAction {
  /// An action of the instance's feature.
  case instance(InstanceID, AnyAction)
  /// What a person asks for in the shell.
  case navigate(Navigation)

  /// What a person asks for in the shell, anchored at the current instance.
  public enum Navigation: Hashable, Sendable {
    /// Shows the start node; the first action of every app.
    case begin
    case back
    case dismiss
    /// Selects the tab of a node.
    case select(node: Int)
  }
}
