package import AppCore

/// Tells from the plugins' versions whether states can be restored, without running their code.
///
/// Whether another version of a plugin can read a state is unknown; ``SessionTrial`` tries it.
package struct StateCompatibility: SessionFeatures {
  private let featureVersions: [String: SavedInstance.FeatureVersion]
  private let versions: [String: String]

  package init(identity: SessionIdentity, versions: [String: String]) {
    featureVersions = identity.featureVersions
    self.versions = versions
  }

  package func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoreOutcome {
    guard let former = saved.encodedBy ?? featureVersions[saved.node] else { return .nowhere }
    let version = versions[former.plugin]
    guard former.version != version else { return .kept }
    return .unknown(
      reason: "whether \(version ?? "its plugin") can read the state that \(former.version) has "
        + "written is known only when its code is run")
  }

  package func make(_ key: Int, node: Int, arguments: Value) -> String? { nil }
}
