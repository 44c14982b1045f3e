/// A place of the tree that is neither a scalar nor ready: containers write through it, so that a
/// nested container may be filled after its parent went on.
///
/// Only what is no scalar has one. The names of an object stay in the order in which they were
/// written, which is that in which another build asks for them: they are compared, not hashed.
final class CodingNode {
  private enum Shape { case leaf, list, object }
  private struct Entry {
    let name: String
    var item: CodingItem
  }

  let purpose: ValueEncoder.Purpose
  /// Where it stands: the path is made of these when an error needs one.
  @exclusivity(unchecked) private var parent: CodingNode?
  private let step: CodingStep?
  /// How many keys lead here.
  let depth: Int

  // The runtime does not look after accesses: none is open while another place is written, and it
  // would take a fifth of the time.
  @exclusivity(unchecked) private var shape = Shape.object
  @exclusivity(unchecked) private var single = Value.null
  /// The fields, or the elements, which have no names.
  @exclusivity(unchecked) private var entries: [Entry] = []
  /// The places of the names, where there are many.
  @exclusivity(unchecked) private var index: [String: Int]?
  /// Where the last name stood that was asked for.
  @exclusivity(unchecked) private var cursor = 0

  /// How many names are looked through before they are hashed.
  private static let indexed = 16

  init(_ purpose: ValueEncoder.Purpose) {
    self.purpose = purpose
    parent = nil
    step = nil
    depth = 0
  }

  // The step is `nil` for what shares its parent's path.
  init(in parent: CodingNode, step: CodingStep?) {
    purpose = parent.purpose
    self.parent = parent
    self.step = step
    depth = parent.depth + (step == nil ? 0 : 1)
  }

  /// The keys that lead here.
  var path: [any CodingKey] {
    var keys: [any CodingKey] = []
    var node: CodingNode? = self
    while let place = node {
      if let step = place.step { keys.append(step.key) }
      node = place.parent
    }
    return keys.reversed()
  }

  /// Lets go of the parents, which hold their children.
  func finish() {
    parent = nil
    for entry in entries { if case .node(let child) = entry.item { child.finish() } }
  }
}

// What it holds.
extension CodingNode {
  /// The value, where it is a single one.
  var leaf: Value? {
    // Not `nil`, which could be the value's own.
    shape == .leaf ? .some(single) : .none
  }

  /// Whether it is an object.
  var isObject: Bool { shape == .object }

  /// Whether it is a list.
  var isList: Bool { shape == .list }

  var value: Value {
    switch shape {
    case .leaf: single
    case .list: .array(entries.map(\.item.value))
    case .object:
      .object(
        Dictionary(uniqueKeysWithValues: entries.lazy.map { ($0.name, $0.item.value) }))
    }
  }

  /// Whether it is an object without fields.
  var hasNoFields: Bool { isObject && entries.isEmpty }

  /// How many elements a list has.
  var count: Int { shape == .list ? entries.count : 0 }

  /// An object's names, in the order in which they were written.
  var fieldNames: [String] { shape == .object ? entries.map(\.name) : [] }

  subscript(position: Int) -> CodingItem { entries[position].item }

  /// The field `name` of an object.
  ///
  /// - Complexity: constant where fields are asked for in the order in which they were written.
  subscript(name: String) -> CodingItem? {
    for place in cursor..<min(cursor + 2, entries.count) where entries[place].name == name {
      cursor = place
      return entries[place].item
    }
    guard let place = place(of: name) else { return nil }
    cursor = place
    return entries[place].item
  }

  private func place(of name: String) -> Int? {
    if let index { return index[name] }
    return entries.firstIndex { $0.name == name }
  }
}

// How it is written.
extension CodingNode {
  func set(_ value: Value) {
    clear(.leaf)
    single = value
  }

  func becomeObject() { if shape != .object { clear(.object) } }

  func becomeList() { if shape != .list { clear(.list) } }

  private func clear(_ shape: Shape) {
    self.shape = shape
    entries = []
    index = nil
    cursor = 0
  }

  func append(_ item: CodingItem) {
    becomeList()
    entries.append(Entry(name: "", item: item))
  }

  /// A new element at the end of a list.
  func element() -> CodingNode {
    let node = CodingNode(in: self, step: CodingStep(index: count))
    append(.node(node))
    return node
  }

  /// Sets the field `name`; what it held is replaced.
  func set(_ name: String, _ item: CodingItem) {
    becomeObject()
    if let place = place(of: name) {
      entries[place].item = item
      return
    }
    if entries.isEmpty { entries.reserveCapacity(8) }
    index?[name] = entries.count
    entries.append(Entry(name: name, item: item))
    if index == nil, entries.count > Self.indexed {
      index = Dictionary(uniqueKeysWithValues: entries.enumerated().map { ($1.name, $0) })
    }
  }

  /// A new place under `name`, a key of a type; without one it shares this place's path.
  func field(_ name: String, _ type: (any CodingKey.Type)?) -> CodingNode {
    let node = CodingNode(in: self, step: type.map { CodingStep(name: name, type: $0) })
    set(name, .node(node))
    return node
  }

  /// The place under `name`; asked for again, it is the same one.
  func nested(_ name: String, _ type: any CodingKey.Type) -> CodingNode {
    guard shape == .object, let place = place(of: name) else { return field(name, type) }
    switch entries[place].item {
    case .node(let node): return node
    case .leaf(let value):
      let node = field(name, type)
      node.set(value)
      return node
    }
  }

  /// Turns `{ "name": {} }`, the case of an enum that carries nothing, into its name.
  func becomeName() {
    guard shape == .object, entries.count == 1, entries[0].item.isEmptyObject else { return }
    set(.string(entries[0].name))
  }
}
