/// The path of coding keys to a place in a value.
///
/// A linked list, so that a deeply nested value does not need an array of keys for each level.
indirect enum CodingPath {
  case root
  case step(any CodingKey, from: CodingPath, depth: Int)

  /// The number of keys.
  var depth: Int {
    if case .step(_, _, let depth) = self { depth } else { 0 }
  }

  /// The keys, from the root down.
  var keys: [any CodingKey] {
    var keys: [any CodingKey] = []
    var path = self
    while case .step(let key, let parent, _) = path {
      keys.append(key)
      path = parent
    }
    return keys.reversed()
  }

  func appending(_ key: any CodingKey) -> CodingPath {
    .step(key, from: self, depth: depth + 1)
  }
}

/// The position of an element in a list, counted from 0.
struct IndexKey: CodingKey {
  private let index: Int
  var intValue: Int? { index }
  var stringValue: String { String(index) }

  init(_ index: Int) { self.index = index }
  init(intValue: Int) { self.init(intValue) }
  init?(stringValue: String) { nil }
}

/// The key of a field whose name is known only at run time.
struct FieldKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
