internal import AppCore
internal import Manifest
internal import Support

/// Infers the types of a link's parameters from their uses.
struct ParameterTyping {
  /// A use whose type does not agree with that of an earlier use.
  struct Conflict {
    let name: String
    let first: Schema
    let second: Schema
    let range: SourceRange
    let firstRange: SourceRange
  }

  private(set) var types: [String: Schema] = [:]
  private(set) var conflicts: [Conflict] = []
  private var places: [String: SourceRange] = [:]
  private var clashing: Set<String> = []

  /// Records the uses in `expression` where `expected` is the expected type.
  mutating func read(_ expression: Manifest.Expression, as expected: Schema) {
    switch expression.kind {
    case .scalar, .invalid: break
    case .reference(.payload(let path)):
      if let name = path.first, path.count == 1 {
        use(name.value, as: expected, at: expression.range)
      } else if path.isEmpty, case .object(let fields) = expected.plain {
        for field in fields { use(field.name, as: field.schema, at: expression.range) }
      }
    case .reference: break
    case .interpolation(let parts):
      for case .insertion(.payload(let path), let range) in parts where path.count == 1 {
        // Any scalar can be interpolated, so this use does not restrict the type.
        use(path[0].value, as: .any, at: range)
      }
    case .array(let elements):
      let element: Schema = if case .array(let schema) = expected.plain { schema } else { .any }
      for value in elements { read(value, as: element) }
    case .object(let fields):
      for field in fields { read(field.value, as: expected.plain.field(field.name.value)) }
    }
  }

  private mutating func use(_ name: String, as schema: Schema, at range: SourceRange) {
    // A recursive type is treated as `any`.
    let plain = schema.plain
    let schema: Schema = if case .recursive = plain { .any } else { plain }
    guard let known = types[name], known != .any else {
      types[name] = schema
      places[name] = range
      return
    }
    if let both = Self.both(known, schema) {
      // A type that got narrower is that of this use.
      if both != known { places[name] = range }
      types[name] = both
    } else if clashing.insert(name).inserted {
      conflicts.append(
        Conflict(
          name: name, first: known, second: schema, range: range,
          firstRange: places[name] ?? range))
    }
  }

  /// The intersection of two shapes; `nil` if it is empty.
  private static func both(_ left: Schema, _ right: Schema) -> Schema? {
    switch (left, right) {
    case _ where left == right: left
    case (.any, let other), (let other, .any), (.opaque, let other), (let other, .opaque): other
    case (.int, .double), (.double, .int): .int
    case (.choice(let names), .choice(let others)): both(names, others)
    case (.string, .choice), (.secret, .string): left == .string ? right : left
    case (.choice, .string), (.string, .secret): left == .string ? right : left
    default: nil
    }
  }

  private static func both(_ left: [String], _ right: [String]) -> Schema? {
    let names = left.filter(right.contains)
    return names.isEmpty ? nil : .choice(names)
  }
}

extension Schema {
  /// The shape without `optional` around it.
  fileprivate var plain: Schema {
    if case .optional(let wrapped) = self { wrapped.plain } else { self }
  }

  fileprivate func field(_ name: String) -> Schema {
    switch self {
    case .object(let fields): fields.first { $0.name == name }?.schema ?? .any
    case .dictionary(let element): element
    default: .any
    }
  }

  /// Whether a single segment of a link's path can hold a value of this type.
  var isSayable: Bool {
    switch self {
    case .array, .dictionary, .object, .variant: false
    case .optional(let wrapped): wrapped.isSayable
    default: true
    }
  }
}
