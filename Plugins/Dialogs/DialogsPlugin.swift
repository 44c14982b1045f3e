internal import AppCore

/// Dialogs that every app can use.
struct DialogsPlugin: Plugin {
  static let name = "Dialogs"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Confirm.self) { _ in Confirm() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_Dialogs)
public func dialogsPlugin() -> UnsafeMutableRawPointer { export(DialogsPlugin.self) }
