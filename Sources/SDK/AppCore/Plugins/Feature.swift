/// A feature: the content of one node of the graph.
///
/// The life of an instance:
/// 1. a route names its node; the route's payload becomes ``Arguments``.
/// 2. ``initialState(_:)`` makes its state. If that throws, the step is rejected and nothing
///    changes.
/// 3. once the instance is part of the graph, ``didStart(_:)`` returns the effects to start with.
/// 4. its screen sends view actions, its effects internal actions, and routes input actions; its
///    reducer handles them. Its delegate actions go to the graph and are never reduced.
/// 5. when its plugin is replaced while the app runs, or the app is restored in another process
///    after a crash, its effects are cancelled, its state is carried over to the new feature in its
///    `Codable` form, and ``didRestore(_:)`` returns the effects to continue with.
/// 6. a route removes it, or the app ends: ``willEnd(_:)`` returns the work that remains.
///    Its other effects are cancelled, and its state is released when that work is done.
///
/// Data that the instances of a plugin share (a parsed file, a connection) is not state: the plugin
/// owns it and passes it to its features when it creates them.
public protocol Feature: Reducer, Sendable
where Action: FeatureAction, State: Codable & Sendable {
  /// The arguments that a route must supply.
  associatedtype Arguments: Codable & Sendable = NoArguments

  /// The state of a new instance.
  ///
  /// - Throws: an error if the instance can't be presented; its description is shown.
  func initialState(_ arguments: Arguments) throws -> State

  /// The effects that a new instance starts with; by default none.
  func didStart(_ state: inout State) -> Effect<Action>

  /// The screen for `state`.
  func screen(_ state: State) -> Screen<Action>

  /// Converts the encoded state of an earlier build of this feature to the form of this build.
  ///
  /// It is called for each instance when the plugin is replaced while the app runs, or when a saved
  /// state is restored, if the plugin's version differs or ``Reducer/State`` can't be decoded from
  /// `old`. If the state conforms to ``Defaulted``, fields that are missing in the returned form
  /// have the values of its `init()`; one that is `nil` in spite of its default is null in `old`. By
  /// default it returns `old`. Secrets in `old` are not redacted: don't log it.
  ///
  /// ```swift
  /// func migrate(_ old: Value, from version: String) -> Value {
  ///   var new = old
  ///   if new["notes"] == nil { new["notes"] = .array(old["note"].map { [$0] } ?? []) }
  ///   return new
  /// }
  /// ```
  ///
  /// - Throws: an error if the state can't be converted; a plugin is then not replaced, and the
  ///   error's description is shown.
  static func migrate(_ old: Value, from version: String) throws -> Value

  /// The effects that an instance continues with after its plugin has been replaced or the app has
  /// been restored in another process; by default none.
  ///
  /// The effects of the old feature have been cancelled. If the state says that work is in
  /// progress, correct it here.
  func didRestore(_ state: inout State) -> Effect<Action>

  /// The effects that an instance ends with; by default none.
  ///
  /// It is called whenever an instance is removed: on `back`, `dismiss`, `popTo`, `replace`,
  /// `reset`, a link that is opened, and together with the screen or container that it belongs to.
  /// It is also called on every instance when the app ends: on `:quit`, at the end of the input, on
  /// SIGTERM, SIGHUP and Ctrl-C; not on a crash or `kill -9`. Save unsaved data here.
  ///
  /// The effects, and those that their internal actions start, may outlive the instance by up to
  /// 5 s. An app that ends waits for them; if the process was ended by `exit`, it waits only 1 s.
  /// Delegate actions of a removed instance are dropped. Running effects are cancelled when an
  /// instance is removed, so an effect returned here must not rely on an earlier one.
  func willEnd(_ state: inout State) -> Effect<Action>
}

extension Feature {
  public func didStart(_ state: inout State) -> Effect<Action> { .none }

  public static func migrate(_ old: Value, from version: String) throws -> Value { old }

  public func didRestore(_ state: inout State) -> Effect<Action> { .none }

  public func willEnd(_ state: inout State) -> Effect<Action> { .none }
}

/// The arguments of a feature that needs none.
@frozen
public struct NoArguments: Codable, Hashable, Sendable {
  public init() {}
}
