internal import AppCore

/// Effects: work that is started by an action and sends other actions.
struct EffectsStudies: Plugin {
  static let name = "EffectsStudies"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Menu.self) { _ in Menu() }
    registry.feature(Facts.self) { _ in Facts() }
    registry.feature(Cancellation.self) { _ in Cancellation() }
    registry.feature(Timers.self) { _ in Timers() }
    registry.feature(LongLiving.self) { _ in LongLiving() }
    registry.feature(Refreshing.self) { _ in Refreshing() }
    registry.feature(Socket.self) { _ in Socket() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_EffectsStudies)
public func effectsStudies() -> UnsafeMutableRawPointer { export(EffectsStudies.self) }
