internal import AppCore

/// The machine's Debian packages: a list of them, and the details of each.
struct PackagesPlugin: Plugin {
  struct Configuration: Codable, Sendable, Defaulted {
    /// The path of dpkg's status file.
    var database = "/var/lib/dpkg/status"
  }

  static let name = "Packages"
  static let version = "1.0.0"

  let library: PackageLibrary

  init(configuration: Configuration) {
    library = PackageLibrary(path: configuration.database)
  }

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(List.self) { List(library: $0.library) }
    registry.feature(Detail.self) { Detail(library: $0.library) }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_Packages)
public func packagesPlugin() -> UnsafeMutableRawPointer { export(PackagesPlugin.self) }
