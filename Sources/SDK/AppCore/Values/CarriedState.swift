/// A state on its way from one build of a feature to another, in this process.
///
/// The tree that the former build's coding wrote, as it wrote it: made into a ``Value``, it would be
/// hashed and copied for nothing.
package struct CarriedState {
  private var root: CodingItem

  /// - Throws: what the state's own coding throws.
  package init(_ state: some Encodable) throws {
    root = try ValueEncoder(for: .takingOver).tree(of: state)
  }

  /// Adds fields that an object does not have.
  package mutating func add(_ fields: [String: Value]) {
    switch root {
    case .node(let node) where node.isObject:
      for (name, value) in fields where node[name] == nil { node.set(name, .leaf(value)) }
    case .leaf(.object(let own)): root = .leaf(.object(fields.merging(own) { $1 }))
    case .leaf, .node: break
    }
  }

  /// The state as another build has it.
  ///
  /// - Throws: what the type's own coding throws.
  package func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try ValueDecoder(takesOver: true).decode(type, from: root)
  }
}
