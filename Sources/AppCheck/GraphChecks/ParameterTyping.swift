internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

/// Infers the types of a link's parameters from their uses.
struct ParameterTyping {
  private(set) var types: [String: Schema] = [:]
  /// The problems of parameters whose uses do not agree on a type.
  private(set) var conflicts: [String: Diagnostic] = [:]
  private var places: [String: SourceRange] = [:]

  /// Records the uses in `expression` where `expected` is the expected type.
  mutating func read(_ expression: Manifest.Expression, as expected: Schema) {
    switch expression.kind {
    case .scalar, .invalid: break
    case .reference(.payload(let path)):
      if let name = path.first, path.count == 1 {
        use(name.value, as: expected, at: expression.range)
      } else if path.isEmpty, case .object(let fields) = expected.unwrapped {
        for field in fields { use(field.name, as: field.schema, at: expression.range) }
      }
    case .reference: break
    case .interpolation(let parts):
      for case .insertion(.payload(let path), let range) in parts where path.count == 1 {
        // Any scalar can be interpolated, so this use does not restrict the type.
        use(path[0].value, as: .any, at: range)
      }
    case .array(let elements):
      let element: Schema =
        if case .array(let schema) = expected.unwrapped { schema } else { .any }
      for value in elements { read(value, as: element) }
    case .object(let fields):
      for field in fields { read(field.value, as: expected.unwrapped.field(field.name.value)) }
    }
  }

  private mutating func use(_ name: String, as schema: Schema, at range: SourceRange) {
    // A recursive type is treated as `any`.
    let plain = schema.unwrapped
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
    } else if conflicts[name] == nil {
      conflicts[name] = Diagnostic(
        .parameterConflict, at: range,
        "the parameter \(quote(name)) can't be both \(known.phrase) and \(schema.phrase)",
        related: .init(.other, at: places[name] ?? range))
    }
  }

  /// The intersection of two shapes; `nil` if it is empty.
  private static func both(_ left: Schema, _ right: Schema) -> Schema? {
    switch (left, right) {
    case _ where left == right: return left
    case (.any, let other), (let other, .any), (.opaque, let other), (let other, .opaque):
      return other
    case (.int, .double), (.double, .int): return .int
    case (.choice(let names), .choice(let others)):
      let names = names.filter(others.contains)
      return names.isEmpty ? nil : .choice(names)
    case (.string, .choice), (.choice, .string), (.string, .secret), (.secret, .string):
      return left == .string ? right : left
    default: return nil
    }
  }
}

extension Schema {
  /// The shape without `optional` around it.
  var unwrapped: Schema {
    if case .optional(let wrapped) = self { wrapped.unwrapped } else { self }
  }

  fileprivate func field(_ name: String) -> Schema {
    switch self {
    case .object(let fields): fields.first { $0.name == name }?.schema ?? .any
    case .dictionary(let element): element
    default: .any
    }
  }

  /// Whether a single segment of a link's path can hold a value of this type.
  var fitsInAddress: Bool {
    switch unwrapped {
    case .array, .dictionary, .object, .variant: false
    default: true
    }
  }
}

/// Why a value of one shape does not fit where another is expected.
struct SchemaMisfit {
  enum Cause {
    case type(expected: Schema, actual: Schema)
    case missing(Schema.Field)
    case cases([String])
  }

  /// The names of the fields that lead to it, outermost first; empty for the value itself.
  var path: [String]
  let cause: Cause
}

extension Schema {
  /// Why values of the shape `source` do not fit this one; `nil` if they do.
  ///
  /// Unknown shapes fit everything; values are checked again when they are decoded.
  /// - Complexity: O(*n* · *m*), where *n* is the size of both shapes and *m* the largest number of
  ///   fields or cases of one shape.
  func misfit(of source: Schema) -> SchemaMisfit? {
    switch (source, self) {
    case (.any, _), (_, .any), (.opaque, _), (_, .opaque), (.recursive, _), (_, .recursive):
      return nil
    case (.optional(.optional(let inner)), _): return misfit(of: .optional(inner))
    case (.optional(let inner), .optional(let wrapped)): return wrapped.misfit(of: inner)
    case (_, .optional(let wrapped)): return wrapped.misfit(of: source)
    case (.int, .double), (.string, .secret), (.choice, .string): return nil
    case (.array(let element), .array(let expected)),
      (.dictionary(let element), .dictionary(let expected)):
      return expected.misfit(of: element)?.inside("…")
    case (.object(let fields), .dictionary(let expected)):
      for field in fields {
        if let misfit = expected.misfit(of: field.schema) { return misfit.inside(field.name) }
      }
      return nil
    case (.object(let fields), .object(let expected)):
      for due in expected {
        guard let field = fields.first(where: { $0.name == due.name }) else {
          if due.isRequired { return SchemaMisfit(path: [], cause: .missing(due)) }
          continue
        }
        var schema = field.schema
        // Null selects the default.
        if due.defaultValue != nil, case .optional(let inner) = schema.flat { schema = inner }
        if let misfit = due.schema.misfit(of: schema) { return misfit.inside(due.name) }
      }
      return nil
    case (.choice(let names), .choice(let expected)):
      let unknown = names.filter { !expected.contains($0) }
      return unknown.isEmpty ? nil : SchemaMisfit(path: [], cause: .cases(unknown))
    case (.variant(let cases), .variant(let expected)):
      return misfit(of: cases, in: expected)
    default:
      return self == source
        ? nil : SchemaMisfit(path: [], cause: .type(expected: self, actual: source))
    }
  }

  private func misfit(of cases: [CaseSchema], in expected: [CaseSchema]) -> SchemaMisfit? {
    let unknown = cases.map(\.name).filter { name in !expected.contains { $0.name == name } }
    guard unknown.isEmpty else { return SchemaMisfit(path: [], cause: .cases(unknown)) }
    for source in cases {
      guard let due = expected.first(where: { $0.name == source.name }) else { continue }
      let misfit = (due.payload ?? .object([])).misfit(of: source.payload ?? .object([]))
      if let misfit { return misfit.inside(source.name) }
    }
    return nil
  }

  var isInsertable: Bool {
    switch self {
    case .string, .int, .double, .bool, .choice, .any, .opaque: true
    case .optional(let wrapped): wrapped.isInsertable
    default: false
    }
  }
}

extension SchemaMisfit {
  fileprivate func inside(_ field: String) -> SchemaMisfit {
    SchemaMisfit(path: [field] + path, cause: cause)
  }
}
