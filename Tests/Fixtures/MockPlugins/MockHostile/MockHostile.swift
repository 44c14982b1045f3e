internal import AppCore

/// A plugin whose texts all come from the file that `APPCORE_MOCK_TEXTS` names, in which 0xff
/// separates them.
struct MockHostilePlugin: Plugin {
  static let name = "MockHostile"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Page.self) { _ in Page() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockHostile)
public func mockHostilePlugin() -> UnsafeMutableRawPointer { export(MockHostilePlugin.self) }
