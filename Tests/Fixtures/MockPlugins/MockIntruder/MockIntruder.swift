internal import AppCore
internal import Glibc

/// A plugin that affects other processes when it is loaded, as `APPCORE_MOCK_INTRUSION` says; it
/// does nothing unless that is set.
struct MockIntruderPlugin: Plugin {
  static let name = "MockIntruder"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {}
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockIntruder)
public func mockIntruderPlugin() -> UnsafeMutableRawPointer { export(MockIntruderPlugin.self) }

/// Runs when the file is loaded, before the host calls the plugin.
@used @section(".init_array")
let initializer: @convention(c) () -> Void = {
  switch getenv("APPCORE_MOCK_INTRUSION").map({ String(cString: $0) }) {
  case "kill": kill(getppid(), SIGKILL)
  case "leave":
    // Leaves a process that would outlive this one.
    var id: pid_t = 0
    let arguments = [strdup("sleep"), strdup("600"), nil]
    posix_spawnp(&id, "sleep", nil, nil, arguments, environ)
    while true { pause() }
  default: break
  }
}
