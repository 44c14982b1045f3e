internal import Glibc

/// Runs a tool to its end and returns what it wrote, on both streams in order.
///
/// Unlike a process that scans it stays in this process's group: an interrupt from the terminal
/// ends both.
struct ToolProcess {
  /// How a tool ended.
  enum End: Equatable {
    case status(Int32)
    case signal(Int32)
    /// It could not be started, or be waited for; the system's error number.
    case lost(Int32)
  }

  /// How much of what it writes is kept, in bytes.
  static let outputLimit = 4 << 20

  let executable: String
  let arguments: [String]
  let environment: [String: String]

  /// Blocks the thread until the tool has ended.
  func run() -> (end: End, output: String) {
    guard let pipe = ChildPipe() else { return (.lost(errno), "") }
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    for text in [executable] + arguments + variables where text.utf8.contains(0) {
      return (.lost(EINVAL), "")
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe.writer, 1)
    posix_spawn_file_actions_adddup2(&actions, pipe.writer, 2)
    _ = GNUFunctions.addCloseFrom?(&actions, 3)

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // What this process ignores, a child would ignore too.
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

    var id: pid_t = 0
    let error = Self.withPointers([executable] + arguments) { arguments in
      Self.withPointers(variables) { variables in
        posix_spawn(&id, executable, &actions, &attributes, arguments, variables)
      }
    }
    pipe.closeWriter()
    guard error == 0 else { return (.lost(error), "") }
    let output = Self.readAll(pipe.reader)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      if errno != EINTR { return (.lost(errno), output) }
    }
    let signal = status & 0x7f
    return (signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal), output)
  }

  private static func readAll(_ descriptor: Int32) -> String {
    // A `ChildPipe` does not block its reader; here there is nothing else to do.
    _ = fcntl(descriptor, F_SETFL, 0)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes.append(contentsOf: chunk[..<min(count, max(0, outputLimit - bytes.count))])
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }

  /// Calls `body` with the strings as C has arguments: pointers, ended by a null one.
  private static func withPointers<Result>(
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
