@_spi(Host) internal import AppCore

/// Fields that are looked up by name again and again.
struct FieldTable {
  /// The names, in the order of the fields.
  let names: [String]
  /// The fields that must be given.
  let required: [Schema.Field]
  private var fields: [String: Schema.Field]

  init(_ fields: [Schema.Field]) {
    names = fields.map(\.name)
    required = fields.filter(\.isRequired)
    self.fields = Dictionary(
      fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The field with a name.
  subscript(name: String) -> Schema.Field? { fields[name] }

  /// Lets a field pass that is wrong for a reason that is already reported.
  mutating func allow(_ field: Schema.Field) { fields[field.name] = field }
}
