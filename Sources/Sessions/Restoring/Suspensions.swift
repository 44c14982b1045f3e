internal import AppCore

/// The instances whose features are not called, because they have crashed again and again.
package struct Suspensions: Hashable, Sendable {
  /// Plugins that are not called at all, with the reason.
  package var plugins: [String: String] = [:]
  /// Instances, by their numbers in the image, with the reason.
  package var instances: [UInt64: String] = [:]

  package init() {}

  /// What is kept of an instance that is suspended; `nil` for one that continues.
  func state(
    of saved: SavedInstance, _ value: Value, plugin: String
  ) -> SavedInstance.State? {
    if let reason = plugins[plugin] {
      return .suspended(value, reason: reason, isPlugins: true)
    }
    if let reason = instances[saved.id] {
      return .suspended(value, reason: reason, isPlugins: false)
    }
    // It was suspended before; one of a plugin that was corrected continues.
    if case .suspended(_, _, isPlugins: false) = saved.state { return saved.state }
    return nil
  }
}
