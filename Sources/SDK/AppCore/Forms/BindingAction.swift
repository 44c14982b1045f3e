/// A change of one field of a form: one view action for all of its fields.
///
/// A ``BindingReducer`` sets the property. A reducer distinguishes the fields by their key paths:
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
/// Its description is `name ← Ada`. It is encoded as an object with one field, named for the
/// property.
public struct BindingAction<Root>: Sendable {
  /// The name of the property that it sets, as in `address.street`; for others `@` and the field's
  /// identifier.
  public let name: String
  private let path: any PartialKeyPath<Root> & Sendable
  private let value: any Codable & Equatable & Sendable
  private let write: @Sendable (inout Root) -> Void

  /// Sets a stored property, or what a form has bound with an identifier.
  ///
  /// ```swift
  /// struct State { var name = "" }
  ///
  /// let action = BindingAction<State>.set(\.name, "Ada")
  /// ```
  ///
  /// A property of a property that is a struct is a stored one, too. Anything else, such as a computed
  /// property or an element of an array, has a name for the log only where a form's field has an `id`;
  /// otherwise it is reported, and the action changes nothing.
  public static func set<Value: Codable & Equatable & Sendable>(
    _ path: any WritableKeyPath<Root, Value> & Sendable, _ value: Value
  ) -> BindingAction {
    guard let name = BoundFields.name(of: path) else {
      RuntimeIssue.report(
        """
        a field of a form is bound to what is not a stored property of \
        '\(_typeName(Root.self, qualified: false))'; it changes nothing
          - bind a stored property, or give the field of the form an 'id'
        """)
      return BindingAction(name: "?", path: path, value: value, write: { _ in })
    }
    return BindingAction(name: name, path: path, value: value) {
      $0[keyPath: path] = value
    }
  }

  /// Whether the action sets the property at a key path.
  public func changes<Value>(_ path: KeyPath<Root, Value>) -> Bool {
    self.path as AnyKeyPath == path as AnyKeyPath
  }

  /// Sets the property.
  public func apply(to root: inout Root) { write(&root) }

  /// Whether an action sets the property: for patterns, as in `case .view(.binding(\.name)):`.
  public static func ~= <Value>(path: WritableKeyPath<Root, Value>, action: BindingAction) -> Bool {
    action.changes(path)
  }
}

extension BindingAction: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    func isRight<Value: Equatable>(_ value: Value) -> Bool {
      (right.value as? Value).map { $0 == value } ?? false
    }
    return left.path as AnyKeyPath == right.path as AnyKeyPath && isRight(left.value)
  }
}

extension BindingAction: DumpedAsText {
  /// The name of the property, an arrow and its new value; secrets are redacted.
  public var description: String {
    guard let text = value as? String else { return "\(name) ← \(StateDump.line(value))" }
    // Quoted if it would otherwise be ambiguous, such as empty text or outer whitespace.
    let isPlain = text.first.map { !$0.isWhitespace } ?? false
    let quoted = text.debugDescription
    let isQuoted = !isPlain || text.last?.isWhitespace != false || quoted != "\"\(text)\""
    return "\(name) ← \(isQuoted ? quoted : text)"
  }
}

extension BindingAction: Codable {
  /// Decodes an action for a property that a form, or ``set(_:_:)``, has bound in this process.
  ///
  /// - Throws: `DecodingError` for any other name, and for a value that does not fit the property.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: FieldKey.self)
    let names = container.allKeys
    guard names.count == 1,
      let action: BindingAction = try BoundFields.action(
        named: names[0].stringValue, from: container.superDecoder(forKey: names[0]))
    else {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath,
          debugDescription: """
            a property of '\(_typeName(Root.self, qualified: false))' that a form has bound was \
            expected, not \(names.prefix(3).map { "'\($0.stringValue.prefix(40))'" }.joined(separator: ", "))
            """))
    }
    self = action
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldKey.self)
    try container.encode(value, forKey: FieldKey(stringValue: name))
  }
}
