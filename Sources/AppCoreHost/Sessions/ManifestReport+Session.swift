internal import AppCheck
internal import Navigation
package import Sessions

extension ManifestReport {
  /// The app's name; `nil` if the manifest has errors.
  package var appName: String? { graph?.name }

  /// Predicts how a session would be restored, from the manifest and the plugins' versions.
  ///
  /// No code of the plugins runs.
  ///
  /// - Parameter image: the image of the session.
  /// - Returns: the plan; `nil` if the manifest has errors.
  package func plan(for image: SessionImage) -> SessionPlan? {
    guard let graph else { return nil }
    var features = Forecast(
      identity: image.identity, versions: plugins.members.mapValues(\.info.version))
    // Planning fails only if a feature can't create its state, and a forecast calls no feature.
    return try? SessionPlan.make(of: image, in: graph, &features)
  }
}
