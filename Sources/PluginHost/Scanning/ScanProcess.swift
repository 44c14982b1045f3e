internal import Glibc

/// Runs a program that loads a plugin and writes what the plugin says of itself.
///
/// A damaged plugin can trap, hang or write without end when it is loaded. In a process of its
/// own that costs a message. The child has a process group, nothing on its standard input, no
/// descriptor but the three standard ones, and limits; when it ends or is stopped, its whole
/// group is killed and the child reaped.
public struct ScanProcess: Sendable {
  /// The program's path.
  public var executable: String
  /// The program's arguments, without its own name.
  public var arguments: [String]
  /// The child's variables.
  public var environment: [String: String]
  /// What the child may use.
  public var limits: ScanLimits

  /// Describes a process; ``run(scanning:)`` starts it.
  public init(
    executable: String, arguments: [String], environment: [String: String],
    limits: ScanLimits = ScanLimits()
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.limits = limits
  }

  /// Runs the process to its end and returns what it wrote to standard output.
  ///
  /// Blocks the thread, for ``ScanLimits/time`` at most.
  ///
  /// - Parameter path: the plugin's path, for the problem.
  /// - Returns: the bytes it wrote.
  /// - Throws: a problem of stage ``PluginProblem/Stage/scanned``.
  public func run(scanning path: String) throws(PluginProblem) -> [UInt8] {
    do throws(PluginProblem.CauseError) {
      return try run()
    } catch {
      throw PluginProblem(.scanned, path: path, error.cause)
    }
  }

  private func run() throws(PluginProblem.CauseError) -> [UInt8] {
    func failure(_ error: Int32) -> PluginProblem.CauseError {
      PluginProblem.CauseError(.scanNotStarted(executable: executable, error: error))
    }
    guard let output = ChildPipe(), let errors = ChildPipe() else { throw failure(errno) }
    var child = ChildProcess()
    let error = child.start(
      executable, arguments, childEnvironment, output: output.writer, errors: errors.writer)
    output.closeWriter()
    errors.closeWriter()
    guard error == 0 else { throw failure(error) }
    child.limit(addressSpace: limits.addressSpace, processorSeconds: limits.processorSeconds)

    var collector = OutputCollector(output: output, errors: errors, limits: limits)
    let end = collector.run(until: child)
    let status = child.killAndReap()
    collector.drain()
    let tail = collector.errorTail

    switch (end, status) {
    case (.flood, _): throw .init(.scanFlood(limit: limits.output, errorTail: tail))
    case (.timeout, _): throw .init(.scanTimeout(limits.time, errorTail: tail))
    case (.ended, .signal(let signal)): throw .init(.scanSignal(signal, errorTail: tail))
    case (.ended, .status(0)):
      if collector.isFlooded {
        throw .init(.scanFlood(limit: limits.output, errorTail: tail))
      }
      return collector.bytes
    case (.ended, .status(let status)): throw .init(.scanStatus(status, errorTail: tail))
    case (.ended, .lost(let error)): throw failure(error)
    }
  }

  /// After a crash the runtime's backtracer would run for seconds, and for a person that may not
  /// be there: on a terminal it waits for a key.
  private var childEnvironment: [String] {
    var environment = environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    return environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }
}
