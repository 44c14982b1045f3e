internal import AppCore

/// A plugin whose one feature can't be shown.
struct MockThrowsPlugin: Plugin {
  static let name = "MockThrows"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Broken.self) { _ in Broken() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockThrows)
public func mockThrowsPlugin() -> UnsafeMutableRawPointer { export(MockThrowsPlugin.self) }
