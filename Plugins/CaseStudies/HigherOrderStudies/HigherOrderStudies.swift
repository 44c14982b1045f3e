internal import AppCore

/// Higher-order reducers: features that are composed of reusable components.
struct HigherOrderStudies: Plugin {
  static let name = "HigherOrderStudies"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Menu.self) { _ in Menu() }
    registry.feature(Recursion.self) { _ in Recursion() }
    registry.feature(Favorites.self) { _ in Favorites() }
    registry.feature(Downloads.self) { _ in Downloads() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_HigherOrderStudies)
public func higherOrderStudies() -> UnsafeMutableRawPointer { export(HigherOrderStudies.self) }
