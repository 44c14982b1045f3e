/// A collection that is encoded as a list in an order that means nothing, and differs between equal
/// ones: that of a hash table.
private protocol UnorderedCollection {
  /// How many elements of the list belong together.
  static var stride: Int { get }
}

extension Set: UnorderedCollection { fileprivate static var stride: Int { 1 } }

/// Without keys that are strings or integers it is encoded as a list of keys and values in turn.
extension Dictionary: UnorderedCollection { fileprivate static var stride: Int { 2 } }

extension Array<Value> {
  /// The list sorted by its first elements, each of which keeps those that belong to it: `stride` in
  /// all.
  ///
  /// So equal sets are equal values, in digests and comparisons of states. Elements, or keys, that
  /// are lists or objects keep their order: without secrets they would be sorted in another one.
  func sorted(by stride: Int) -> [Value] {
    guard count > stride, count.isMultiple(of: stride) else { return self }
    let starts = Swift.stride(from: 0, to: count, by: stride)
    let areScalars = starts.allSatisfy {
      switch self[$0] {
      case .array, .object: false
      default: true
      }
    }
    guard areScalars else { return self }
    let sorted = starts.sorted { self[$0].precedes(self[$1]) }
    return sorted.flatMap { self[$0..<$0 + stride] }
  }
}

extension Value {
  /// How many elements belong together in the list that a type is encoded as; `nil` where their
  /// order means something.
  static func unorderedStride(of type: any Any.Type) -> Int? {
    (type as? any UnorderedCollection.Type)?.stride
  }

  /// The order of scalars: first by their kind.
  fileprivate func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.bool(let first), .bool(let second)): !first && second
    case (.int(let first), .int(let second)): first < second
    case (.double(let first), .double(let second)): first < second
    case (.string(let first), .string(let second)): first < second
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .bool: 1
    case .int: 2
    case .double: 3
    case .string, .array, .object: 4
    }
  }
}
