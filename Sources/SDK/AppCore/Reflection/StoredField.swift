/// A stored property of a struct, or of a struct that is stored in it: where it is and what it is
/// called.
struct StoredField: @unchecked Sendable {
  // Unchecked: a type is a constant.

  /// The names that lead to it, joined by dots: `address.street`.
  let name: String
  /// Where it begins, in bytes from the start of the struct.
  let offset: Int
  let type: Any.Type

  init(name: String, offset: Int, type: Any.Type) {
    (self.name, self.offset, self.type) = (name, offset, type)
  }

  /// The property that a key path leads to; `nil` if it is computed.
  init?<Root, Value>(_ path: KeyPath<Root, Value>) {
    guard let offset = MemoryLayout<Root>.offset(of: path) else { return nil }
    self.init(at: offset, of: Value.self, in: Root.self, from: 0)
  }

  /// The property with a name; `nil` if there is none.
  init?(named name: String, in root: Any.Type) {
    var (type, offset): (Any.Type, Int) = (root, 0)
    for part in name.split(separator: ".", omittingEmptySubsequences: false) {
      guard let field = Self.fields(of: type).first(where: { $0.name == part }) else { return nil }
      (type, offset) = (field.type, offset + field.offset)
    }
    (self.name, self.offset, self.type) = (name, offset, type)
  }

  // Several begin at the same place: a struct, and the first of its own properties.
  private init?(at offset: Int, of type: Any.Type, in root: Any.Type, from start: Int) {
    let fields = Self.fields(of: root)
    if let field = fields.first(where: { start + $0.offset == offset && $0.type == type }) {
      (name, self.offset, self.type) = (field.name, offset, type)
      return
    }
    for field in fields where start + field.offset <= offset {
      guard
        let inner = StoredField(at: offset, of: type, in: field.type, from: start + field.offset)
      else { continue }
      (name, self.offset, self.type) = ("\(field.name).\(inner.name)", offset, type)
      return
    }
    return nil
  }

  private static func fields(of type: Any.Type) -> [(name: String, offset: Int, type: Any.Type)] {
    guard StructMetadata.descriptor(type) != nil, let records = FieldRecords(type) else {
      return []
    }
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    return zip(StructMetadata.offsets(in: type), 0...).compactMap { offset, index in
      records.type(index, of: metadata).map { (records.name(index), offset, $0) }
    }
  }
}
