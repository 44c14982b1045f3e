internal import AppCheck
internal import Navigation
package import Sessions

extension ManifestReport {
  /// The app's name; `nil` where the manifest can't be run.
  package var appName: String? { graph?.name }

  /// What becomes of a session under the manifest, as far as the plugins' versions tell.
  ///
  /// Nothing is run.
  ///
  /// - Parameter image: the session.
  /// - Returns: the plan; `nil` where the manifest can't be run.
  package func plan(for image: SessionImage) -> SessionPlan? {
    guard let graph else { return nil }
    var features = Forecast(
      identity: image.identity, versions: plugins.members.mapValues(\.info.version))
    // It fails only where a feature refuses to begin, and none is asked.
    return try? SessionPlan.make(of: image, in: graph, &features)
  }
}
