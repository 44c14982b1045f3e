internal import Dispatch
package import Foundation
internal import Glibc

/// A child process that a test starts, which is killed if it does not end.
///
/// It replaces Foundation's `Process`, which has two defects. If descriptors are reused at once, as
/// in the tests, `Process` sometimes misses that a program has ended. With about 1,360 open
/// descriptors, it reads beyond the end of its list of descriptors.
package final class ChildProcess: @unchecked Sendable {
  // Unchecked: the mutable state is guarded by `condition`.
  /// How a program ended.
  package struct End: Sendable {
    /// The exit status, or the number of the signal that ended it.
    package let status: Int32
    package let wasSignalled: Bool
  }

  /// The error that a program can't be started.
  package struct NotStarted: Error, CustomStringConvertible {
    let path: String
    /// The error number, from `errno.h`.
    let error: Int32
    package var description: String {
      "'\(path)' can't be started: \(String(cString: strerror(error)))"
    }
  }

  /// The identifier of the process, and of its process group.
  package let id: pid_t
  private let condition = NSCondition()
  private var found: End?
  private var waiting: [CheckedContinuation<End, Never>] = []

  /// Starts a program in a process group of its own, with no signal blocked or ignored.
  ///
  /// A program inherits blocked and ignored signals. The threads of Swift's pool block all signals,
  /// and a shell may have set SIGINT and SIGHUP to be ignored.
  ///
  /// - Parameters:
  ///   - path: the path of the executable.
  ///   - arguments: the arguments, without the program's name.
  ///   - environment: the environment variables; `nil` for those of this process.
  ///   - folder: the working directory.
  ///   - input: the standard input; `nil` for an empty one. The caller closes all three handles.
  ///   - output: the standard output; `nil` to discard it.
  ///   - errors: the standard error; `nil` to discard it.
  ///   - timeout: the time after which it is killed, in seconds.
  /// - Throws: ``NotStarted``.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    folder: URL = packageFolder, input: FileHandle? = nil, output: FileHandle? = nil,
    errors: FileHandle? = nil, timeout: Int = ChildProcess.timeout
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for (number, handle) in [input, output, errors].enumerated() {
      guard let handle else {
        posix_spawn_file_actions_addopen(
          &actions, Int32(number), "/dev/null", number == 0 ? O_RDONLY : O_WRONLY, 0)
        continue
      }
      // A duplicate above 2: a handle could itself be one of the three standard descriptors.
      let copy = fcntl(handle.fileDescriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw NotStarted(path: path, error: errno) }
      copies.append(copy)
      posix_spawn_file_actions_adddup2(&actions, copy, Int32(number))
    }
    _ = Self.closeFrom?(&actions, 3)
    guard Self.changeFolder?(&actions, folder.path) == 0 else {
      throw NotStarted(path: path, error: ENOSYS)
    }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))

    let variables = environment ?? ProcessInfo.processInfo.environment
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var child: pid_t = 0
    let error = posix_spawn(&child, path, &actions, &attributes, &words, &settings)
    guard error == 0 else { throw NotStarted(path: path, error: error) }
    id = child
    Thread.detachNewThread { self.watch() }
    let name = ([path] + arguments).joined(separator: " ")
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(timeout)) { [weak self] in
      self?.killLate(name, timeout)
    }
  }

  /// The time after which a program is killed, in seconds: a test that waits for it fails instead of
  /// waiting forever.
  ///
  /// The longest programs build the whole host, in some four minutes on an idle machine.
  package static let timeout = 1500

  private func killLate(_ name: String, _ timeout: Int) {
    condition.withLock {
      guard found == nil else { return }
      let text = "A program of a test has not ended after \(timeout) s, and is killed: \(name)\n"
      FileHandle.standardError.write(Data(text.utf8))
      kill(-id, SIGKILL)
    }
  }

  // Swift's Glibc module does not export these functions.
  private static let closeFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
    unsafeBitCast(
      $0,
      to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, Int32) -> Int32).self)
  }
  private static let changeFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
    unsafeBitCast(
      $0,
      to: (@convention(c) (
        UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>
      ) -> Int32).self)
  }

  /// Waits for the program to end; runs on a dedicated thread.
  private func watch() {
    // WNOWAIT: until `found` is set, the process must stay a zombie, so that its identifier is not
    // reused.
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
    condition.lock()
    var status: Int32 = 0
    var found = waitpid(id, &status, 0)
    while found < 0, errno == EINTR { found = waitpid(id, &status, 0) }
    precondition(found == id, "somebody else has waited for a program of these tests")
    let signal = status & 0x7f
    let end = End(
      status: signal == 0 ? (status >> 8) & 0xff : signal, wasSignalled: signal != 0)
    self.found = end
    let waiting = waiting
    condition.broadcast()
    condition.unlock()
    for continuation in waiting { continuation.resume(returning: end) }
  }

  package var isRunning: Bool { condition.withLock { found == nil } }

  /// Sends the program a signal, unless it has ended.
  package func send(_ signal: Int32) { condition.withLock { if found == nil { kill(id, signal) } } }

  /// Blocks the thread until the program ends.
  @discardableResult
  package func waitForEnd() -> End {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let found { return found }
      condition.wait()
    }
  }

  /// Suspends until the program ends, without blocking a thread.
  package func end() async -> End {
    await withCheckedContinuation { continuation in
      let found = condition.withLock { () -> End? in
        if self.found == nil { waiting.append(continuation) }
        return self.found
      }
      if let found { continuation.resume(returning: found) }
    }
  }
}
