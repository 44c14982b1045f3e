package import AppCore

/// Predicts from the plugins' versions whether states can be restored, without running their code.
///
/// When an app is really restored, a feature may still reject a state; its instance is then made
/// anew.
package struct Forecast: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]

  /// - Parameters:
  ///   - identity: the identity in the image.
  ///   - versions: the current versions of the plugins, by their names.
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
