@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Navigation
package import Timeline

// An app that shows the steps of a recording and does not run.
extension App {
  /// Creates the plugins and shows the last step of a recording.
  ///
  /// No effects run and no actions are reduced.
  ///
  /// - Parameter recording: the recording to show.
  /// - Throws: ``AppLoadError`` if a plugin can't be created or the step can't be shown.
  package func begin(replaying recording: Recording) throws(AppLoadError) {
    nameNodes(of: graph)
    let factory = FeatureFactory(current)
    let features = try factory.table()
    replay(recording, factory, features)
    beginBeingWatched()
    let last = recording.numbers.upperBound - 1
    guard let moment = recording.moment(after: last) else {
      throw .start(reason: "the recording has no steps")
    }
    do {
      rewound = try display(moment, step: last, of: recording.numbers)
    } catch {
      throw .start(reason: error.message)
    }
  }
}
