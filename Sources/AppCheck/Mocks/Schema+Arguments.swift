package import AppCore

extension Schema {
  /// The arguments of an instance: the given ones, and defaults for the others.
  ///
  /// - Throws: why they do not have this shape.
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

package struct MockFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) { self.description = description }
}
