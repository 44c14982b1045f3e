/// A feature: what one node of the graph is.
///
/// The life of an instance:
/// 1. a route names its node; the route's payload becomes ``Arguments``.
/// 2. ``initialState(_:)`` makes its state. When that throws, the navigation is refused and
///    nothing has changed.
/// 3. once the instance is part of the graph, ``didStart(_:)`` returns the effects to begin with.
/// 4. its screen sends view actions, its effects internal ones, routes input actions; it answers
///    them in its reducer. Its delegate actions go to the graph and never come back.
/// 5. when its plugin is replaced while the app runs, or the app goes on in another process after a
///    crash, its effects are cancelled, its state goes over to the new feature by its `Codable` form,
///    and ``didRestore(_:)`` returns the effects to go on with.
/// 6. it is removed, by whatever route, or the whole app ends: ``willEnd(_:)`` returns what is still to
///    be done. Its other effects are cancelled, and its state is let go when that is done.
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
  func didStart(_ state: inout State) -> Effect<Action>

  /// What is shown for `state`.
  func screen(_ state: State) -> Screen<Action>

  /// The form of a state that an earlier build of this feature left, as this build reads it.
  ///
  /// It is asked when the plugin is replaced while the app runs, for each instance, if the plugins'
  /// versions differ or ``Reducer/State`` can't be decoded from `old` as it is; where the state conforms
  /// to ``Defaulted``, fields that are new, and those that the returned form lacks, have the values of
  /// its `init()`. By default it returns `old`. Secrets in `old` are not redacted: it is not to be logged.
  ///
  /// ```swift
  /// func migrate(_ old: Value, from version: String) -> Value {
  ///   guard case .object(var fields) = old, fields["notes"] == nil else { return old }
  ///   fields["notes"] = .array(fields["note"].map { [$0] } ?? [])
  ///   return .object(fields)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - old: the state as the former feature encoded it.
  ///   - version: the former plugin's version.
  /// - Returns: what ``Reducer/State`` is decoded from.
  /// - Throws: what keeps the plugin from being replaced; its description is shown.
  static func migrate(_ old: Value, from version: String) throws -> Value

  /// The effects an instance goes on with when its plugin has been replaced, or the app goes on in
  /// another process; by default none.
  ///
  /// Those that the former feature had started are cancelled, so a state that tells of work under
  /// way is to be put right here.
  func didRestore(_ state: inout State) -> Effect<Action>

  /// The effects an instance ends with; by default none.
  ///
  /// It is called whenever an instance goes: on `back`, `dismiss`, `popTo`, `replace`, `reset`, a link
  /// that is opened, and with whatever the instance belongs to. It is called of every instance when the
  /// app ends: on `:quit`, at the end of the input, on SIGTERM, SIGHUP and Ctrl-C; not on a crash or
  /// `kill -9`. What is still to be saved is saved here.
  ///
  /// The effects, and those that their internal actions bring about, may outlive the instance by 5 s;
  /// an app that ends waits for them, less where the system is in a hurry. Delegate actions of an
  /// instance that was removed are dropped. What runs when an instance is removed is cancelled, so an
  /// effect returned here does not rely on an earlier one.
  func willEnd(_ state: inout State) -> Effect<Action>
}

extension Feature {
  public func didStart(_ state: inout State) -> Effect<Action> { .none }

  public static func migrate(_ old: Value, from version: String) throws -> Value { old }

  public func didRestore(_ state: inout State) -> Effect<Action> { .none }

  public func willEnd(_ state: inout State) -> Effect<Action> { .none }
}

/// The arguments of a feature that needs none.
public struct NoArguments: Codable, Hashable, Sendable {
  /// Creates them.
  public init() {}
}
