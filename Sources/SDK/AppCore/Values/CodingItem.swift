/// What stands at one place of the tree that a value is encoded as.
enum CodingItem {
  case leaf(Value)
  case node(CodingNode)

  /// The item as a value.
  ///
  /// - Complexity: O(n) in the size of the tree.
  var value: Value {
    switch self {
    case .leaf(let value): value
    case .node(let node): node.value
    }
  }

  /// A leaf, or a list or an object that was written piece by piece.
  var resolved: CodingItem {
    if case .node(let node) = self, let leaf = node.leaf { .leaf(leaf) } else { self }
  }

  var isNull: Bool {
    switch self {
    case .leaf(.null): return true
    case .leaf: return false
    case .node(let node):
      guard let leaf = node.leaf, case .null = leaf else { return false }
      return true
    }
  }

  /// The list or object that was written piece by piece; or else a value.
  var parts: (node: CodingNode?, value: Value) {
    switch self {
    case .leaf(let value): return (nil, value)
    case .node(let node):
      if let leaf = node.leaf { return (nil, leaf) }
      return (node, .null)
    }
  }

  /// Whether it is an object without fields.
  var isEmptyObject: Bool {
    switch resolved {
    case .leaf(.object(let fields)): fields.isEmpty
    case .leaf: false
    case .node(let node): node.hasNoFields
    }
  }

  /// What it is, in words for a message.
  var kind: String {
    switch resolved {
    case .leaf(let value): value.kind
    case .node(let node): (node.isList ? Value.array([]) : .object([:])).kind
    }
  }
}
