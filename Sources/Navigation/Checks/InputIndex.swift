@_spi(Host) internal import AppCore

/// Who of some features receives which input action.
struct InputIndex {
  /// A feature, and its input action of a name.
  typealias Entry = (feature: FeatureInfo, input: CaseSchema)

  private let entries: [String: [Entry]]

  /// Creates an index of the features of some nodes; each feature counts once, however many nodes
  /// have it.
  ///
  /// - Complexity: O(n) in the nodes and in the input actions of their features.
  init(_ features: some Sequence<FeatureInfo?>) {
    var seen: Set<String> = []
    var entries: [String: [Entry]] = [:]
    for case let feature? in features where seen.insert(feature.name).inserted {
      for input in feature.inputs { entries[input.name, default: []].append((feature, input)) }
    }
    self.entries = entries
  }

  /// The features that have an input action of this name, in the order of their nodes.
  subscript(input: String) -> [Entry] { entries[input] ?? [] }
}
