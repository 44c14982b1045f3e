internal import AppCore

/// The user of the app: logging in and out.
struct SessionPlugin: Plugin {
  struct Configuration: Codable, Sendable, Defaulted {
    /// The password for logging in; if it is missing or empty, the name is enough.
    var password: Secret<String>?
  }

  static let name = "Session"
  static let version = "1.0.0"

  let password: Secret<String>?

  init(configuration: Configuration) {
    password = configuration.password.flatMap { $0.revealed.isEmpty ? nil : $0 }
  }

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Login.self) { Login(password: $0.password) }
    registry.feature(Account.self) { _ in Account() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_Session)
public func sessionPlugin() -> UnsafeMutableRawPointer { export(SessionPlugin.self) }
