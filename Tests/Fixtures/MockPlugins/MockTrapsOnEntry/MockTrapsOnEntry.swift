internal import AppCore

/// A plugin that traps when it registers its features.
struct MockTrapsOnEntryPlugin: Plugin {
  static let name = "MockTrapsOnEntry"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    fatalError("the licence has run out")
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockTrapsOnEntry)
public func mockTrapsOnEntryPlugin() -> UnsafeMutableRawPointer {
  export(MockTrapsOnEntryPlugin.self)
}
