internal import Glibc

/// How a process that was started here ended.
enum ProcessEnd: Equatable {
  case status(Int32)
  case signal(Int32)
  /// The system can't say, and why: it was not started, someone else reaped it, or this process is
  /// told to forget its children.
  case lost(Int32)

  /// Waits for a child's end, and reaps it.
  init(waitingFor id: pid_t) {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      if errno != EINTR {
        self = .lost(errno)
        return
      }
    }
    let signal = status & 0x7f
    self = signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
  }
}

/// Starts programs.
enum Spawn {
  /// Starts a program that reads nothing, and has the descriptors that it is given and no others.
  ///
  /// It begins with no signal blocked or ignored: what this process ignores, a child would ignore
  /// too, SIGPIPE say, and SIGTERM of whoever stops it.
  ///
  /// - Parameters:
  ///   - executable: the program's path.
  ///   - arguments: what is behind its name.
  ///   - environment: its variables, as `NAME=value`.
  ///   - descriptors: what becomes its descriptors 1, 2 and so on; none may be one of those numbers.
  ///   - hasOwnGroup: whether it leads a process group; else it is in this process's, and an
  ///     interrupt from the terminal ends both.
  ///   - id: its number.
  /// - Returns: 0, or the system's error number.
  static func start(
    _ executable: String, _ arguments: [String], _ environment: [String],
    descriptors: [Int32], hasOwnGroup: Bool, id: inout pid_t
  ) -> Int32 {
    for text in [executable] + arguments + environment where text.utf8.contains(0) {
      return EINVAL
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for (place, descriptor) in zip(Int32(1)..., descriptors) {
      posix_spawn_file_actions_adddup2(&actions, descriptor, place)
    }
    _ = GNUFunctions.addCloseFrom?(&actions, Int32(descriptors.count) + 1)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    if hasOwnGroup {
      posix_spawnattr_setpgroup(&attributes, 0)
      flags |= POSIX_SPAWN_SETPGROUP
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))

    return withCStrings([executable] + arguments) { arguments in
      withCStrings(environment) { environment in
        posix_spawn(&id, executable, &actions, &attributes, arguments, environment)
      }
    }
  }

  /// Calls `body` with the strings as C has arguments: pointers, ended by a null one.
  private static func withCStrings<Result>(
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
}
