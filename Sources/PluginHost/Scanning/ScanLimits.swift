/// The limits at which a plugin's scan is stopped.
public struct ScanLimits: Hashable, Sendable {
  /// The longest time that it may take, in wall-clock time.
  public var time: Duration
  /// How long the scanning process may take to start.
  public var start: Duration
  /// How many bytes it may write to standard output and standard error together.
  public var output: Int
  /// How many bytes of standard error are kept, from the end.
  public var errorTail: Int
  /// How many bytes of address space it may have; `nil` for no limit.
  ///
  /// Address space, not memory in use: a host reserves a stack of 1 GiB for its store. The space
  /// that a scan keeps empty around plugins is added to it.
  public var addressSpace: UInt64?
  /// How many bytes of writable memory it may have, whether or not it uses them; `nil` for no
  /// limit.
  ///
  /// A plugin that takes three quarters of it is refused: the host has no such limit.
  public var data: UInt64?
  /// How many seconds of processor time the whole process may use; `nil` for no limit.
  ///
  /// It ends a child that keeps running after its parent was killed.
  public var processorSeconds: UInt64?

  /// Creates limits; the defaults are for a plugin that names its features.
  public init(
    time: Duration = .seconds(5), start: Duration = .seconds(30), output: Int = 4 << 20,
    errorTail: Int = 4096, addressSpace: UInt64? = 8 << 30, data: UInt64? = 1 << 30,
    processorSeconds: UInt64? = 60
  ) {
    self.time = time
    self.start = start
    self.output = output
    self.errorTail = errorTail
    self.addressSpace = addressSpace
    self.data = data
    self.processorSeconds = processorSeconds
  }
}
