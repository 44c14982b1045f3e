/// The program that loads plugins in a process of its own, and what it may use.
public struct ScanProcess: Sendable {
  /// The program's path.
  public var executable: String
  /// The program's arguments, without its own name.
  public var arguments: [String]
  /// The child's variables.
  public var environment: [String: String]
  /// What each plugin may use.
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

  /// After a crash the runtime's backtracer would run for seconds, and for a person that may not
  /// be there: on a terminal it waits for a key.
  var childEnvironment: [String] {
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
