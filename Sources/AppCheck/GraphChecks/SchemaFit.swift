internal import AppCore

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
