@_spi(Host) package import AppCore
@_spi(Host) package import Navigation

/// A step that is not encoded yet, as the store's thread captures it.
package struct CapturedStep: @unchecked Sendable {
  // Unchecked: states and actions are Sendable values; features are called only to encode states, on
  // the recorder's thread.

  /// The step as far as it is known without encoding anything.
  package var step: RecordedStep
  package let action: AppAction
  package let state: AppState
  package let graph: Graph
  /// The features by node index; `nil` for nodes whose features are not created yet.
  package let features: [LoadedFeature?]
  package let suspended: [InstanceID: SavedInstance]
  /// The shared values after the step; `nil` if there are none.
  package let shared: SharedSnapshot?
  /// Makes a header for the app's build from this step on; `nil` if the build has not changed.
  package var build: (@Sendable () -> RecordingHeader)?
  /// Returns the secrets in the manifest; `nil` if the build has not changed.
  package var secrets: (@Sendable () -> Set<String>)?
  /// The memory that it occupies, in bytes, as an estimate.
  package var estimatedSize = 0

  package init(
    _ step: RecordedStep, _ action: AppAction, _ state: AppState, _ graph: Graph,
    _ features: [LoadedFeature?], suspended: [InstanceID: SavedInstance], _ shared: SharedSnapshot?
  ) {
    (self.step, self.action, self.state, self.shared) = (step, action, state, shared)
    (self.graph, self.features, self.suspended) = (graph, features, suspended)
  }
}
