internal import AppCore

extension ManifestReport {
  /// Whether a feature keeps its state in the same shape as in another version of the app.
  ///
  /// - Returns: `nil` if that is not known: a plugin was not scanned, or a part of a state has no
  ///   known shape.
  package func hasSameState(_ feature: String, as other: ManifestReport) -> Bool? {
    guard let own = state(of: feature), let others = other.state(of: feature) else { return nil }
    return own == others
  }

  private func state(of feature: String) -> Schema? {
    let plugin = String(feature.prefix { $0 != "." })
    return plugins.members[plugin]?.info.states[feature].flatMap { $0.isKnown ? $0.sorted : nil }
  }
}

extension Schema {
  fileprivate var isKnown: Bool {
    switch self {
    case .bool, .int, .double, .string, .secret, .choice, .recursive: true
    case .any, .opaque: false
    case .optional(let part), .array(let part), .dictionary(let part): part.isKnown
    case .object(let fields): fields.allSatisfy(\.schema.isKnown)
    case .variant(let cases): cases.allSatisfy { $0.payload?.isKnown ?? true }
    @unknown default: false
    }
  }
}
