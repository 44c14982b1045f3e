internal import AppCore

/// A plugin that misbehaves on request.
struct MockRudePlugin: Plugin {
  static let name = "MockRude"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Rude.self) { _ in Rude() }
    registry.feature(Wall.self) { _ in Wall() }
    registry.feature(Hostile.self) { _ in Hostile() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockRude)
public func mockRudePlugin() -> UnsafeMutableRawPointer { export(MockRudePlugin.self) }
