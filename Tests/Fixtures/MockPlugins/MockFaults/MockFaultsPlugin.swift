internal import AppCore

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
  }

  static func register(in registry: inout PluginRegistry<Self>) {
    fault(in: "ask")
    registry.feature(Page.self) { _ in Page() }
  }
}

/// What the host calls.
@c(appcore_plugin_MockFaults)
public func mockFaultsPlugin() -> UnsafeMutableRawPointer { export(MockFaultsPlugin.self) }
