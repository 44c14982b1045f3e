internal import AppCore

/// Navigation: screens, and the ways from one to another.
struct NavigationStudies: Plugin {
  static let name = "NavigationStudies"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Menu.self) { _ in Menu() }
    registry.feature(Stack.self) { _ in Stack() }
    registry.feature(LoadThenPresent.self) { _ in LoadThenPresent() }
    registry.feature(PresentAndLoad.self) { _ in PresentAndLoad() }
    registry.feature(NavigateAndLoad.self) { _ in NavigateAndLoad() }
    registry.feature(MultipleDestinations.self) { _ in MultipleDestinations() }
    registry.feature(RoutesRoom.self) { _ in RoutesRoom() }
    registry.feature(RoutesDoor.self) { _ in RoutesDoor() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_NavigationStudies)
public func navigationStudies() -> UnsafeMutableRawPointer { export(NavigationStudies.self) }
