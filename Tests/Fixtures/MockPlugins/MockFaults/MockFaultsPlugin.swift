internal import AppCore
internal import Glibc

/// A plugin that fails where it is told to: when it is loaded, when it registers its features, or
/// when it is created.
struct MockFaultsPlugin: Plugin {
  struct Configuration: Codable, Sendable {
    /// The error of the initializer; `nil` if it succeeds.
    var failure: String?
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static let name = "MockFaults"
  static let version = "1.0.0"

  init(configuration: Configuration) throws {
    if let failure = configuration.failure { throw Failure(description: failure) }
    fault(in: "make")
    atexit { fault(in: "atexit") }
    // A thread of the plugin's own, which the host does not know about.
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { _ in
        fault(in: "thread")
        return nil
      }, nil)
    pthread_join(thread, nil)
  }

  static func register(in registry: inout PluginRegistry<Self>) {
    fault(in: "ask")
    if !isScanned { fault(in: "host-ask") }
    registry.feature(Faulty.self) { _ in Faulty() }
    registry.feature(Page.self) { _ in
      fault(in: "factory")
      return Page()
    }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockFaults)
public func mockFaultsPlugin() -> UnsafeMutableRawPointer { export(MockFaultsPlugin.self) }
