internal import AppCore

/// A plugin that ends its process when it is asked for its features.
struct MockTrapsOnEntryPlugin: Plugin {
  static let name = "MockTrapsOnEntry"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    fatalError("the licence has run out")
  }
}

/// What the host calls.
@c(appcore_plugin_MockTrapsOnEntry)
public func mockTrapsOnEntryPlugin() -> UnsafeMutableRawPointer {
  export(MockTrapsOnEntryPlugin.self)
}
