/// The program that loads plugins in a process of its own, and its limits.
public struct ScanProcess: Sendable {
  /// The program's path.
  public var executable: String
  /// The program's arguments, without its own name.
  public var arguments: [String]
  /// The child's variables.
  public var environment: [String: String]
  /// The limits for each plugin.
  public var limits: ScanLimits

  /// Describes a process; a ``PluginScanner`` starts it.
  public init(
    executable: String, arguments: [String], environment: [String: String],
    limits: ScanLimits = ScanLimits()
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.limits = limits
  }

  /// The child's variables, with the runtime's backtracer disabled: after a crash it would run for
  /// seconds, and on a terminal it waits for a key, with perhaps nobody there.
  var childEnvironment: [String] {
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
