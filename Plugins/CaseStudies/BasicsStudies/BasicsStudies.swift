internal import AppCore

/// Basics: state, actions, children, dialogs and controls.
struct BasicsStudies: Plugin {
  static let name = "BasicsStudies"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Menu.self) { _ in Menu() }
    registry.feature(Counter.self) { _ in Counter() }
    registry.feature(TwoCounters.self) { _ in TwoCounters() }
    registry.feature(OptionalCounter.self) { _ in OptionalCounter() }
    registry.feature(Dialogs.self) { _ in Dialogs() }
    registry.feature(Controls.self) { _ in Controls() }
    registry.feature(Browsing.self) { _ in Browsing() }
    registry.feature(Selecting.self) { _ in Selecting() }
    registry.feature(Columns.self) { _ in Columns() }
    registry.feature(Form.self) { _ in Form() }
    registry.feature(SignIn.self) { _ in SignIn() }
    registry.feature(Dates.self) { _ in Dates() }
    registry.feature(Elements.self) { _ in Elements() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_BasicsStudies)
public func basicsStudies() -> UnsafeMutableRawPointer { export(BasicsStudies.self) }
