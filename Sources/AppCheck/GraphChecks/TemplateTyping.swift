internal import AppCore
internal import Manifest
internal import Navigation
internal import Support

/// Turns a `with` into a template, and checks it against the shapes on both sides.
struct TemplateTyping {
  /// The owner of the arguments, for messages: a feature, an input case, a plugin.
  let owner: String
  /// The shape of `$`; `nil` if there is no payload.
  let payload: Schema?
  let variables: [String: Manifest.Variable]
  /// The table of the fields expected at the top level, if one was made before.
  let fields: FieldTable?
  var suggestions: Suggestions
  /// Problems found; the caller takes them.
  var problems: [Diagnostic] = []
  /// The number of values in the lists and maps of templates, at every level.
  private(set) var elementCount = 0
  /// The use of a variable while its value is being checked; otherwise `nil`.
  var place: SourceRange?
  /// The source of that value; `nil` if it is in the manifest.
  var giver: String?
  /// The names of the fields that lead to the part that is being checked.
  var path: [String] = []
  private var field: String { path.isEmpty ? "with" : path.joined(separator: ".") }

  /// Creates the template for `expression` in a place where `expected` is the expected shape.
  ///
  /// `hasFallback` says whether a default replaces null.
  mutating func template(
    _ expression: Manifest.Expression, as expected: Schema, hasFallback: Bool = false
  ) -> ArgumentTemplate {
    let range = expression.range
    switch expression.kind {
    case .invalid: return .value(.null)
    case .scalar(let scalar):
      // A variable without a value selects the default; a key without a value is a mistake. A text
      // from outside is that text, even an empty one.
      if hasFallback, scalar.isNull, scalar.style != .given, place != nil { return .value(.null) }
      return .value(value(scalar, as: expected, at: range))
    case .array(let elements):
      elementCount += elements.count
      let element: Schema
      switch expected.unwrapped {
      case .array(let schema): element = schema
      case .any, .opaque, .recursive: element = .any
      default: return .value(mismatch(expected, "a list", range))
      }
      return .array(elements.enumerated().map { template($1, as: element, in: "\($0)") })
    case .object(let fields):
      elementCount += fields.count
      switch expected.unwrapped {
      case .object(let due):
        let table = path.isEmpty ? self.fields : nil
        return object(fields, table ?? FieldTable(due), range)
      case .variant(let cases): return variant(fields, cases, expected, range)
      case .dictionary(let element): return object(fields, of: element)
      case .any, .opaque, .recursive: return object(fields, of: .any)
      default: return .value(mismatch(expected, "an object", range))
      }
    case .reference(let reference): return self.reference(reference, expected, range, hasFallback)
    case .interpolation(let parts):
      if let misfit = expected.misfit(of: .string) { report(misfit, range) }
      return .text(
        parts.map { part in
          switch part {
          case .text(let text): .text(text)
          case .insertion(let reference, let range): insertion(reference, range)
          }
        })
    }
  }

  private mutating func template(
    _ expression: Manifest.Expression, as expected: Schema, in part: String,
    hasFallback: Bool = false
  ) -> ArgumentTemplate {
    path.append(part)
    defer { path.removeLast() }
    return template(expression, as: expected, hasFallback: hasFallback)
  }

  private mutating func object(
    _ fields: [Manifest.Expression.Field], of element: Schema
  ) -> ArgumentTemplate {
    var result: [String: ArgumentTemplate] = [:]
    for field in fields {
      result[field.name.value] = template(field.value, as: element, in: field.name.value)
    }
    return .object(result)
  }

  private mutating func object(
    _ fields: [Manifest.Expression.Field], _ due: FieldTable, _ range: SourceRange
  ) -> ArgumentTemplate {
    var result: [String: ArgumentTemplate] = [:]
    var free: [String]?
    for field in fields {
      let name = field.name.value
      guard let schema = due[name] else {
        free = free ?? (suggestions.isSpent ? [] : Self.names(due.names, notIn: fields))
        superfluous(field.name, allowed: due.names, free: free ?? [])
        continue
      }
      result[name] = template(
        field.value, as: schema.schema, in: name, hasFallback: schema.defaultValue != nil)
    }
    // At the top level the node's own arguments count as well; the caller checks both.
    if !path.isEmpty {
      for field in due.required where result[field.name] == nil {
        let isMisspelt = fields.contains { due[$0.name.value] == nil }
        if !isMisspelt { reportMissing(path + [field.name], field, range) }
      }
    }
    return .object(result)
  }

  private mutating func variant(
    _ fields: [Manifest.Expression.Field], _ cases: [CaseSchema], _ expected: Schema,
    _ range: SourceRange
  ) -> ArgumentTemplate {
    guard fields.count == 1, let field = fields.first else {
      return .value(mismatch(expected, "an object of \(fields.count) fields", range))
    }
    guard let entry = cases.first(where: { $0.name == field.name.value }) else {
      superfluous(field.name, allowed: cases.map(\.name), free: cases.map(\.name))
      return .value(.null)
    }
    let payload = template(field.value, as: entry.payload ?? .object([]), in: entry.name)
    return .object([entry.name: payload])
  }

  private mutating func insertion(
    _ reference: Manifest.Expression.Reference, _ range: SourceRange
  ) -> ArgumentTemplate.Part {
    switch reference {
    case .directory(let folder), .data(let folder): return .text(folder)
    case .variable(let name):
      switch variables[name]?.value?.kind {
      case .scalar(let scalar): return .text(scalar.text)
      case .array: reportNotInsertable("$vars.\(name)", "a list", range)
      case .object: reportNotInsertable("$vars.\(name)", "an object", range)
      // Undefined and unset variables are reported where they are.
      case .reference, .interpolation, .invalid, nil: break
      }
      return .text("")
    case .payload(let path):
      if let schema = schema(at: path), !schema.isInsertable {
        let text = "$" + path.map { "." + $0.value }.joined()
        reportNotInsertable(text, schema.phrase, range)
      }
      return .payload(path.map(\.value))
    }
  }

  private mutating func reference(
    _ reference: Manifest.Expression.Reference, _ expected: Schema, _ range: SourceRange,
    _ hasFallback: Bool
  ) -> ArgumentTemplate {
    switch reference {
    case .directory(let folder), .data(let folder):
      if let misfit = expected.misfit(of: .string) { report(misfit, range) }
      return .value(.string(folder))
    case .variable(let name):
      guard let variable = variables[name], let expression = variable.value else {
        return .value(.null)
      }
      // The value comes from the variable, but a problem with it is reported where it is used.
      (place, giver) = (range, variable.giver)
      defer { (place, giver) = (nil, nil) }
      return template(expression, as: expected, hasFallback: hasFallback)
    case .payload(let names):
      guard var source = schema(at: names) else { return .value(.null) }
      if hasFallback, case .optional(let inner) = source.flat { source = inner }
      if let misfit = expected.misfit(of: source) { report(misfit, range) }
      return .payload(names.map(\.value))
    }
  }

  /// The shape of a field of the payload; `nil` if there is none, which is reported.
  private mutating func schema(at path: [Located<String>]) -> Schema? {
    guard var schema = payload else { return nil }
    var isOptional = false
    for (depth, name) in path.enumerated() {
      let owner = "$" + path[..<depth].map { "." + $0.value }.joined()
      if case .optional(let inner) = schema.flat {
        isOptional = true
        schema = inner
      }
      switch schema {
      case .any, .opaque, .recursive: return .any
      case .dictionary(let element):
        isOptional = true
        schema = element
      case .object(let fields):
        guard let field = fields.first(where: { $0.name == name.value }) else {
          reportUnknown(name, of: owner, fields.map(\.name))
          return nil
        }
        schema = field.schema
      default:
        reportUnknown(name, of: owner, [])
        return nil
      }
    }
    if isOptional, case .optional = schema { return schema }
    return isOptional ? .optional(schema) : schema
  }

  private mutating func value(
    _ scalar: Scalar, as expected: Schema, at range: SourceRange
  ) -> Value {
    switch expected {
    case .optional(let wrapped):
      let isNull = [.string, .secret].contains(wrapped) ? scalar.isNoString : scalar.isNull
      return isNull ? .null : value(scalar, as: wrapped, at: range)
    case .string, .secret:
      if let text = scalar.string { return .string(text) }
    case .int:
      if let int = scalar.int { return .int(int) }
      if scalar.isPlain, scalar.isWholeNumber {
        return mismatch(expected, "a number of more than 64 bits", range)
      }
    case .double:
      if let double = scalar.double { return .double(double) }
    case .bool:
      if let bool = scalar.bool { return .bool(bool) }
      if let means = scalar.oldBoolean {
        report(
          .yesNoBoolean, range, "\(quote(scalar.text)) is text, not a bool; write '\(means)'",
          correction: .init(scalar.text, "\(means)"))
        return .null
      }
    case .choice(let names):
      if names.contains(scalar.text) { return .string(scalar.text) }
      let field = path.isEmpty ? owner : field
      let nearest = suggestions.nearest(to: scalar.text, among: names)
      report(
        .unknownValue, range,
        "\(quote(scalar.text)) is not a value of '\(field)'" + Wording.hint(nearest, names),
        correction: .init(scalar.text, nearest))
      return .null
    case .any, .opaque, .recursive: return scalar.resolved
    case .array, .dictionary, .object, .variant: break
    @unknown default: return scalar.resolved
    }
    return mismatch(expected, scalar.resolved.kind, range)
  }
}

// Reporting.
extension TemplateTyping {
  private mutating func report(
    _ rule: Rule, _ range: SourceRange, _ message: String, correction: Correction? = nil
  ) {
    problems.append(Diagnostic(rule, at: place ?? range, message, correction: correction))
  }

  private mutating func mismatch(
    _ expected: Schema, _ actual: String, _ range: SourceRange
  ) -> Value {
    let found = giver.map { "\(actual), which \($0) gave" } ?? actual
    report(.typeMismatch, range, "\(quote(field)) must be \(expected.phrase), not \(found)")
    return .null
  }

  private mutating func reportMissing(
    _ path: [String], _ field: Schema.Field, _ range: SourceRange
  ) {
    report(
      .missingField, range,
      "\(quote(path.joined(separator: "."))) is missing for \(quote(owner)); it is "
        + field.schema.phrase)
  }

  private mutating func reportNotInsertable(_ text: String, _ type: String, _ range: SourceRange) {
    report(
      .notInsertable, range,
      "\(quote(text)) is \(type) and can't be inserted; only a string, integer, double or bool can")
  }

  private mutating func report(_ misfit: SchemaMisfit, _ range: SourceRange) {
    let outer = path
    path += misfit.path
    defer { path = outer }
    switch misfit.cause {
    case .type(let expected, let actual): _ = mismatch(expected, actual.phrase, range)
    case .missing(let field): reportMissing(path + [field.name], field, range)
    case .cases(let names):
      report(
        .missingCase, range,
        "\(quote(field)) may be \(Wording.list(names)), which its receiver does not know")
    }
  }

  /// The names that are not given yet: another name is no misspelling of one that is given.
  private static func names(
    _ names: [String], notIn fields: [Manifest.Expression.Field]
  ) -> [String] {
    let given = Set(fields.map(\.name.value))
    return names.filter { !given.contains($0) }
  }

  private mutating func superfluous(
    _ name: Located<String>, allowed: [String], free: [String]
  ) {
    let full = (path + [name.value]).joined(separator: ".")
    let nearest = suggestions.nearest(to: name.value, among: free)
    report(
      .superfluousField, name.range,
      "\(quote(owner)) takes no \(quote(full))"
        + (allowed.isEmpty && nearest == nil
          ? "; it takes nothing" : Wording.hint(nearest, allowed, what: "it takes")),
      correction: .init(full.split(separator: ".").last.map(String.init) ?? full, nearest))
  }

  private mutating func reportUnknown(
    _ name: Located<String>, of owner: String, _ allowed: [String]
  ) {
    let nearest = suggestions.nearest(to: name.value, among: allowed)
    report(
      .unknownField, name.range,
      "\(quote(owner)) has no field \(quote(name.value))"
        + Wording.hint(nearest, allowed, what: "it has"),
      correction: .init(name.value, nearest))
  }
}

extension Manifest.Variable {
  /// The source of the value outside the manifest; `nil` if the manifest gives it.
  fileprivate var giver: String? {
    switch origin {
    case .setting: "'--set \(name.value)=…'"
    case .environment: environment.map { "the environment variable '\($0.value)'" }
    case .default, nil: nil
    }
  }
}
