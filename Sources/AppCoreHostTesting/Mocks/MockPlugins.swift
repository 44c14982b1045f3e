@_spi(Host) internal import AppCore

/// The plugins that stand behind mocks.
enum MockPlugins {
  /// One plugin for each name that the mocks' names begin with.
  static func make(
    of mocks: [MockFeature], besides plugins: [LoadedPlugin]
  ) throws(AppHarnessError) -> [LoadedPlugin] {
    var features: [String: [DeclaredFeature]] = [:]
    var names: Set<String> = []
    for mock in mocks {
      guard let (plugin, feature) = mock.parts else { throw .mockName(mock.name) }
      guard names.insert(mock.name).inserted else { throw .mockTwice(mock.name) }
      if plugins.contains(where: { $0.name == plugin }) { throw .mockOfPlugin(mock.name) }
      features[plugin, default: []].append(
        DeclaredFeature(
          MockBody(mock: mock), name: feature, arguments: mock.arguments,
          delegates: mock.delegates.map(\.schema), inputs: mock.inputs.map(\.schema)))
    }
    return features.sorted { $0.key < $1.key }.map { name, features in
      LoadedPlugin(name: name, version: "1.0.0", features: features)
    }
  }
}
