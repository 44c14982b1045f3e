internal import AppCore

/// A well-behaved plugin, whose features use every kind of action.
struct MockGoodPlugin: Plugin {
  static let name = "MockGood"
  static let version = "1.2.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Tree.self) { _ in Tree() }
    registry.feature(Ask.self) { _ in Ask() }
    registry.feature(Countdown.self) { _ in Countdown() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockGood)
public func mockGoodPlugin() -> UnsafeMutableRawPointer { export(MockGoodPlugin.self) }
