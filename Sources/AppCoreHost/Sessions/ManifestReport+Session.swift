internal import AppCheck
@_spi(Host) internal import AppCore
internal import Navigation
package import Sessions

extension ManifestReport {
  /// The app's name; `nil` if the manifest has errors.
  package var appName: String? { graph?.name }

  /// Plans how a session would be restored, from the manifest and the plugins' versions.
  ///
  /// No code of the plugins runs.
  ///
  /// - Returns: the plan; `nil` if the manifest has errors.
  package func plan(for image: SessionImage) -> SessionPlan? {
    guard let graph else { return nil }
    var features = StateCompatibility(
      identity: image.identity, versions: plugins.members.mapValues(\.info.version))
    // Planning fails only if a feature can't create its state, and none is called here.
    return try? SessionPlan.make(of: image, in: graph, &features)
  }
}

extension LoadedApp {
  /// Restores a session as a start would, but only to learn what becomes of its instances.
  ///
  /// The plugins' code runs. Values in files are those of the states; no file is read or written.
  ///
  /// - Throws: an error if a plugin can't be instantiated, or the start node can't be created.
  package func tryPlan(for image: SessionImage) throws -> SessionPlan {
    try withDependencies {
      $0.sharedStorage = .replaying()
    } operation: {
      var live = StateRestorer(
        identity: image.identity, versions: versions, features: try FeatureFactory(self).table(),
        calls: CallRecorder())
      return try SessionPlan.make(of: image, in: graph, &live)
    }
  }
}
