/// What a scanning process may use before it is stopped.
public struct ScanLimits: Hashable, Sendable {
  /// How long it may run, by the clock on the wall.
  public var time: Duration
  /// How many bytes it may write to standard output.
  public var output: Int
  /// How many bytes of standard error are kept, from the end.
  public var errorTail: Int
  /// How many bytes of address space it may have; `nil` for no limit.
  ///
  /// Address space, not memory in use: a host reserves a stack of 1 GiB for its store.
  public var addressSpace: UInt64?
  /// How many seconds of processor time it may use; `nil` for no limit.
  ///
  /// It ends a child that runs on after its parent was killed.
  public var processorSeconds: UInt64?

  /// Makes limits; the defaults are for a plugin that names its features.
  public init(
    time: Duration = .seconds(5), output: Int = 4 << 20, errorTail: Int = 4096,
    addressSpace: UInt64? = 8 << 30, processorSeconds: UInt64? = 10
  ) {
    self.time = time
    self.output = output
    self.errorTail = errorTail
    self.addressSpace = addressSpace
    self.processorSeconds = processorSeconds
  }
}
