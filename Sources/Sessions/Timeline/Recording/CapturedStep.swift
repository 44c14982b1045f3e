@_spi(Host) package import AppCore
@_spi(Host) package import Navigation

/// A step that is not encoded yet, as the store's thread captures it.
package struct CapturedStep: @unchecked Sendable {
  // Unchecked: states and actions are Sendable values, and a scene is immutable.
  package var action: AppAction
  /// The index of the node of the action's instance, before the reduction.
  package var node: Int?
  /// The app after the step.
  package var state: AppState
  /// When it began, in nanoseconds since the app began.
  package var time: Int
  /// How long its reduction took, in nanoseconds.
  package var duration: Int
  /// The dates, unique ids and random numbers that its reducer read.
  package var readings: [DependencyTape.Reading]
  /// The lines that were typed since the previous step.
  package var lines: [RecordedStep.Line]
  package var scene: RecordedScene
  /// The shared values after the step; `nil` if there are none.
  package var shared: SharedSnapshot?
  /// Whether shared values have changed outside of reducers since the previous step.
  package var sharedStateChanged = false
  /// Makes a header for the app's build from this step on; `nil` if the build has not changed.
  package var build: (@Sendable () -> RecordingHeader)?
  /// Returns the secrets in the manifest; `nil` if the build has not changed.
  package var secrets: (@Sendable () -> Set<String>)?
  /// The memory that it occupies, in bytes, as an estimate.
  package var estimatedSize = 0
  /// How many steps before it were dropped.
  package var skipped = 0

  package init(
    action: AppAction, node: Int?, state: AppState, time: Int, duration: Int,
    readings: [DependencyTape.Reading], lines: [RecordedStep.Line], scene: RecordedScene,
    shared: SharedSnapshot?
  ) {
    self.action = action
    self.node = node
    self.state = state
    self.time = time
    self.duration = duration
    self.readings = readings
    self.lines = lines
    self.scene = scene
    self.shared = shared
  }
}

/// The graph and features of an app, which many steps share.
package final class RecordedScene: @unchecked Sendable {
  // Unchecked: immutable; features are called only to encode states, on the recorder's thread.
  package let graph: Graph
  /// The features by node index; `nil` for nodes whose features are not created yet.
  package let features: [LoadedFeature?]
  /// The suspended instances, whose features are not called.
  package let suspended: [InstanceID: SavedInstance]

  package init(
    graph: Graph, features: [LoadedFeature?], suspended: [InstanceID: SavedInstance]
  ) {
    self.graph = graph
    self.features = features
    self.suspended = suspended
  }
}
