@_spi(Host) package import AppCore
@_spi(Host) package import Navigation
package import Sessions

/// An action that was reduced, as the store's thread hands it over: nothing is coded yet.
package struct TakenStep: @unchecked Sendable {
  // Unchecked: states and actions are Sendable values, and a scene is never written.
  package var action: AppAction
  /// The node of its instance, before it was reduced.
  package var node: Int?
  /// The app after it.
  package var state: AppState
  /// How long after the beginning it began, in nanoseconds.
  package var time: Int
  /// How long it took to be reduced, in nanoseconds.
  package var duration: Int
  package var readings: [DependencyTape.Reading]
  /// The lines that were typed since the step before.
  package var lines: [RecordedStep.Line]
  package var scene: RecordedScene
  /// The shared values as they were then; `nil` where there are none.
  package var shared: SharedSnapshot?
  /// Whether shared values were changed outside of reducers since the step before.
  package var sharesNews = false
  /// What the app is made of from this step on, where that is something else than before.
  package var build: (@Sendable () -> RecordingHeader)?
  /// The secrets that what it is made of is given.
  package var secrets: (@Sendable () -> Set<String>)?
  /// How many bytes it keeps in memory, by an estimate.
  package var estimatedSize = 0
  /// How many steps before it were not kept.
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

/// What is around the steps of an app, for many of them the same.
package final class RecordedScene: @unchecked Sendable {
  // Unchecked: never written; features are asked only to code states, on the recorder's thread.
  package let graph: Graph
  /// The features by node, as far as they are made.
  package let features: [LoadedFeature?]
  /// What is kept of instances whose features are not called.
  package let suspended: [InstanceID: SavedInstance]

  package init(
    graph: Graph, features: [LoadedFeature?], suspended: [InstanceID: SavedInstance]
  ) {
    self.graph = graph
    self.features = features
    self.suspended = suspended
  }
}
