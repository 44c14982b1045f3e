/// The actions of a feature, sorted by who may send them.
///
/// | kind | sent by |
/// | --- | --- |
/// | view | the feature's own screen |
/// | internal | the feature's own effects |
/// | delegate | the feature's own effects, to the graph; the feature never receives it |
/// | input | a route, from another feature's delegate action |
///
/// An enum conforms by declaring the types it needs and a case for each of them:
///
/// ```swift
/// enum Action: FeatureAction {
///   enum View: Codable, Sendable { case addTapped }
///   enum Delegate: Codable, Sendable { case added(name: String) }
///   case view(View)
///   case delegate(Delegate)
/// }
/// ```
///
/// A kind that isn't declared is `Never`, so no such action can be created. Further cases hold the
/// actions of child reducers, as in `case editor(Editor.Action)`.
public protocol FeatureAction: BoundedAction where Boundary == FeatureBoundary {
  associatedtype View: Codable & Sendable = Never
  associatedtype Internal: Sendable = Never
  associatedtype Delegate: Codable & Sendable = Never
  associatedtype Input: Codable & Sendable = Never

  /// An action that the screen sends.
  static func view(_ action: View) -> Self
  /// An action that the feature's own effects send.
  static func `internal`(_ action: Internal) -> Self
  /// An action for the graph, or for the parent that composed this feature.
  static func delegate(_ action: Delegate) -> Self
  /// An action that a route made from another feature's delegate action.
  static func input(_ action: Input) -> Self
}

extension FeatureAction where View == Never {
  public static func view(_ action: Never) -> Self {}
}

extension FeatureAction where Internal == Never {
  public static func `internal`(_ action: Never) -> Self {}
}

extension FeatureAction where Delegate == Never {
  public static func delegate(_ action: Never) -> Self {}
}

extension FeatureAction where Input == Never {
  public static func input(_ action: Never) -> Self {}
}

/// The actions of a reducer that is only a component of others: no screen, no routes, no boundary.
///
/// Its effects may send any of its actions.
public protocol ComponentAction: BoundedAction where Boundary == NoBoundary {}

/// A ``FeatureAction`` or a ``ComponentAction``.
///
/// No type can be both, also by an extension elsewhere: a component's effects may send actions that a
/// feature's may not.
public protocol BoundedAction: Sendable {
  associatedtype Boundary
}

/// The boundary of a ``FeatureAction``: each kind of action has its own senders.
@frozen
public enum FeatureBoundary {}

/// A ``ComponentAction`` has no kinds: its effects may send any action.
@frozen
public enum NoBoundary {}
