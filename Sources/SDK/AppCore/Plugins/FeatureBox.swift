/// The implementation of a type-erased feature.
final class FeatureBox<F: Feature>: AnyFeature {
  let info: FeatureInfo
  private let step: FeatureStep
  private let feature: F
  private let boundary = ActionBoundary<F.Action>()
  // Created once: looking up the case costs as much as taking a route.
  private let delegatePath = CasePath(reflecting: F.Action.delegate)
  private let delegateCases: [PayloadCase]
  private let inputCases: [PayloadCase]
  private let isDefaulted = F.State.self is any Defaulted.Type

  init(
    _ feature: F, info: FeatureInfo, step: FeatureStep, delegates: [PayloadCase],
    inputs: [PayloadCase]
  ) {
    self.feature = feature
    self.info = info
    self.step = step
    delegateCases = delegates
    inputCases = inputs
  }

  func makeState(_ arguments: Value) throws -> AnyStateBox {
    StateBox(try feature.initialState(decodeArguments(F.Arguments.self, from: arguments)))
  }

  func take(_ state: inout AnyStateBox, _ action: AnyAction) -> TakenAction {
    let outcome = step.run(&state, action)
    return switch outcome.kind {
    case .reduced: .reduced(outcome.effect)
    case .delegate: .delegate
    case .foreign: .foreign
    }
  }

  func didStart(_ state: inout AnyStateBox) -> Effect<AnyAction> {
    feature.didStart(&unique(&state).state).erased()
  }

  func screen(_ state: AnyStateBox) -> ErasedScreen {
    let screen = feature.screen(typed(state).state)
    let assembled = screen.assembled()
    return ErasedScreen(
      content: assembled.content, back: screen.backAction.map(Self.erase),
      tasks: assembled.tasks.map { $0.map(Self.erase) },
      respond: { assembled.action(control: $0, input: $1).map(Self.erase) })
  }

  func delegate(of action: AnyAction) throws -> DelegateEvent? {
    let action = typed(action)
    guard boundary.isDelegate(action), let delegate = delegatePath.extract(action) else {
      return nil
    }
    return try DelegateEvent(delegate, cases: delegateCases)
  }

  func input(_ name: String, payload: Value) throws -> AnyAction {
    if let bare = bareValue(F.Action.Input.self, name) { return Self.erase(.input(bare)) }
    let coded = try coded(name, payload, among: inputCases, kind: "input")
    return Self.erase(.input(try ValueDecoder().decode(F.Action.Input.self, from: coded)))
  }

  func delegate(_ name: String, payload: Value) throws -> AnyAction {
    if let bare = bareValue(F.Action.Delegate.self, name) { return Self.erase(.delegate(bare)) }
    let coded = try coded(name, payload, among: delegateCases, kind: "delegate")
    return Self.erase(.delegate(try ValueDecoder().decode(F.Action.Delegate.self, from: coded)))
  }

  /// The value of the case `name`; `nil` if it has a payload, or if there is no such case.
  private func bareValue<T>(_ type: T.Type, _ name: String) -> T? {
    guard let metadata = EnumMetadata(type), let tag = metadata.tag(named: name) else { return nil }
    return metadata.bareValue(type, tag: tag)
  }

  /// The encoded form of the case `name` with its payload.
  private func coded(
    _ name: String, _ payload: Value, among cases: [PayloadCase], kind: String
  ) throws -> Value {
    guard let entry = cases.first(where: { $0.schema.name == name }) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: [], debugDescription: "there is no \(kind) '\(name)'"))
    }
    return .object([name: entry.isSingle ? .object(["_0": payload]) : payload])
  }

  func action(_ coded: Value) throws -> AnyAction? {
    try ActionCoding.decode(F.Action.self, from: coded).map(Self.erase)
  }

  func encode(_ state: AnyStateBox, for purpose: ValueEncoder.Purpose) throws -> Value {
    try ValueEncoder(for: purpose).encode(typed(state).state)
  }

  func decode(_ state: Value) throws -> AnyStateBox {
    StateBox(try ValueDecoder().decode(F.State.self, from: state))
  }

  func isOwn(_ state: AnyStateBox) -> Bool {
    state.type == ObjectIdentifier(F.State.self)
  }

  func completed(_ state: Value) -> Value {
    guard isDefaulted, case .object(let own) = state,
      let defaults = Schema.defaults(of: F.State.self)
    else { return state }
    return .object(defaults.merging(own) { $1 })
  }

  func take(over state: Value) throws -> AnyStateBox {
    let state = completed(state)
    return StateBox(try ValueDecoder(for: .takingOver).decode(F.State.self, from: state))
  }

  func migrate(_ old: Value, from version: String) throws -> Value {
    try F.migrate(old, from: version)
  }

  func didRestore(_ state: inout AnyStateBox) -> Effect<AnyAction> {
    feature.didRestore(&unique(&state).state).erased()
  }

  func willEnd(_ state: inout AnyStateBox) -> Effect<AnyAction> {
    feature.willEnd(&unique(&state).state).erased()
  }

  private static func erase(_ action: F.Action) -> AnyAction { AnyAction(box: ActionBoxOf(action)) }

  private func typed(_ action: AnyAction) -> F.Action { action.typed(F.Action.self) }

  private func typed(_ state: AnyStateBox) -> StateBox<F.State> { state.typed(F.State.self) }

  /// The box of the state, which is copied first if it is shared.
  private func unique(_ state: inout AnyStateBox) -> StateBox<F.State> {
    if !isKnownUniquelyReferenced(&state) { state = StateBox(typed(state).state) }
    return typed(state)
  }
}

extension DelegateEvent {
  fileprivate init<D: Encodable>(_ delegate: D, cases: [PayloadCase]) throws {
    guard let metadata = EnumMetadata(D.self) else {
      try self.init(declared: delegate, cases: cases)
      return
    }
    let tag = metadata.tag(of: delegate)
    guard cases.indices.contains(tag) else { throw Self.notCoded(delegate) }
    let entry = cases[tag]
    let payload: Value =
      entry.schema.payload == nil
      ? .object([:]) : entry.payload(of: try Self.field(of: delegate).value)
    self.init(name: entry.schema.name, payload: payload)
  }

  /// Creates the event of a delegate type that is not an enum but is encoded like one.
  private init(declared delegate: some Encodable, cases: [PayloadCase]) throws {
    let field = try Self.field(of: delegate)
    guard let entry = cases.first(where: { $0.schema.name == field.key }) else {
      throw Self.notCoded(delegate)
    }
    self.init(name: field.key, payload: entry.payload(of: field.value))
  }

  /// The single field, named for the case, of an encoded delegate action.
  private static func field(of delegate: some Encodable) throws -> (key: String, value: Value) {
    guard case .object(let fields) = try ValueEncoder().encode(delegate), fields.count == 1,
      let field = fields.first
    else { throw notCoded(delegate) }
    return field
  }

  private static func notCoded(_ delegate: some Encodable) -> EncodingError {
    .invalidValue(
      delegate,
      .init(
        codingPath: [],
        debugDescription: "the delegate action is not coded as its case's name and values"))
  }
}

extension PayloadCase {
  /// The value of `$` for an encoded payload.
  fileprivate func payload(of coded: Value) -> Value { isSingle ? coded["_0"] ?? .null : coded }
}

/// Decodes arguments or a configuration; missing and null fields of `value` get their defaults.
func decodeArguments<T: Decodable>(_ type: T.Type, from value: Value) throws -> T {
  var value = value
  if value == .null { value = .object([:]) }
  if let defaults = Schema.defaults(of: type), case .object(let fields) = value {
    value = .object(
      defaults.merging(fields) { old, new in new == .null ? old : new })
  }
  return try ValueDecoder().decode(type, from: value)
}
