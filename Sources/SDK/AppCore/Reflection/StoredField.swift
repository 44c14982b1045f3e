/// A stored property of a struct, or of a struct nested in it.
enum StoredField {
  /// The names on the path to a property, joined by dots, as in `address.street`; `nil` if it is
  /// not a stored property.
  static func name<Root, Value>(_ path: KeyPath<Root, Value>) -> String? {
    MemoryLayout<Root>.offset(of: path).flatMap { name(at: $0, of: Value.self, in: Root.self) }
  }

  // Several properties may have one offset: a struct and its own first property. The type decides.
  private static func name(at offset: Int, of type: Any.Type, in root: Any.Type) -> String? {
    let fields = fields(of: root)
    if let field = fields.first(where: { $0.offset == offset && $0.type == type }) {
      return field.name
    }
    for field in fields where field.offset <= offset {
      if let inner = name(at: offset - field.offset, of: type, in: field.type) {
        return "\(field.name).\(inner)"
      }
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
