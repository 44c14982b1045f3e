@_spi(Host) internal import AppCore
internal import Navigation
package import Sessions
internal import Support

// An app that shows the steps of a recording and does not run.
extension App {
  /// Creates the plugins and shows the last step of a recording that can be shown.
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
    var reason = "the recording '\(recording.path)' has no steps"
    // The app may have crashed when it made the last screen.
    for number in recording.numbers.reversed().prefix(2) {
      guard let moment = recording.moment(after: number) else { break }
      do {
        rewound = try display(moment, step: number, of: recording.numbers)
        return
      } catch {
        reason = error.message
      }
    }
    throw .start(reason: reason)
  }
}
