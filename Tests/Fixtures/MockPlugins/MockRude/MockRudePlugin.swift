internal import AppCore

/// A plugin that does, when it is asked to, what no plugin should.
struct MockRudePlugin: Plugin {
  static let name = "MockRude"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Rude.self) { _ in Rude() }
    registry.feature(Wall.self) { _ in Wall() }
  }
}

/// What the host calls.
@c(appcore_plugin_MockRude)
public func mockRudePlugin() -> UnsafeMutableRawPointer { export(MockRudePlugin.self) }
