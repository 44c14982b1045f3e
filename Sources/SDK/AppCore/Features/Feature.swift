/// A feature: what one node of the graph is.
///
/// The life of an instance:
/// 1. a route names its node; the route's payload becomes ``Arguments``.
/// 2. ``initialState(_:)`` makes its state. When that throws, the navigation is refused and
///    nothing has changed.
/// 3. once the instance is part of the graph, ``start(_:)`` returns the effects to begin with.
/// 4. its screen sends view actions, its effects internal ones, routes input actions; it answers
///    them in its reducer. Its delegate actions go to the graph and never come back.
/// 5. it is dismissed: its state is let go and its effects are cancelled.
///
/// What the instances of a plugin share (a parsed file, a connection) is no state: the plugin owns
/// it and hands it to its features when it makes them.
public protocol Feature: Reducer, Sendable
where Action: FeatureAction, State: Codable & Sendable {
  /// What a route must supply.
  associatedtype Arguments: Codable & Sendable = NoArguments

  /// The state of a new instance.
  ///
  /// - Throws: anything that keeps the instance from being presented; its description is shown.
  func initialState(_ arguments: Arguments) throws -> State

  /// The effects a new instance begins with; by default none.
  func start(_ state: inout State) -> Effect<Action>

  /// What is shown for `state`.
  func screen(_ state: State) -> Screen<Action>
}

extension Feature {
  public func start(_ state: inout State) -> Effect<Action> { .none }
}

/// The arguments of a feature that needs none.
public struct NoArguments: Codable, Hashable, Sendable {
  /// Creates them.
  public init() {}
}
