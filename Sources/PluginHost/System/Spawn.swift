package import Glibc
package import Support

package enum ProcessEnd: Equatable, Sendable {
  case status(Int32)
  case signal(Int32)
  /// Unknown, with an `errno`: it was not started, someone else reaped it, or this process ignores
  /// `SIGCHLD`.
  case lost(Int32)

  /// The end in words, such as `exit status 1`.
  package var words: String {
    switch self {
    case .status(let status): "exit status \(status)"
    case .signal(let signal): "ended by signal \(signal)"
    case .lost(let error): "can't be run: \(SystemError(error))"
    }
  }

  /// Waits for a child's end, and reaps it.
  package init(waitingFor id: pid_t) {
    var status: Int32 = 0
    guard Descriptor.uninterrupted({ waitpid(id, &status, 0) }) >= 0 else {
      self = .lost(errno)
      return
    }
    let signal = status & 0x7f
    self = signal == 0 ? .status(status >> 8 & 0xff) : .signal(signal)
  }
}

/// Starts and runs other programs.
package enum Spawn {
  /// The path of the first program named `name` on the `PATH`; `nil` if there is none.
  package static func find(_ name: String, environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 && !FilePath.isFolder($0) }
  }

  /// Runs a program to its end; blocks the thread until then.
  ///
  /// Unlike a scanning process it stays in this process's group: an interrupt from the terminal ends
  /// both. It reads the first of the `files` from standard input, the others from descriptors 3 and
  /// on. If it `separatesErrors`, what it writes to standard error is not part of its output.
  ///
  /// - Returns: how it ended, and what it wrote, in order; the output after 4 MiB is dropped.
  package static func run(
    _ executable: String, _ arguments: [String], environment: [String: String],
    folder: String? = nil, files: [[UInt8]] = [], separatesErrors: Bool = false
  ) -> (end: ProcessEnd, output: String, errors: String) {
    do throws(SystemError) {
      let errors = separatesErrors ? try OpenFile.inMemory([]) : nil
      let (reader, id) = try startReading(
        executable, arguments, environment, folder, files, errors: errors)
      let output = readAll(reader)
      let end = ProcessEnd(waitingFor: id)
      guard let errors else { return (end, output, "") }
      lseek(errors.number, 0, SEEK_SET)
      return (end, output, readAll(errors))
    } catch {
      return (.lost(error.code), "", "")
    }
  }

  /// Starts a program; the writing end of its output is closed here when this returns.
  private static func startReading(
    _ executable: String, _ arguments: [String], _ environment: [String: String],
    _ folder: String?, _ files: [[UInt8]], errors: OpenFile?
  ) throws(SystemError) -> (OpenFile, pid_t) {
    let (reader, writer) = try OpenFile.pipe()
    var inputs: [OpenFile] = []
    for file in files { inputs.append(try .inMemory(file)) }
    let id = try start(
      executable, arguments, environment: environment, input: inputs.first,
      descriptors: [writer, errors ?? writer] + inputs.dropFirst(), folder: folder)
    return (reader, id)
  }

  /// The most output that is kept, in bytes.
  private static let outputLimit = 4 << 20

  private static func readAll(_ file: OpenFile) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    // To the end, so that the program can go on writing.
    while case let count = Descriptor.uninterrupted({ read(file.number, &chunk, chunk.count) }),
      count > 0
    {
      bytes.append(contentsOf: chunk[..<min(count, max(0, outputLimit - bytes.count))])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Starts a program with no other descriptors than the given.
  ///
  /// It starts with no signal blocked or ignored: a child would otherwise inherit what this process
  /// ignores, such as SIGPIPE, or the SIGTERM by which someone wants to end it.
  ///
  /// Its standard input is empty unless it is given; the `descriptors` become its descriptors 1, 2 and
  /// so on. Without a `folder` it works in this process's, and unless it `hasOwnGroup`, an interrupt
  /// from the terminal ends both.
  ///
  /// - Returns: its process ID.
  /// - Throws: why it can't be started.
  package static func start(
    _ executable: String, _ arguments: [String], environment: [String: String],
    input: OpenFile? = nil, descriptors: [OpenFile], hasOwnGroup: Bool = false,
    folder: String? = nil
  ) throws(SystemError) -> pid_t {
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    for text in [executable] + arguments + variables where text.utf8.contains(0) {
      throw SystemError(EINVAL)
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input.number, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    for (place, descriptor) in zip(Int32(1)..., descriptors) {
      posix_spawn_file_actions_adddup2(&actions, descriptor.number, place)
    }
    if let folder {
      guard GNUFunctions.addChangeFolder?(&actions, folder) == 0 else { throw SystemError(ENOSYS) }
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

    var id: pid_t = 0
    let error = withExtendedLifetime((input, descriptors)) {
      withCStrings([executable] + arguments) { arguments in
        withCStrings(variables) { variables in
          posix_spawn(&id, executable, &actions, &attributes, arguments, variables)
        }
      }
    }
    guard error == 0 else { throw SystemError(error) }
    return id
  }

  /// Calls `body` with the strings as a null-terminated array of C strings.
  private static func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var pointers = strings.map { strdup($0) }
    pointers.append(nil)
    defer { for pointer in pointers { free(pointer) } }
    return pointers.withUnsafeBufferPointer { buffer in
      // The buffer is not empty: it has at least the null pointer.
      withUnsafePointer(to: buffer[0]) { first in body(buffer.baseAddress ?? first) }
    }
  }
}

/// A shell that removes a folder when this process has ended, or when this object is released.
package final class FolderRemover: Sendable {
  /// The end of a pipe whose other end the shell reads.
  private let pipe: OpenFile

  /// Starts the shell; `nil` if it can't be started.
  package init?(_ path: String) {
    guard let (reader, writer) = try? OpenFile.pipe() else { return nil }
    pipe = writer
    // In the background of another shell, since code of plugins may wait for all children.
    let command = """
      exec 3<&0 >/dev/null 2>&1
      trap '' HUP INT TERM
      { read -r line <&3; rm -rf -- "$1"; } &
      """
    let id = try? Spawn.start(
      "/bin/sh", ["-c", command, "sh", path], environment: ["PATH": "/usr/bin:/bin"],
      input: reader, descriptors: [], hasOwnGroup: true)
    guard let id else { return nil }
    _ = ProcessEnd(waitingFor: id)
  }
}
