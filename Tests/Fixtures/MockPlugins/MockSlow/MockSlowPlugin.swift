internal import AppCore

/// A plugin with slow effects, which use the real clock.
struct MockSlowPlugin: Plugin {
  static let name = "MockSlow"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Work.self) { _ in Work() }
    registry.feature(Counter.self) { _ in Counter() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockSlow)
public func mockSlowPlugin() -> UnsafeMutableRawPointer { export(MockSlowPlugin.self) }
