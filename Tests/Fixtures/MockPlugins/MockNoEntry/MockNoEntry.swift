internal import AppCore

/// A plugin whose author forgot the entry point.
struct MockNoEntryPlugin: Plugin {
  static let name = "MockNoEntry"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {}
}
