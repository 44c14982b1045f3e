internal import AppCore

/// Who is at the app: logging in, and out.
struct SessionPlugin: Plugin {
  struct Configuration: Codable, Sendable, Defaulted {
    /// What has to be typed to log in; without one, or with an empty one, the name is enough.
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

/// What the host calls.
@c(appcore_plugin_Session)
public func sessionPlugin() -> UnsafeMutableRawPointer { export(SessionPlugin.self) }
