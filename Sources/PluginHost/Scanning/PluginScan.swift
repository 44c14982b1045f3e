internal import Glibc
internal import Support

/// One scan: a process that loads a plugin and asks it for its description.
///
/// The process leads a process group, reads the request from standard input, sends its messages
/// through one more descriptor, and has limits. Once it has answered, has ended or is stopped, its
/// whole group is killed, and it is reaped.
final class PluginScan {
  /// The child's descriptor for what it sends.
  static let channel: Int32 = 3

  /// The size of the address range that the plugin takes.
  private let span: UInt64
  private let process: ScanProcess
  private let form: String
  private let id: pid_t
  // Each is closed at its end.
  private var channel: OpenFile?
  private var output: OpenFile?
  private var errors: OpenFile?
  private var received: [UInt8] = []
  /// The position in ``received`` of the first message; `nil` before the first line.
  private var start: Int?
  private var step = ""
  /// The description without what is found last; `nil` before it is received.
  private var outline: [UInt8]?
  private var printed = 0
  private var errorTail: [UInt8] = []
  private var deadline: ContinuousClock.Instant
  private var isReaped = false

  /// How long the process may take to start.
  private static let startLimit = Duration.seconds(30)
  /// The address space that it may have, not memory in use, in bytes: a host reserves a stack of
  /// 1 GiB for its store.
  private static let addressSpace: UInt64 = 8 << 30

  init(
    of plugin: PreparedPlugin, _ process: ScanProcess, form: String
  ) throws(SystemError) {
    span = plugin.span
    self.process = process
    self.form = form
    var request = ByteWriter()
    request.number(UInt64(getpid()))
    request.prepared(plugin)
    var environment = process.environment
    // After a crash the runtime's backtracer would run for seconds, and on a terminal it waits for
    // a key, with perhaps nobody there.
    environment["SWIFT_BACKTRACE"] = "enable=no"
    let pipes = (try OpenFile.pipe(), try OpenFile.pipe(), try OpenFile.pipe())
    id = try Spawn.start(
      process.executable, process.arguments, environment: environment,
      input: try .inMemory(request.bytes),
      descriptors: [pipes.0.writer, pipes.1.writer, pipes.2.writer], hasOwnGroup: true)
    (output, errors, channel) = (pipes.0.reader, pipes.1.reader, pipes.2.reader)
    deadline = .now + Self.startLimit
    for reader in [pipes.0.reader, pipes.1.reader, pipes.2.reader] {
      _ = fcntl(reader.number, F_SETFL, O_NONBLOCK)
    }
    limit()
  }

  deinit { _ = end() }

  var descriptors: [pollfd] {
    [channel, output, errors].map {
      pollfd(fd: $0?.number ?? -1, events: Int16(POLLIN), revents: 0)
    }
  }

  /// Reads what the process has sent and printed.
  ///
  /// - Returns: the result; `nil` while the scan continues.
  func advance() -> ScanResult? {
    guard let result = progress() else { return nil }
    guard let outline else { return result }
    if case .answer = result { return result }
    // The plugin can be used without what has failed.
    return .answer(outline)
  }

  private func progress() -> ScanResult? {
    // In this order: if it has ended, all that it wrote can be read.
    let hasEnded = hasEnded
    read(&channel) { received += $0 }
    read(&output) { printed += $0.count }
    read(&errors) { bytes in
      printed += bytes.count
      errorTail = (errorTail + bytes).suffix(4096)
    }
    do throws(Rejection) {
      if let result = try nextResult() { return result }
    } catch {
      return .failure(error)
    }
    if printed > process.output {
      return stop(.scanFlood, "it wrote more than \(process.output) bytes \(step)")
    }
    if hasEnded { return ended() }
    guard ContinuousClock.now >= deadline else { return nil }
    guard start != nil else { return ended() }
    let milliseconds = process.time.nanoseconds / 1_000_000
    let time = milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    return stop(.scanTimeout, "it took more than \(time) \(step)")
  }

  private func read(_ file: inout OpenFile?, _ take: (ArraySlice<UInt8>) -> Void) {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    for _ in 0..<64 {
      guard let number = file?.number else { return }
      let count = Descriptor.uninterrupted { Glibc.read(number, &chunk, chunk.count) }
      guard count > 0 else {
        if count == 0 || errno != EAGAIN { file = nil }
        return
      }
      take(chunk[..<count])
    }
  }

  /// The result that the process has sent; `nil` as long as it is not complete.
  private func nextResult() throws(Rejection) -> ScanResult? {
    guard received.count <= ScanMessage.sizeLimit else {
      throw .scanOutput("\(received.count) bytes and more")
    }
    if start == nil {
      start = try readFirstLine()
      if start != nil { deadline = .now + process.time }
    }
    guard let start else { return nil }
    var reader = ByteReader(received[start...])
    while let message = try ScanMessage.next(from: &reader) {
      switch message {
      case .loading: step = "while it was loaded"
      case .asking: step = "while it was asked for its features"
      case .outline(let bytes, let use):
        if isExcessive(use) { return stopForMemory(use) }
        outline = bytes
      case .description(let bytes):
        // What came after an outline, the host does not do.
        guard outline == nil, let use = Self.memoryUse(of: "\(id)"), isExcessive(use) else {
          return .answer(bytes)
        }
        return stopForMemory(use)
      case .rejected(let cause):
        return cause.rule == .pluginRegistration ? .quarantine(cause) : .failure(cause)
      }
    }
    return nil
  }

  /// The position after the first line; `nil` as long as it is not complete.
  private func readFirstLine() throws(Rejection) -> Int? {
    let head = Array(ScanMessage.head.utf8)
    let end = received.prefix(512).firstIndex(of: 0x0a)
    guard received.starts(with: head) || head.starts(with: received),
      end != nil || received.count < 512
    else { throw .scanOutput("it does not begin with '\(ScanMessage.head)'") }
    guard let end else { return nil }
    let found = String(decoding: received[head.count..<end], as: UTF8.self)
    guard found == form else { throw unfit("it speaks the form '\(found)' instead of '\(form)'") }
    return end + 1
  }

  /// Whether memory is near the limit: a plugin may survive a failed allocation, and the host has
  /// no such limit.
  private func isExcessive(_ memory: UInt64) -> Bool {
    process.data.map { memory > $0 / 4 * 3 } ?? false
  }

  private func stopForMemory(_ use: UInt64) -> ScanResult {
    let limit = (process.data ?? 0) >> 20
    return stop(
      .scanMemory,
      "it took \(use >> 20) MiB of memory \(step), where \(limit) MiB is the limit")
  }

  private func stop(_ rule: Rule, _ message: String) -> ScanResult {
    _ = end()
    return .quarantine(Rejection(rule, message, details: errorLines))
  }

  private func ended() -> ScanResult {
    let end = end()
    guard start != nil else {
      switch end {
      case .status(let status):
        return .failure(unfit("it ended with status \(status) before it began"))
      case .signal(let signal):
        return .failure(unfit("signal \(signal) ended it before it began"))
      case .lost: return .failure(unfit("its end was not reported"))
      }
    }
    let words = "it ended the scanning process with"
    switch end {
    case .status(let status):
      return .quarantine(
        Rejection(.scanFailed, "\(words) status \(status) \(step)", details: errorLines))
    case .signal(let signal):
      // Other signals may come from outside: the system sends SIGKILL when memory is scarce.
      let isFault = Self.faults.contains(signal)
      let cause = Rejection(
        .scanCrashed,
        "\(words) signal \(signal) (\(Self.name(ofSignal: signal))) \(step)",
        details: errorLines, remedy: isFault ? nil : "fix the plugin, if this happens again")
      return isFault ? .quarantine(cause) : .failure(cause)
    case .lost(let error): return .failure(Self.notStarted(process.executable, error))
    }
  }

  /// The signals that code causes in its own process.
  private static let faults: Set<Int32> = [
    SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS,
  ]

  /// The program is not a plugin scanner, or one of another version.
  private func unfit(_ reason: String) -> Rejection {
    Rejection(
      .scanNotStarted, "'\(process.executable)' does not scan plugins: \(reason)",
      details: errorLines)
  }

  static func notStarted(_ executable: String, _ error: Int32) -> Rejection {
    let remedy: String? =
      switch error {
      case EAGAIN:
        "raise the limit of processes (`ulimit -u`) or end some: the plugin is asked in a process "
          + "of its own"
      case ENOMEM:
        "raise the limit of memory (`ulimit -v`) or end some programs: the plugin is asked in a "
          + "process of its own"
      case EMFILE, ENFILE: "raise the limit of open files (`ulimit -n`)"
      default: nil
      }
    return Rejection(
      .scanNotStarted, "'\(executable)' can't be started: \(errorText(error))", remedy: remedy)
  }

  /// The last lines of standard error, without the stack trace that Swift's runtime prints after
  /// its message: it shows addresses of this program, which do not help.
  private var errorLines: [String] {
    let lines = String(decoding: errorTail, as: UTF8.self).split(whereSeparator: \.isNewline)
    let words = lines.prefix { $0 != "Current stack trace:" }
    return (words.isEmpty ? lines[...] : words).suffix(5).map { "stderr: \($0)" }
  }
}

// The process.
extension PluginScan {
  /// Sets limits on the running process.
  ///
  /// `posix_spawn` can't set them before it runs; in its first microseconds only the loader runs.
  private func limit() {
    func set(_ resource: __rlimit_resource, _ soft: UInt64?) {
      guard let soft else { return }
      var limit = rlimit(rlim_cur: rlim_t(soft), rlim_max: rlim_t(soft))
      _ = GNUFunctions.setLimit?(id, resource.rawValue, &limit, nil)
    }
    set(RLIMIT_CORE, 0)
    // The addresses around the plugin are reserved, too; see `MemoryGuard`.
    set(RLIMIT_AS, Self.addressSpace + MemoryGuard.addresses + span)
    set(RLIMIT_DATA, process.data)
    // It ends a child that keeps running after its parent was killed.
    set(RLIMIT_CPU, 60)
  }

  /// Whether the process has ended; this does not reap it.
  private var hasEnded: Bool {
    var info = siginfo_t()
    let error = Descriptor.uninterrupted {
      waitid(P_PID, id_t(id), &info, WEXITED | WNOHANG | WNOWAIT)
    }
    // Without a child to wait for, it has ended as well.
    return error != 0 || info._sifields._sigchld.si_pid != 0
  }

  /// Kills whatever is left of the group, and reaps the process.
  ///
  /// In this order: as long as the process is not reaped, its ID can't be reused for another group.
  private func end() -> ProcessEnd {
    guard !isReaped else { return .lost(ECHILD) }
    isReaped = true
    kill(-id, SIGKILL)
    let end = ProcessEnd(waitingFor: id)
    // If this is the first process of a container, it has inherited the child's children: reap
    // them.
    while waitpid(-id, nil, 0) > 0 {}
    return end
  }

  /// The greater of a process's peak resident memory and its current data size, in bytes; `nil` if
  /// the system does not tell them.
  static func memoryUse(of process: String) -> UInt64? {
    guard let bytes = try? WholeFile.read("/proc/\(process)/status") else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line in
      guard line.hasPrefix("VmHWM:") || line.hasPrefix("VmData:") else { return nil }
      return UInt64(line.drop { !$0.isNumber }.prefix { $0.isNumber }).map { $0 << 10 }
    }.max()
  }

  /// The name of a signal, as `kill -l` prints it with its prefix.
  private static func name(ofSignal signal: Int32) -> String {
    switch signal {
    case SIGABRT: "SIGABRT, aborted"
    case SIGBUS: "SIGBUS, bus error"
    case SIGFPE: "SIGFPE, arithmetic error"
    case SIGHUP: "SIGHUP, hangup"
    case SIGILL: "SIGILL, illegal instruction"
    case SIGINT: "SIGINT, interrupted"
    case SIGKILL: "SIGKILL, killed"
    case SIGPIPE: "SIGPIPE, broken pipe"
    case SIGSEGV: "SIGSEGV, invalid memory access"
    case SIGSYS: "SIGSYS, a system call that reaches another process"
    case SIGTERM: "SIGTERM, terminated"
    case SIGTRAP: "SIGTRAP, trap"
    case SIGXCPU: "SIGXCPU, processor time used up"
    default: "unnamed"
    }
  }
}
