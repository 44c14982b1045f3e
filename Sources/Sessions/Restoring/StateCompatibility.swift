package import AppCore

/// Tells from the plugins' versions and the shapes of their states whether states can be restored,
/// without running their code.
///
/// What is unknown, a trial of the plan finds out.
package struct StateCompatibility: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]
  private let hasSameState: (String) -> Bool?

  /// `hasSameState` says whether a feature's state has the shape that it had; `nil` if that is not
  /// known.
  package init(
    identity: SessionIdentity, versions: [String: String],
    hasSameState: @escaping (_ feature: String) -> Bool? = { _ in nil }
  ) {
    featureVersions = identity.featureVersions
    self.versions = versions
    self.hasSameState = hasSameState
  }

  package func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoreOutcome {
    guard let former = saved.encodedBy ?? featureVersions[saved.node] else { return .nowhere }
    let version = versions[former.plugin]
    let isSameVersion = former.version == version
    switch hasSameState(former.feature) {
    case false? where isSameVersion:
      return .unknown(
        reason: "its state has another shape under the same version, \(former.version); whether it "
          + "can be read is known only when the plugin's code is run")
    case _ where isSameVersion: return .kept
    case true?:
      // A shape does not tell all: not the size of an integer, nor what the feature's code refuses.
      return .unknown(
        reason: "its state has the same shape as in \(former.version), but whether "
          + "\(version ?? "its plugin") can read it only the feature's own coding tells")
    default:
      return .unknown(
        reason: "whether \(version ?? "its plugin") can read the state that \(former.version) has "
          + "written is known only when its code is run")
    }
  }

  package func make(_ key: Int, node: Int, arguments: Value) -> String? { nil }
}
