// The places of shared values in the value of a file.
extension Value {
  subscript(at keys: [String]) -> Value? {
    keys.reduce(Optional(self)) { $0?[$1] }
  }

  /// The keys of the first value on the way to `keys` that is not an object; `nil` without one.
  func obstacle(on keys: [String]) -> [String]? {
    var value = self
    for (index, key) in keys.enumerated() {
      guard case .object(let fields) = value else { return Array(keys[..<index]) }
      guard let next = fields[key] else { return nil }
      value = next
    }
    return nil
  }

  var hasInfinity: Bool {
    switch self {
    case .double(let number): !number.isFinite
    case .array(let values): values.contains { $0.hasInfinity }
    case .object(let fields): fields.values.contains { $0.hasInfinity }
    case .null, .bool, .int, .string: false
    }
  }

  /// Whether its objects and arrays are nested more deeply than `limit`.
  func isDeeper(than limit: Int) -> Bool {
    switch self {
    case .array(let values): limit <= 0 || values.contains { $0.isDeeper(than: limit - 1) }
    case .object(let fields): limit <= 0 || fields.values.contains { $0.isDeeper(than: limit - 1) }
    case .null, .bool, .int, .double, .string: false
    }
  }

  /// `tree` with `value` at `keys`; a value on the way that is not an object is replaced.
  static func setting(
    _ value: Value, at keys: ArraySlice<String>, in tree: Value?
  ) -> Value {
    guard let key = keys.first else { return value }
    var fields: [String: Value] = [:]
    if case .object(let known)? = tree { fields = known }
    fields[key] = setting(value, at: keys.dropFirst(), in: fields[key])
    return .object(fields)
  }
}
