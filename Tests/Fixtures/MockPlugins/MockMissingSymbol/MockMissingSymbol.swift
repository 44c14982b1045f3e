internal import AppCore

/// A function that no library defines.
@_silgen_name("mock_symbol_that_is_nowhere")
func missing() -> Int32

/// A plugin with an undefined symbol.
struct MockMissingSymbolPlugin: Plugin {
  static let name = "MockMissingSymbol"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) { _ = missing() }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockMissingSymbol)
public func mockMissingSymbolPlugin() -> UnsafeMutableRawPointer {
  export(MockMissingSymbolPlugin.self)
}
