extension ValueEncoder.Purpose {
  /// Whether what is coded goes over to another build, in this process.
  var isTakingOver: Bool {
    switch self {
    case .takingOver: true
    case .storage, .people: false
    }
  }

  /// What types see of it when they are coded.
  var userInfo: [CodingUserInfoKey: Any] {
    switch self {
    case .storage: [:]
    case .people: Self.ofPeople
    case .takingOver: Self.ofTakingOver
    }
  }

  nonisolated(unsafe) private static let ofPeople = info(.redaction)
  nonisolated(unsafe) private static let ofTakingOver = info(.takingOver)

  private static func info(_ key: CodingUserInfoKey?) -> [CodingUserInfoKey: Any] {
    key.map { [$0: true] } ?? [:]
  }
}

/// The same value as one of a type that it is known to have.
@inline(__always)
func retyped<From, To>(_ value: From, as type: To.Type) -> To {
  unsafeBitCast(value, to: type)
}
