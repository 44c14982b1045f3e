internal import Glibc

/// A process that was started here and is reaped here.
struct ChildProcess {
  /// The child's descriptor for messages to and from its parent.
  static let channel: Int32 = 3

  private var id: pid_t = 0

  /// Starts a program in a process group of its own; all descriptors must be above ``channel``.
  ///
  /// - Returns: 0, or an `errno`.
  mutating func start(
    _ executable: String, _ arguments: [String], _ environment: [String],
    output: Int32, errors: Int32, channel: Int32
  ) -> Int32 {
    Spawn.start(
      executable, arguments, environment, descriptors: [output, errors, channel],
      hasOwnGroup: true, id: &id)
  }

  /// Sets limits on the running child.
  ///
  /// `posix_spawn` can't set them before it runs; in its first microseconds only the loader runs.
  func limit(addressSpace: UInt64?, data: UInt64?, processorSeconds: UInt64?) {
    set(RLIMIT_CORE.rawValue, 0, 0)
    if let addressSpace { limit(addressSpace: addressSpace) }
    if let data { set(RLIMIT_DATA.rawValue, data, data) }
    if let processorSeconds { set(RLIMIT_CPU.rawValue, processorSeconds, processorSeconds) }
  }

  /// Sets the limit of address space, which can be raised later.
  func limit(addressSpace: UInt64) { set(RLIMIT_AS.rawValue, addressSpace, .max) }

  private func set(_ resource: UInt32, _ soft: UInt64, _ hard: UInt64) {
    var limit = rlimit(rlim_cur: rlim_t(soft), rlim_max: rlim_t(hard))
    _ = GNUFunctions.setLimit?(id, resource, &limit, nil)
  }

  /// Whether the process has ended; this does not reap it.
  var hasEnded: Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) != 0 {
      // Without a child to wait for, it has ended as well.
      if errno != EINTR { return true }
    }
    return info._sifields._sigchld.si_pid != 0
  }

  /// Kills whatever is left of the group, and reaps the process.
  ///
  /// In this order: as long as the process is not reaped, its ID can't be reused for another group.
  func killAndReap() -> ProcessEnd {
    kill(-id, SIGKILL)
    let end = ProcessEnd(waitingFor: id)
    // If this is the first process of a container, it has inherited the child's children: reap
    // them.
    while waitpid(-id, nil, 0) > 0 {}
    return end
  }

  /// The greater of the process's peak resident memory and its current data size, in bytes; `nil`
  /// if the system does not tell them.
  var memoryUse: UInt64? {
    guard let file = fopen("/proc/\(id)/status", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    var most: UInt64?
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(
        decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      guard text.hasPrefix("VmHWM:") || text.hasPrefix("VmData:"),
        let kilobytes = UInt64(text.drop { !$0.isNumber }.prefix { $0.isNumber })
      else { continue }
      most = max(most ?? 0, kilobytes << 10)
    }
    return most
  }
}
