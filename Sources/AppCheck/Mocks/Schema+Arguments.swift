package import AppCore

extension Schema {
  /// The arguments of an instance: those that are given, with defaults for those that are not.
  ///
  /// - Throws: why they are not of this shape.
  package func completing(_ arguments: Value) throws(MockFailure) -> Value {
    var complete = arguments
    if case .object(let fields) = self {
      complete = .object(
        Dictionary(
          fields.map { field in
            let given = arguments[field.name] ?? .null
            return (field.name, given == .null ? field.defaultValue ?? .null : given)
          }, uniquingKeysWith: { first, _ in first }))
    }
    if let misfit = misfit(of: complete) { throw MockFailure(description: misfit) }
    return complete
  }
}

/// Why an instance of a mock can't be made.
package struct MockFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
