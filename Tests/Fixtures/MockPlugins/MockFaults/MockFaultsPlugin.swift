internal import AppCore
internal import Glibc

/// A plugin that goes wrong where it is told to: when it is loaded, when it is asked, or when it is
/// made.
struct MockFaultsPlugin: Plugin {
  struct Configuration: Codable, Sendable {
    /// Why it can't be made; it can where nothing is given.
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
    // Its own thread, of which nobody else knows.
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

/// What the host calls.
@c(appcore_plugin_MockFaults)
public func mockFaultsPlugin() -> UnsafeMutableRawPointer { export(MockFaultsPlugin.self) }
