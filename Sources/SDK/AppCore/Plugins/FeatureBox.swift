/// The implementation of a type-erased feature.
final class FeatureBox<F: Feature>: AnyFeature {
  let info: FeatureInfo
  private let step: FeatureStep
  private let feature: F
  private let boundary = ActionBoundary(F.Action.self)
  // Created once: looking up the case costs as much as taking a route.
  private let delegatePath = CasePath(reflecting: F.Action.delegate)
  private let delegateCases: [PayloadCase]
  private let inputCases: [PayloadCase]
  private let isDefaulted = F.State.self is any Defaulted.Type
  /// The names of the state's fields with a default; `nil` until a state lacks a field.
  private let defaultedNames = Guarded<[String]?>(nil)

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

  func makeState(_ arguments: Value) throws -> InstanceState {
    made(try feature.initialState(decodeArguments(F.Arguments.self, from: arguments)))
  }

  func reduce(_ state: inout InstanceState, _ action: AnyAction) -> FeatureOutcome {
    step.run(&state.box, action)
  }

  func didStart(_ state: inout InstanceState) -> Effect<AnyAction> {
    feature.didStart(&unique(&state).state).erased()
  }

  func didRestore(_ state: inout InstanceState) -> Effect<AnyAction> {
    feature.didRestore(&unique(&state).state).erased()
  }

  func willEnd(_ state: inout InstanceState) -> Effect<AnyAction> {
    feature.willEnd(&unique(&state).state).erased()
  }

  func screen(_ state: InstanceState) -> ErasedScreen {
    feature.screen(typed(state).state).assembled().map { AnyAction($0) }
  }

  func delegate(of action: AnyAction) throws -> (name: String, payload: Value)? {
    let action = action.typed(F.Action.self)
    guard boundary.isDelegate(action), let delegate = delegatePath.extract(action) else {
      return nil
    }
    guard let metadata = EnumMetadata(F.Action.Delegate.self) else {
      // A declared feature's type, which is not an enum but is encoded like one.
      let field = try Self.field(of: delegate)
      guard let entry = delegateCases.first(where: { $0.schema.name == field.key }) else {
        throw Self.notCoded(delegate)
      }
      return (field.key, entry.payload(of: field.value))
    }
    let tag = metadata.tag(of: delegate)
    guard delegateCases.indices.contains(tag) else { throw Self.notCoded(delegate) }
    let entry = delegateCases[tag]
    guard entry.schema.payload != nil else { return (entry.schema.name, .object([:])) }
    return (entry.schema.name, entry.payload(of: try Self.field(of: delegate).value))
  }

  /// The single field, named for the case, of an encoded delegate action.
  private static func field(of delegate: F.Action.Delegate) throws -> (key: String, value: Value) {
    guard case .object(let fields) = try ValueEncoder().encode(delegate), fields.count == 1,
      let field = fields.first
    else { throw notCoded(delegate) }
    return field
  }

  private static func notCoded(_ delegate: F.Action.Delegate) -> EncodingError {
    .invalidValue(
      delegate,
      .init(
        codingPath: [],
        debugDescription: "the delegate action is not coded as its case's name and values"))
  }

  func input(_ name: String, payload: Value) throws -> AnyAction {
    if let bare = bareValue(F.Action.Input.self, name) { return AnyAction(F.Action.input(bare)) }
    let coded = try coded(name, payload, among: inputCases, kind: "input")
    let action = try ValueDecoder().decode(F.Action.Input.self, from: coded)
    return AnyAction(F.Action.input(action))
  }

  func delegate(_ name: String, payload: Value) throws -> AnyAction {
    if let bare = bareValue(F.Action.Delegate.self, name) {
      return AnyAction(F.Action.delegate(bare))
    }
    let coded = try coded(name, payload, among: delegateCases, kind: "delegate")
    let action = try ValueDecoder().decode(F.Action.Delegate.self, from: coded)
    return AnyAction(F.Action.delegate(action))
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
    try ActionCoding.decode(F.Action.self, from: coded).map { AnyAction($0) }
  }

  func encode(_ state: InstanceState) throws -> Value { try encode(state, for: .storage) }

  func dump(_ state: InstanceState) throws -> Value { try encode(state, for: .people) }

  func encodeCarried(_ state: InstanceState) throws -> Value {
    try encode(state, for: .takingOver)
  }

  private func encode(
    _ state: InstanceState, for purpose: ValueEncoder.Purpose
  ) throws -> Value {
    let encoded = try ValueEncoder(for: purpose).encode(typed(state).state)
    guard isDefaulted, !encoded.isWhole(F.State.self) else { return encoded }
    let names = defaultedNames.value ?? Schema.defaultedNames(of: F.State.self)
    defaultedNames.value = names
    return encoded.addingNulls(for: names)
  }

  func decode(_ state: Value) throws -> InstanceState {
    made(try ValueDecoder().decodeDefaulted(F.State.self, from: state))
  }

  func decodeCarried(_ state: Value) throws -> InstanceState {
    made(try ValueDecoder(for: .takingOver).decodeDefaulted(F.State.self, from: completed(state)))
  }

  func completed(_ state: Value) -> Value {
    isDefaulted ? state.addingDefaults(of: F.State.self) : state
  }

  func migrate(_ old: Value, from version: String) throws -> Value {
    try F.migrate(old, from: version)
  }

  func isOwn(_ state: InstanceState) -> Bool { state.box.type == ObjectIdentifier(F.State.self) }

  private func made(_ state: F.State) -> InstanceState { InstanceState(box: StateBox(state)) }

  private func typed(_ state: InstanceState) -> StateBox<F.State> { state.box.typed(F.State.self) }

  /// The box of the state, which is copied first if it is shared.
  private func unique(_ state: inout InstanceState) -> StateBox<F.State> {
    if !isKnownUniquelyReferenced(&state.box) { state = made(typed(state).state) }
    return typed(state)
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
  if case .object(let fields) = value,
    let defaults = Schema.defaults(of: type, missingIn: fields)
  {
    value = .object(
      defaults.merging(fields) { old, new in new == .null ? old : new })
  }
  return try ValueDecoder().decode(type, from: value)
}
