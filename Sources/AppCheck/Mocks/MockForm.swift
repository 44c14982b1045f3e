internal import AppCore
internal import Navigation
internal import Support

/// The form of a mock's delegate action: a field for each value that the action carries, and a
/// button.
///
/// A value without a control of its own, such as a list, is entered as JSON.
struct MockForm {
  private struct Field {
    /// The path of its value in the payload; `nil` if it is the whole payload.
    let name: String?
    let label: String
    /// The control's identifier, and the key of the entered value.
    let id: String
    let schema: Schema
    var defaultValue: Value?

    var isOptional: Bool { schema != schema.unwrapped }
    /// Whether it is JSON that may contain a secret; all of it is treated as one then.
    var isSecretJSON: Bool { schema.unwrapped != .secret && schema.mayHoldSecret }
  }

  private let delegate: CaseSchema
  private let fields: [Field]

  init(_ delegate: CaseSchema) {
    self.delegate = delegate
    switch delegate.payload {
    case nil: fields = []
    case .object(let all)?:
      fields = all.map { field in
        Field(
          name: field.name, label: field.name, id: "\(delegate.name)-\(field.name)",
          schema: field.schema, defaultValue: field.defaultValue)
      }
    case .some(let schema):
      fields = [Field(name: nil, label: "value", id: "\(delegate.name)-value", schema: schema)]
    }
  }

  /// The payload with the entered values; `nil` if they do not fit.
  func payload(_ state: InterfaceMock.State) -> Value? {
    guard let entered = entered(state),
      (delegate.payload ?? .object([])).misfit(of: entered) == nil
    else { return nil }
    return entered
  }

  private func entered(_ state: InterfaceMock.State) -> Value? {
    var values: [String: Value] = [:]
    for field in fields {
      guard let value = value(of: field, state) else { return nil }
      guard let name = field.name else { return value }
      values[name] = value
    }
    return .object(values)
  }

  private func value(of field: Field, _ state: InterfaceMock.State) -> Value? {
    let (schema, isOptional) = (field.schema.unwrapped, field.isOptional)
    if case .secret = schema {
      let secret = state.secrets[field.id].map { Value.string($0.revealed) }
      return secret ?? (isOptional ? .null : .string(field.label))
    }
    let hidden = field.isSecretJSON ? state.secrets[field.id] : nil
    guard let entry = hidden.map({ .string($0.revealed) }) ?? state.entries[field.id] else {
      return field.defaultValue ?? field.schema.sample(field.label)
    }
    switch (schema, entry) {
    case (.int, .double(let number)): return Int(exactly: number).map { .int($0) }
    case (.string, .string("")) where isOptional: return .null
    case (.bool, .string(let name)):
      return name == "true" ? true : name == "false" ? false : isOptional ? .null : nil
    case (.choice(let names), .string(let name)):
      return names.contains(name) ? entry : isOptional ? .null : nil
    case (.string, _), (.double, _), (.bool, _): return entry
    case (_, .string(let json)):
      guard let value = try? Value(json: json), field.schema.misfit(of: value) == nil else {
        return nil
      }
      return value
    default: return nil
    }
  }
}

// The screen.
extension MockForm {
  func show(
    _ state: InterfaceMock.State, on screen: inout ScreenBuilder<InterfaceMock.Action>
  ) {
    guard !fields.isEmpty else { return button(state, on: &screen) }
    screen.section(delegate.name) { section in
      for field in fields { show(field, state, on: &section) }
      button(state, on: &section)
    }
  }

  private func button(
    _ state: InterfaceMock.State, on screen: inout ScreenBuilder<InterfaceMock.Action>
  ) {
    screen.button(
      delegate.name, id: delegate.name, isEnabled: payload(state) != nil,
      action: .sent(delegate: delegate.name))
  }

  private func show(
    _ field: Field, _ state: InterfaceMock.State,
    on screen: inout ScreenBuilder<InterfaceMock.Action>
  ) {
    let isOptional = field.isOptional
    let value = value(of: field, state)
    let problem = value == nil ? "'\(field.label)' is \(field.schema)" : nil
    func entered(_ value: Value) -> InterfaceMock.Action.View { .entered(value, field: field.id) }
    switch field.schema.unwrapped {
    case _ where field.isSecretJSON:
      screen.secretField(
        "\(field.label) (JSON)", id: field.id, isSet: state.secrets[field.id] != nil,
        problem: problem
      ) { .enteredSecret($0, field: field.id) }
    case .secret:
      screen.secretField(
        field.label, id: field.id, isSet: !isOptional || state.secrets[field.id] != nil
      ) { .enteredSecret($0, field: field.id) }
    case .string:
      var text = ""
      if case .string(let own)? = value { text = own }
      screen.field(field.label, id: field.id, text: text) { entered(.string($0)) }
    case .int, .double:
      screen.numberField(
        field.label, id: field.id, value: (state.entries[field.id] ?? value)?.number,
        problem: problem
      ) { entered(.double($0)) }
    case .bool where !isOptional:
      screen.toggle(field.label, id: field.id, isOn: value == true) { entered(.bool($0)) }
    case .bool: choice(field, ["true", "false"], value, isOptional, on: &screen)
    case .choice(let names): choice(field, names, value, isOptional, on: &screen)
    default:
      let text: String =
        if case .string(let own)? = state.entries[field.id] { own } else { value?.json ?? "" }
      screen.field(
        "\(field.label) (JSON)", id: field.id, text: text, problem: problem
      ) { entered(.string($0)) }
    }
  }

  private func choice(
    _ field: Field, _ names: [String], _ value: Value?, _ isOptional: Bool,
    on screen: inout ScreenBuilder<InterfaceMock.Action>
  ) {
    var options = names.map { ChoiceOption($0) }
    if isOptional { options.append(ChoiceOption("", label: "nothing")) }
    let selected: String? =
      switch value {
      case .string(let name)?: name
      case .bool(let flag)?: "\(flag)"
      default: isOptional ? "" : nil
      }
    screen.choice(field.label, id: field.id, options: options, selected: selected) {
      .entered(.string($0), field: field.id)
    }
  }
}
