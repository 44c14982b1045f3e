import AppCore

// What a manifest may give or expect where a shape is: more than is right, because the checker
// picks what is.
extension Schema {
  /// Literals of this shape, as YAML in one line; the first is the plainest.
  var literals: [String] {
    switch self {
    case .bool: ["true"]
    case .int: ["7"]
    case .double: ["0.5", "7"]
    case .string, .secret: ["\"t\"", "5", "true", "plain"]
    case .any, .opaque, .recursive: ["5", "\"t\"", "[ 1 ]", "{ zz: 1 }", "null", "true"]
    case .optional(let wrapped): wrapped.literals + ["null", "~"]
    case .array(let element): element.literals.map { "[ \($0) ]" } + ["[]"]
    case .dictionary(let element): element.literals.map { "{ k: \($0) }" } + ["{}"]
    case .choice(let names): names.map { "\"\($0)\"" } + names
    case .variant(let cases):
      cases.flatMap { entry in
        (entry.payload ?? .object([])).literals.map { "{ \(entry.name): \($0) }" }
      }
    case .object(let fields): Self.literals(of: fields)
    @unknown default: []
    }
  }

  private static func literals(of fields: [Field]) -> [String] {
    let plain = fields.map { $0.schema.literals.first }
    guard zip(fields, plain).allSatisfy({ !$0.isRequired || $1 != nil }) else { return [] }
    func text(_ change: Int? = nil, _ literal: String? = nil) -> String {
      let all = fields.indices.compactMap { index -> String? in
        guard let value = index == change ? literal : plain[index] else { return nil }
        return "\(fields[index].name): \(value)"
      }
      return all.isEmpty ? "{}" : "{ \(all.joined(separator: ", ")) }"
    }
    return [text()]
      + fields.indices.flatMap { index in
        fields[index].schema.literals.map { text(index, $0) }
          + (fields[index].isRequired ? [] : [text(index, nil)])
      }
  }

  /// Shapes of payloads that fit where this shape is expected; `new` is what it becomes.
  func sources(_ new: Schema?) -> [Schema] {
    switch self {
    case .bool, .int: return [self]
    case .double: return [.double, .int]
    case .string: return [.string, .choice(["x"])]
    case .secret: return [.secret, .string]
    case .choice(let names): return [self] + names.map { .choice([$0]) }
    case .any, .opaque, .recursive:
      return [
        .bool, .int, .string, .array(.bool), .object([Field(name: "zz", schema: .bool)]), .any,
      ]
      .flatMap { [$0, .optional($0)] }
    case .optional(let wrapped):
      return wrapped.sources(new?.wrapped).flatMap { $0.isOptional ? [$0] : [$0, .optional($0)] }
    case .array(let element):
      guard case .array(let other)? = new?.wrapped else {
        return element.sources(nil).map { .array($0) }
      }
      return element.sources(other).map { .array($0) }
    case .dictionary(let element):
      let other: Schema? = if case .dictionary(let other)? = new?.wrapped { other } else { nil }
      return element.sources(other).flatMap {
        [.dictionary($0), .object([Field(name: "k", schema: $0)])]
      }
    case .object(let fields):
      let others: [Field] = if case .object(let others)? = new?.wrapped { others } else { [] }
      return Self.sources(of: fields, others)
    case .variant(let cases):
      let others: [CaseSchema] = if case .variant(let others)? = new?.wrapped { others } else { [] }
      return [self]
        + cases.flatMap { entry in
          (entry.payload ?? .object([]))
            .sources(others.first { $0.name == entry.name }.map { $0.payload ?? .object([]) })
            .map { .variant([CaseSchema(name: entry.name, payload: $0)]) }
        }
    @unknown default: return [self]
    }
  }

  private static func sources(of fields: [Field], _ others: [Field]) -> [Schema] {
    let all = fields.map { field in
      field.schema.sources(others.first { $0.name == field.name }?.schema)
    }
    func made(_ change: Int? = nil, _ schema: Schema? = nil, adding: [Field] = []) -> Schema {
      .object(
        fields.indices.compactMap { index in
          (index == change ? schema : all[index].first).map {
            Field(name: fields[index].name, schema: $0)
          }
        } + adding)
    }
    return [made()]
      + fields.indices.flatMap { index in
        all[index].map { made(index, $0) } + (fields[index].isRequired ? [] : [made(index, nil)])
      }
      + others.filter { other in !fields.contains { $0.name == other.name } }.map {
        made(adding: [Field(name: $0.name, schema: $0.schema.stranger)])
      }
      + [.bool, .int, .string].map { made(adding: [Field(name: "zz", schema: $0)]) }
  }

  /// Shapes that this one fits as a payload; `new` is what it becomes.
  func receivers(_ new: Schema?) -> [Schema] {
    switch self {
    case .bool, .double: return [self]
    case .int: return [.int, .double]
    case .string: return [.string, .secret]
    case .secret: return [.secret]
    case .choice: return [self, .string]
    case .any, .opaque, .recursive: return [.bool, .int, .string, .array(.bool)]
    case .optional(let wrapped): return wrapped.receivers(new?.wrapped).map { .optional($0) }
    case .array(let element):
      let other: Schema? = if case .array(let other)? = new?.wrapped { other } else { nil }
      return element.receivers(other).flatMap { [.array($0), .array(.optional($0))] } + [
        .array(.any)
      ]
    case .dictionary(let element):
      let other: Schema? = if case .dictionary(let other)? = new?.wrapped { other } else { nil }
      return element.receivers(other).map { .dictionary($0) } + [.dictionary(.any)]
    case .object(let fields):
      let others: [Field] = if case .object(let others)? = new?.wrapped { others } else { [] }
      let own = fields.flatMap { field -> [Schema] in
        let other = others.first { $0.name == field.name }?.schema
        return (field.schema.receivers(other) + [.any]).map {
          .object([Field(name: field.name, schema: $0)])
        }
      }
      let strangers = others.filter { other in !fields.contains { $0.name == other.name } }.map {
        Schema.object([Field(name: $0.name, schema: .optional($0.schema.stranger))])
      }
      let elements: [Schema] = [
        .bool, .int, .double, .string, .secret, .array(.any), .dictionary(.any), .object([]),
        .variant(["one", "two", "three"].map { CaseSchema(name: $0, payload: .any) }),
      ]
      return [.object([])] + own + strangers + elements.map { .dictionary($0) }
    case .variant(let cases):
      let others: [CaseSchema] = if case .variant(let others)? = new?.wrapped { others } else { [] }
      return [self]
        + cases.indices.flatMap { index -> [Schema] in
          let entry = cases[index]
          let other = others.first { $0.name == entry.name }.map { $0.payload ?? .object([]) }
          return (entry.payload ?? .object([])).receivers(other).map { receiver in
            .variant(
              cases.indices.map {
                CaseSchema(name: cases[$0].name, payload: $0 == index ? receiver : .any)
              })
          }
        }
    @unknown default: return [self]
    }
  }

  /// A shape that does not fit this one, however optional it is.
  var stranger: Schema { if case .bool = wrapped { .int } else { .bool } }

  /// The shape without `optional` around it.
  var wrapped: Schema { if case .optional(let inner) = self { inner.wrapped } else { self } }

  var isOptional: Bool { if case .optional = self { true } else { false } }

  /// The parts that a reference can name, with the way to each; the shape itself first.
  var parts: [(path: [String], schema: Schema)] {
    var found: [([String], Schema)] = [([], self)]
    switch wrapped {
    case .object(let fields):
      for field in fields {
        found += field.schema.parts.map { ([field.name] + $0.path, $0.schema) }
      }
    case .dictionary(let element): found += element.parts.map { (["k"] + $0.path, $0.schema) }
    case .any, .opaque, .recursive: found.append((["k"], .any))
    default: break
    }
    return found
  }

  /// The part at the end of a way; `nil` where there is none.
  func part(_ path: some Collection<String>) -> Schema? {
    guard let first = path.first else { return self }
    switch wrapped {
    case .object(let fields):
      return fields.first { $0.name == first }?.schema.part(path.dropFirst())
    case .dictionary(let element): return element.part(path.dropFirst())
    default: return nil
    }
  }
}
