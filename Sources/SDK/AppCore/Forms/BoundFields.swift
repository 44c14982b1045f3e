internal import Synchronization

/// The properties that actions of forms set in this process: what each is called, and by its name how
/// to set it.
///
/// An action that is decoded names a property. Only one that a form, or ``BindingAction/set(_:_:)``,
/// has bound may be set by its name: whatever else a state holds is nobody's to write.
enum BoundFields {
  private struct Content {
    var names: [AnyKeyPath: String?] = [:]
    var fields: [ObjectIdentifier: [String: any BoundField]] = [:]
  }
  private static let content = Mutex(Content())

  /// The name of the property that a key path leads to, which may be decoded from then on; `nil` if it
  /// is not a stored one.
  static func name<Root, Value: Codable & Equatable & Sendable>(
    of path: any WritableKeyPath<Root, Value> & Sendable
  ) -> String? {
    content.withLock { content in
      if let known = content.names[path] { return known }
      let name = StoredField.name(path)
      content.names[path] = .some(name)
      if let name { content.fields[ObjectIdentifier(Root.self), default: [:]][name] = Bound(path) }
      return name
    }
  }

  /// The action that sets the property of a name to what is decoded; `nil` if none is bound.
  static func action<Root>(
    named name: String, from decoder: @autoclosure () throws -> any Decoder
  ) throws -> BindingAction<Root>? {
    let field = content.withLock { $0.fields[ObjectIdentifier(Root.self)]?[name] }
    return try field?.action(from: decoder()) as? BindingAction<Root>
  }
}

/// A property that is bound, of any type.
private protocol BoundField: Sendable {
  /// The ``BindingAction`` that sets it to a decoded value.
  func action(from decoder: any Decoder) throws -> any Sendable
}

private struct Bound<Root, Value: Codable & Equatable & Sendable>: BoundField {
  let path: any WritableKeyPath<Root, Value> & Sendable

  init(_ path: any WritableKeyPath<Root, Value> & Sendable) { self.path = path }

  func action(from decoder: any Decoder) throws -> any Sendable {
    BindingAction.set(path, try decoder.singleValueContainer().decode(Value.self))
  }
}
