package import AppCore

/// What becomes of saved states as far as the plugins' versions tell: no code of theirs runs.
///
/// A feature may still refuse a state, or find that it has another form; then the instance is made
/// anew.
package struct Forecast: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]

  /// - Parameters:
  ///   - identity: the app that was running.
  ///   - versions: the version of each plugin now, by its name.
  package init(identity: SessionIdentity, versions: [String: String]) {
    featureVersions = identity.featureVersions
    self.versions = versions
  }

  package func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoredState {
    guard let former = saved.encodedBy ?? featureVersions[saved.node] else {
      return .failed(reason: Reason.nowhere)
    }
    return former.version == versions[former.plugin] ? .kept : .migrated(from: former.version)
  }

  package func make(_ key: Int, node: Int, arguments: Value) -> String? { nil }
}
