/// A change of one field of a form: one view action for all of its fields.
///
/// A ``BindingReducer`` carries it out. A reducer tells the fields apart by their key paths:
///
/// ```swift
/// struct SignUp: Reducer {
///   struct State: Codable, Equatable, Sendable { var name = "", age = 18, tries = 0 }
///   enum Action: FeatureAction {
///     enum View: BindableAction { case binding(BindingAction<State>), doneTapped }
///     case view(View)
///   }
///
///   var body: some ReducerOf<Self> {
///     BindingReducer()
///     Reduce { state, action in
///       switch action {
///       case .view(.binding(\.name)): state.tries += 1
///       case .view: break
///       }
///       return .none
///     }
///   }
///
///   func screen(_ state: State) -> Screen<Action> {
///     Screen("Sign up") { screen in
///       screen.form(state) { form in
///         form.field("Name", \.name, problem: state.name.isEmpty ? "is missing" : nil)
///         form.field("Age", \.age)
///       }
///       screen.button("Done", action: .doneTapped)
///     }
///   }
/// }
/// ```
///
/// People see it as `name ← Ada`. In its `Codable` form it is an object with one field, named for the
/// property.
public struct BindingAction<Root>: Sendable {
  private let field: StoredField
  private let value: any FormValue
  private let write: @Sendable (inout Root) -> Void

  /// Sets a stored property.
  ///
  /// ```swift
  /// struct State { var name = "" }
  ///
  /// let action = BindingAction<State>.set(\.name, "Ada")
  /// ```
  ///
  /// - Parameters:
  ///   - path: the property, or a property of one that is a struct. One that is computed, as behind a
  ///     property wrapper, can't be told by name: that is reported, and the action changes nothing.
  ///   - value: its new value.
  /// - Returns: the action.
  public static func set<Value: Codable & Equatable & Sendable>(
    _ path: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) -> BindingAction {
    guard let field = StoredField(path) else {
      Issue.report(
        """
        a field of a form stands for a computed property of \
        '\(_typeName(Root.self, qualified: false))', which has no name; it changes nothing
          - bind a stored property, or give the field a view action of its own
        """)
      return BindingAction(
        field: .unknown(Value.self), value: Held(value: value), write: { _ in })
    }
    return BindingAction(field: field, value: Held(value: value)) { $0[keyPath: path] = value }
  }

  /// Whether the action changes the property that a key path leads to.
  public func changes<Value>(_ path: KeyPath<Root, Value>) -> Bool {
    MemoryLayout<Root>.offset(of: path) == field.offset && field.type == Value.self
  }

  /// The name of the property that it changes, as in `address.street`.
  public var name: String { field.name }

  /// Changes the property.
  public func apply(to root: inout Root) { write(&root) }

  /// Whether an action changes the property: for patterns, as in `case .view(.binding(\.name)):`.
  public static func ~= <Value>(path: WritableKeyPath<Root, Value>, action: BindingAction) -> Bool {
    action.changes(path)
  }
}

extension BindingAction: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.field.name == right.field.name && left.field.type == right.field.type
      && left.value.isEqual(to: right.value)
  }
}

extension BindingAction: DumpedAsText {
  /// The name of the property, an arrow and its new value; secrets are redacted.
  public var description: String { "\(name) ← \(value.text)" }
}

extension BindingAction: Codable {
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FieldName.self)
    let names = container.allKeys
    guard names.count == 1, let field = StoredField(named: names[0].stringValue, in: Root.self),
      let type = field.type as? any (Codable & Equatable & Sendable).Type
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: """
            the name of one property of '\(_typeName(Root.self, qualified: false))' was expected, \
            not \(names.map { "'\($0.stringValue)'" }.joined(separator: ", "))
            """))
    }
    self = try Self.decode(type, field, from: container.superDecoder(forKey: names[0]))
  }

  private static func decode<Value: Codable & Equatable & Sendable>(
    _ type: Value.Type, _ field: StoredField, from decoder: any Decoder
  ) throws -> BindingAction {
    let value = try decoder.singleValueContainer().decode(Value.self)
    let offset = field.offset
    return BindingAction(field: field, value: Held(value: value)) { root in
      withUnsafeMutablePointer(to: &root) {
        (UnsafeMutableRawPointer($0) + offset).assumingMemoryBound(to: Value.self).pointee = value
      }
    }
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldName.self)
    try container.encode(value, as: FieldName(stringValue: name))
  }
}

extension StoredField {
  /// The place of a property that can't be known.
  fileprivate static func unknown(_ type: Any.Type) -> StoredField {
    StoredField(name: "?", offset: -1, type: type)
  }
}

/// The value of a field, of any type.
private protocol FormValue: Encodable, Sendable {
  /// The value for people to read.
  var text: String { get }
  func isEqual(to other: any FormValue) -> Bool
}

private struct Held<Value: Codable & Equatable & Sendable>: FormValue {
  let value: Value

  var text: String {
    guard let text = value as? String else { return StateDump.line(value) }
    // With quotes where one would not see what it is.
    let isPlain = text.first.map { !$0.isWhitespace } ?? false
    let quoted = text.debugDescription
    return isPlain && text.last?.isWhitespace == false && quoted == "\"\(text)\"" ? text : quoted
  }

  func isEqual(to other: any FormValue) -> Bool { (other as? Held)?.value == value }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(value)
  }
}

private struct FieldName: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

extension KeyedEncodingContainer where Key == FieldName {
  fileprivate mutating func encode(_ value: some FormValue, as name: Key) throws {
    try encode(value, forKey: name)
  }
}
