internal import Synchronization

/// The properties that forms have bound in this process, by name, with how to set them.
///
/// A decoded action names a property. Only a property that a form, or ``BindingAction/set(_:_:)``,
/// has bound can be set by its name; the rest of a state can't be written from outside.
enum BoundFields {
  private struct Content {
    /// `nil` for what is not a stored property.
    var names: [AnyKeyPath: String?] = [:]
    /// The names that forms have given to others.
    var givenNames: [AnyKeyPath: String] = [:]
    var fields: [ObjectIdentifier: [String: Decode]] = [:]
  }
  /// Decodes the value of a property, and returns the ``BindingAction`` that sets it.
  private typealias Decode = @Sendable (any Decoder) throws -> any Sendable
  private static let content = Mutex(Content())

  /// The name of the property at a key path, which can be decoded from then on; `nil` if it is not a
  /// stored property and no form has given it a name.
  ///
  /// The `id` of a form's field names what is not a stored property, with an `@` before it, which no
  /// property's name has.
  static func name<Root, Value: Codable & Equatable & Sendable>(
    of path: any WritableKeyPath<Root, Value> & Sendable, id: String? = nil
  ) -> String? {
    content.withLock { content in
      if let known = content.names[path], let name = known { return name }
      let stored = content.names[path] ?? StructMetadata.name(of: path)
      content.names[path] = .some(stored)
      if let given = id.map({ "@" + $0 }), stored == nil { content.givenNames[path] = given }
      guard let name = stored ?? content.givenNames[path] else { return nil }
      content.fields[ObjectIdentifier(Root.self), default: [:]][name] = { decoder in
        BindingAction.set(path, try decoder.singleValueContainer().decode(Value.self))
      }
      return name
    }
  }

  /// Decodes the action that sets the property `name`; `nil` if no such property is bound.
  static func action<Root>(
    named name: String, from decoder: @autoclosure () throws -> any Decoder
  ) throws -> BindingAction<Root>? {
    let field = content.withLock { $0.fields[ObjectIdentifier(Root.self)]?[name] }
    return try field?(decoder()) as? BindingAction<Root>
  }
}
