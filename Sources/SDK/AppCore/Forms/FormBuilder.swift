extension ScreenBuilder where Action.View: BindableAction {
  /// Adds fields that are bound to properties of the state; see ``BindingAction``.
  public mutating func form(
    _ state: Action.View.State, build: (inout FormBuilder<Action>) -> Void
  ) {
    var form = FormBuilder(screen: self, state: state)
    build(&form)
    self = form.screen
  }
}

/// Adds the fields of a form to a screen.
///
/// A field's `id`, for scripts, is by default the name of its property. A field that is bound to a
/// computed property or an element of an array needs one: it names the field's actions.
public struct FormBuilder<Action: FeatureAction> where Action.View: BindableAction {
  /// The state whose properties the fields change.
  public typealias State = Action.View.State
  /// A property of the state.
  public typealias Field<Value> = any WritableKeyPath<State, Value> & Sendable

  /// The screen, for content between the fields.
  public var screen: ScreenBuilder<Action>
  private let state: State

  init(screen: ScreenBuilder<Action>, state: State) {
    self.screen = screen
    self.state = state
  }

  /// Adds a titled group.
  public mutating func section(_ title: String, build: (inout FormBuilder) -> Void) {
    let state = state
    screen.section(title) { inner in
      var form = FormBuilder(screen: inner, state: state)
      build(&form)
      inner = form.screen
    }
  }

  /// Adds a field for a line of text, or for several; see ``ScreenBuilder``.
  public mutating func field(
    _ label: String, _ field: Field<String>, id: String? = nil, placeholder: String? = nil,
    isMultiline: Bool = false, problem: String? = nil, isEnabled: Bool = true
  ) {
    screen.field(
      label, id: name(field, id), text: state[keyPath: field], placeholder: placeholder,
      isMultiline: isMultiline, problem: problem, isEnabled: isEnabled
    ) { .binding(.set(field, $0)) }
  }

  /// Adds a field for a line of text, of which each change is sent while one types.
  public mutating func field(
    _ label: String, _ field: Field<String>, id: String? = nil, placeholder: String? = nil,
    isLive: Bool, problem: String? = nil, isEnabled: Bool = true
  ) {
    self.field(
      label, field, id: id, placeholder: placeholder, isLive: isLive, suggestions: [],
      problem: problem, isEnabled: isEnabled)
  }

  /// Adds a field for a line of text that suggests texts; see ``ScreenBuilder``.
  public mutating func field(
    _ label: String, _ field: Field<String>, id: String? = nil, placeholder: String? = nil,
    isLive: Bool = false, suggestions: [String], problem: String? = nil, isEnabled: Bool = true
  ) {
    screen.field(
      label, id: name(field, id), text: state[keyPath: field], placeholder: placeholder,
      isLive: isLive, suggestions: suggestions, problem: problem, isEnabled: isEnabled
    ) { .binding(.set(field, $0)) }
  }

  /// Adds a field for a number.
  public mutating func field(
    _ label: String, _ field: Field<Double>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    let text = ScreenBuilder<Action>.text(state[keyPath: field])
    number(label, field, id, text, isWhole: false, problem, isEnabled) { $0 }
  }

  /// Adds a field for a number that may be missing until one is typed.
  public mutating func field(
    _ label: String, _ field: Field<Double?>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    let text = state[keyPath: field].map(ScreenBuilder<Action>.text)
    number(label, field, id, text, isWhole: false, problem, isEnabled) { $0 }
  }

  /// Adds a field for a whole number; input with a fraction is rejected.
  public mutating func field(
    _ label: String, _ field: Field<Int>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    let text = String(state[keyPath: field])
    number(label, field, id, text, isWhole: true, problem, isEnabled) { Int($0) }
  }

  /// Adds a field for a whole number that may be missing until one is typed.
  public mutating func field(
    _ label: String, _ field: Field<Int?>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    let text = state[keyPath: field].map { String($0) }
    number(label, field, id, text, isWhole: true, problem, isEnabled) { Int($0) }
  }

  /// Adds a field for a date.
  public mutating func field(
    _ label: String, _ field: Field<CalendarDate>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    screen.dateField(
      label, id: name(field, id), value: state[keyPath: field], problem: problem,
      isEnabled: isEnabled
    ) { .binding(.set(field, $0)) }
  }

  /// Adds a field for a date that may be missing until one is typed.
  public mutating func field(
    _ label: String, _ field: Field<CalendarDate?>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    screen.dateField(
      label, id: name(field, id), value: state[keyPath: field], problem: problem,
      isEnabled: isEnabled
    ) { .binding(.set(field, $0)) }
  }

  /// Adds a field whose value is never shown.
  public mutating func secretField(
    _ label: String, _ field: Field<Secret<String>>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    screen.secretField(
      label, id: name(field, id), isSet: !state[keyPath: field].revealed.isEmpty, problem: problem,
      isEnabled: isEnabled
    ) { .binding(.set(field, $0)) }
  }

  /// Adds a control that is on or off.
  public mutating func toggle(
    _ label: String, _ field: Field<Bool>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true
  ) {
    screen.toggle(
      label, id: name(field, id), isOn: state[keyPath: field], problem: problem,
      isEnabled: isEnabled
    ) { .binding(.set(field, $0)) }
  }

  /// Adds a choice of one of an enum's cases, whose raw values are the `id`s of the options.
  public mutating func choice<Value>(
    _ label: String, _ field: Field<Value>, id: String? = nil, problem: String? = nil,
    isEnabled: Bool = true, title: (Value) -> String = { $0.rawValue }
  )
  where
    Value: CaseIterable & RawRepresentable & Codable & Equatable & Sendable,
    Value.RawValue == String
  {
    let options = Value.allCases.map { ChoiceOption($0.rawValue, label: title($0)) }
    let selected = state[keyPath: field]
    screen.choice(
      label, id: name(field, id), options: options, selected: selected.rawValue, problem: problem,
      isEnabled: isEnabled
    ) { .binding(.set(field, Value(rawValue: $0) ?? selected)) }
  }

  /// Adds a list whose selected rows are the identifiers in a property; see ``ScreenBuilder``.
  public mutating func list<Items: RandomAccessCollection>(
    _ items: Items, selection field: Field<Set<String>>, id: String? = nil,
    placeholder: String? = nil, row: @escaping (Items.Element) -> Row<Action>
  ) {
    screen.list(
      items, id: name(field, id) ?? "", placeholder: placeholder,
      selection: state[keyPath: field], selectionAction: { .binding(.set(field, $0)) }, row: row)
  }

  /// Adds a table whose selected rows are the identifiers in a property; see ``ScreenBuilder``.
  public mutating func table<Items: RandomAccessCollection>(
    _ items: Items, columns: [TableColumn], selection field: Field<Set<String>>, id: String? = nil,
    placeholder: String? = nil, sort: TableSort? = nil,
    sortAction: ((TableSort) -> Action.View)? = nil,
    row: @escaping (Items.Element) -> Row<Action>
  ) {
    screen.table(
      items, columns: columns, id: name(field, id) ?? "", placeholder: placeholder, sort: sort,
      sortAction: sortAction, selection: state[keyPath: field],
      selectionAction: { .binding(.set(field, $0)) }, row: row)
  }

  private func name<Value: Codable & Equatable & Sendable>(
    _ field: Field<Value>, _ id: String?
  ) -> String? {
    // Looked up even if `id` is given: this binds the property, so its actions can be decoded.
    let name = BoundFields.name(of: field, id: id)
    return id ?? name
  }

  private mutating func number<Value: Codable & Equatable & Sendable>(
    _ label: String, _ field: Field<Value>, _ id: String?, _ text: String?, isWhole: Bool,
    _ problem: String?, _ isEnabled: Bool, value: @escaping (Double) -> Value
  ) {
    screen.addNumber(
      label, id: name(field, id), text: text, isWhole: isWhole, problem: problem,
      isEnabled: isEnabled
    ) { .binding(.set(field, value($0))) }
  }
}
