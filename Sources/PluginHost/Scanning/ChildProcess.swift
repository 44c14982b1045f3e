internal import Glibc

/// A process that was started here and is reaped here.
struct ChildProcess {
  /// How a process ended.
  enum Status: Equatable {
    case status(Int32)
    case signal(Int32)
    /// The system can't say: someone else reaped it, or it is told to forget children.
    case lost(Int32)
  }

  /// The descriptor of the child's by which it speaks with its parent.
  static let channel: Int32 = 3

  private var id: pid_t = 0

  /// Starts a program in a process group of its own; none of the descriptors may be ``channel``.
  ///
  /// - Returns: 0, or the system's error number.
  mutating func start(
    _ executable: String, _ arguments: [String], _ environment: [String],
    output: Int32, errors: Int32, channel: Int32
  ) -> Int32 {
    for text in [executable] + arguments + environment where text.utf8.contains(0) {
      return EINVAL
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, errors, 2)
    posix_spawn_file_actions_adddup2(&actions, channel, Self.channel)
    _ = GNUFunctions.addCloseFrom?(&actions, Self.channel + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // What the host ignores, a child would ignore too: SIGPIPE, and SIGTERM of whoever stops it.
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    return withCStrings([executable] + arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&id, executable, &actions, &attributes, arguments, environment)
      }
    }
  }

  /// Sets limits on the running child.
  ///
  /// `posix_spawn` can't set them before it runs, and its first microseconds are the loader's.
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

  /// Whether the process has ended; it stays to be reaped.
  var hasEnded: Bool {
    var info = siginfo_t()
    while waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT) != 0 {
      // Nothing to wait for is an end as well.
      if errno != EINTR { return true }
    }
    return info._sifields._sigchld.si_pid != 0
  }

  /// Kills whatever is left of the group, and reaps the process.
  ///
  /// In this order: as long as the process is not reaped, its number can't be another group's.
  func killAndReap() -> Status {
    kill(-id, SIGKILL)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      if errno != EINTR { return .lost(errno) }
    }
    let signal = status & 0x7f
    return signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
  }
}

/// Calls `body` with the strings as C has arguments: pointers, ended by a null one.
private func withCStrings<Result>(
  _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
  var pointers = strings.map { strdup($0) }
  pointers.append(nil)
  defer { for pointer in pointers { free(pointer) } }
  return pointers.withUnsafeBufferPointer { buffer in
    // The buffer has the null pointer at least.
    withUnsafePointer(to: buffer[0]) { first in body(buffer.baseAddress ?? first) }
  }
}
