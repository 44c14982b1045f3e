public import AppCore

/// A `with`: values, and references into a route's payload.
public indirect enum ArgumentTemplate: Hashable, Sendable {
  case value(Value)
  /// A reference `$.a.b`; the path is empty for `$`.
  case payload([String])
  case text([Part])
  case array([ArgumentTemplate])
  case object([String: ArgumentTemplate])

  /// One part of a string.
  public enum Part: Hashable, Sendable {
    case text(String)
    case payload([String])
  }

  /// A template that supplies nothing.
  public static var empty: Self { .object([:]) }
}

extension ArgumentTemplate {
  /// Resolves the references in a payload; those to missing fields become `null`.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the result.
  public func resolved(_ payload: Value) -> Value {
    switch self {
    case .value(let value): value
    case .payload(let path): payload.value(at: path)
    case .text(let parts):
      .string(
        parts.map { part in
          switch part {
          case .text(let text): text
          case .payload(let path): payload.value(at: path).insertedText
          }
        }.joined())
    case .array(let elements): .array(elements.map { $0.resolved(payload) })
    case .object(let fields): .object(fields.mapValues { $0.resolved(payload) })
    }
  }

  /// Resolves the template, and merges its fields over those of `base`, one level deep.
  ///
  /// A null field keeps that of `base`.
  public func resolved(_ payload: Value, over base: Value) -> Value {
    let top = resolved(payload)
    guard case .object(let fields) = top, case .object(let defaults) = base else {
      return top == .null ? base : top
    }
    return .object(defaults.merging(fields) { old, new in new == .null ? old : new })
  }
}

extension Value {
  /// Whether two sets of arguments are equal; a null field counts as missing.
  func isSame(as other: Value) -> Bool {
    guard case .object(let mine) = self, case .object(let others) = other else {
      return self == other
    }
    return mine.filter { $1 != .null } == others.filter { $1 != .null }
  }

  fileprivate func value(at path: [String]) -> Value {
    var value = self
    for name in path {
      guard let next = value[name] else { return .null }
      value = next
    }
    return value
  }

  /// The text of an inserted value; only scalars pass the manifest's checks.
  fileprivate var insertedText: String {
    switch self {
    case .string(let text): text
    case .int(let number): String(number)
    case .double(let number): String(number)
    case .bool(let bool): bool ? "true" : "false"
    case .null: ""
    case .array, .object: json
    }
  }
}
