/// The program that loads a plugin in a process of its own, and the limits of that process.
public struct ScanProcess: Sendable {
  /// The program's path.
  public var executable: String
  /// The program's arguments, without its own name.
  public var arguments: [String]
  /// The child's variables.
  public var environment: [String: String]
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
}

/// The limits at which a plugin's scan is stopped.
public struct ScanLimits: Hashable, Sendable {
  /// The longest time that it may take, in wall-clock time.
  public var time: Duration
  /// How many bytes it may write to standard output and standard error together.
  public var output: Int
  /// How many bytes of writable memory it may have, whether or not it uses them; `nil` for no
  /// limit.
  ///
  /// A plugin that takes three quarters of it is refused: the host has no such limit.
  public var data: UInt64?

  /// Creates limits; the defaults are for a plugin that names its features.
  public init(time: Duration = .seconds(5), output: Int = 4 << 20, data: UInt64? = 1 << 30) {
    self.time = time
    self.output = output
    self.data = data
  }
}
