/// A loaded feature behind a type-erased interface for the host.
///
/// Belongs to one app and is used only on that app's store thread.
@_spi(Host)
public final class LoadedFeature {
  let box: any AnyFeature

  init(box: any AnyFeature) { self.box = box }

  /// The feature's description.
  public var info: FeatureInfo { box.info }

  /// The state of a new instance.
  ///
  /// - Throws: `DecodingError` if `arguments` do not fit, and what the feature throws.
  public func makeState(_ arguments: Value) throws -> InstanceState {
    InstanceState(box: try box.makeState(arguments))
  }

  /// The effects that a new instance starts with.
  public func didStart(_ state: inout InstanceState) -> Effect<AnyAction> {
    box.didStart(&state.box)
  }

  /// The effects an instance ends with, because it is removed or the app ends.
  public func willEnd(_ state: inout InstanceState) -> Effect<AnyAction> {
    box.willEnd(&state.box)
  }

  /// Changes the state in response to an action of this feature.
  ///
  /// - Returns: what is to happen next.
  /// - Complexity: that of the feature's reducer; nothing is allocated.
  public func take(_ state: inout InstanceState, _ action: AnyAction) -> TakenAction {
    box.take(&state.box, action)
  }

  /// Changes the state in response to an action of this feature; a delegate action changes nothing.
  public func reduce(_ state: inout InstanceState, _ action: AnyAction) -> Effect<AnyAction> {
    if case .reduced(let effect) = take(&state, action) { effect } else { .none }
  }

  /// What is shown for the state.
  public func screen(_ state: InstanceState) -> ErasedScreen { box.screen(state.box) }

  /// The delegate action that `action` is; `nil` for the other kinds.
  ///
  /// - Throws: what the action's own coding throws.
  public func delegate(of action: AnyAction) throws -> (name: String, payload: Value)? {
    try box.delegate(of: action).map { ($0.name, $0.payload) }
  }

  /// The input action of the case `name`.
  ///
  /// - Throws: `DecodingError` if there is no such case or `payload` does not fit.
  public func input(_ name: String, payload: Value) throws -> AnyAction {
    try box.input(name, payload: payload)
  }

  /// The delegate action of the case `name`, as the feature itself would emit it.
  ///
  /// - Throws: `DecodingError` if there is no such case or `payload` does not fit.
  public func delegate(_ name: String, payload: Value) throws -> AnyAction {
    try box.delegate(name, payload: payload)
  }

  /// The state in structural form, with its secrets: for ``decode(_:)``, never to be shown.
  public func encode(_ state: InstanceState) throws -> Value {
    try box.encode(state.box, for: .storage)
  }

  /// The state in structural form for people: a secret is `"<secret>"`.
  public func dump(_ state: InstanceState) throws -> Value {
    try box.encode(state.box, for: .people)
  }

  /// The state of its structural form.
  public func decode(_ state: Value) throws -> InstanceState {
    InstanceState(box: try box.decode(state))
  }

  /// The action for people to read.
  public func describe(_ action: AnyAction) -> String { action.text }
}

/// What happened to an action that was passed to a feature.
@_spi(Host)
@frozen
public enum TakenAction {
  /// It was reduced, and this is to happen next.
  case reduced(Effect<AnyAction>)
  /// It is a delegate action, which is for the graph and changed nothing here.
  case delegate
  /// It is an action of an earlier build; it changed nothing.
  case foreign
}

@_spi(Host)
extension AnyAction {
  /// The action for people to read; secrets are redacted.
  public var text: String { box.line }
}

/// The state of one instance: one reference, shared until it is written.
@_spi(Host)
@frozen
public struct InstanceState: Sendable {
  @usableFromInline var box: AnyStateBox

  init(box: AnyStateBox) { self.box = box }

  /// Whether both share one box: neither has been written since one was copied from the other.
  public func isIdentical(to other: InstanceState) -> Bool { box === other.box }
}

/// A feature's screen, its action type hidden.
@_spi(Host)
public struct ErasedScreen {
  /// What is shown.
  public let content: ScreenContent
  /// The action that takes the place of going back.
  public let back: AnyAction?
  let respond: (_ control: Int, _ input: ControlInput) -> AnyAction?

  /// The action that `input` to a control sends; `nil` if it can't.
  public func action(control: Int, input: ControlInput) -> AnyAction? { respond(control, input) }
}
