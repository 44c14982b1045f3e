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

  /// The effects that an instance ends with when it is removed or the app ends.
  public func willEnd(_ state: inout InstanceState) -> Effect<AnyAction> {
    box.willEnd(&state.box)
  }

  /// Changes the state in response to an action of this feature.
  ///
  /// - Returns: the kind of the action and, if it was reduced, its effect.
  /// - Complexity: that of the feature's reducer. Nothing else is allocated, except for an effect
  ///   or if the state is shared.
  public func take(_ state: inout InstanceState, _ action: AnyAction) -> TakenAction {
    box.take(&state.box, action)
  }

  /// Changes the state in response to an action of this feature; a delegate action changes nothing.
  public func reduce(_ state: inout InstanceState, _ action: AnyAction) -> Effect<AnyAction> {
    if case .reduced(let effect) = take(&state, action) { effect } else { .none }
  }

  /// The screen for the state.
  public func screen(_ state: InstanceState) -> ErasedScreen { box.screen(state.box) }

  /// The name and the payload of a delegate action; `nil` for other kinds of actions.
  ///
  /// - Throws: any error of encoding the action.
  public func delegate(of action: AnyAction) throws -> (name: String, payload: Value)? {
    try box.delegate(of: action).map { ($0.name, $0.payload) }
  }

  /// Creates the input action of the case `name`.
  ///
  /// - Throws: `DecodingError` if there is no such case or `payload` does not fit.
  public func input(_ name: String, payload: Value) throws -> AnyAction {
    try box.input(name, payload: payload)
  }

  /// Creates the delegate action of the case `name`, as the feature itself would emit it.
  ///
  /// - Throws: `DecodingError` if there is no such case or `payload` does not fit.
  public func delegate(_ name: String, payload: Value) throws -> AnyAction {
    try box.delegate(name, payload: payload)
  }

  /// Encodes the state with its secrets, for ``decode(_:)``; the result must not be shown.
  public func encode(_ state: InstanceState) throws -> Value {
    try box.encode(state.box, for: .storage)
  }

  /// Encodes the state for people to read: a secret becomes `"<secret>"`.
  public func dump(_ state: InstanceState) throws -> Value {
    try box.encode(state.box, for: .people)
  }

  /// Decodes a state from the form that ``encode(_:)`` returns.
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
  /// It was reduced, and its effect is this.
  case reduced(Effect<AnyAction>)
  /// It is a delegate action, which is for the graph; it changed nothing here.
  case delegate
  /// It is an action of an earlier build; it changed nothing.
  case foreign
}

@_spi(Host)
extension AnyAction {
  /// The action for people to read; secrets are redacted.
  public var text: String { box.line }
}

/// The state of one instance: a copy-on-write reference.
@_spi(Host)
@frozen
public struct InstanceState: Sendable {
  @usableFromInline var box: AnyStateBox

  init(box: AnyStateBox) { self.box = box }

  /// Whether both share one box: neither has been written since one was copied from the other.
  public func isIdentical(to other: InstanceState) -> Bool { box === other.box }
}

/// A feature's screen with type-erased actions.
@_spi(Host)
public struct ErasedScreen {
  /// The content of the screen.
  public let content: ScreenContent
  /// The action that is sent instead of going back; `nil` if `back` just goes back.
  public let back: AnyAction?
  /// The actions that are sent when the screen is first shown.
  public let tasks: [ScreenTask<AnyAction>]
  let respond: (_ control: Int, _ input: ControlInput) -> AnyAction?

  /// The action that `input` to a control sends; `nil` if the control does not accept it.
  public func action(control: Int, input: ControlInput) -> AnyAction? { respond(control, input) }
}
