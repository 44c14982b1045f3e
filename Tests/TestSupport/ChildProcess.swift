package import Foundation
internal import Glibc

/// A program that runs beside the tests.
///
/// Not Foundation's `Process`: where descriptors are used again at once, as here, its notice of a
/// program's end is lost now and then, and with some 1,360 open ones it reads beyond the end of their
/// list.
package final class ChildProcess: @unchecked Sendable {
  // Unchecked: what changes is guarded by `condition`.
  /// How a program ended.
  package struct End: Sendable {
    /// The exit status, or the number of the signal that ended it.
    package let status: Int32
    package let wasSignalled: Bool
  }

  package struct NotStarted: Error, CustomStringConvertible {
    let path: String
    let error: Int32
    package var description: String {
      "'\(path)' can't be started: \(String(cString: strerror(error)))"
    }
  }

  package let id: pid_t
  private let condition = NSCondition()
  private var found: End?
  private var waiting: [CheckedContinuation<End, Never>] = []

  /// Starts a program in a process group of its own, with no signal blocked or ignored: the threads of
  /// Swift's pool block all of them, a shell may have had interrupts and hang-ups ignored, and a program
  /// inherits that.
  ///
  /// - Parameters:
  ///   - path: the program's file.
  ///   - arguments: what follows its name.
  ///   - environment: its variables; `nil` for those of this process.
  ///   - folder: its working directory.
  ///   - input: its standard input; `nil` for an empty one. Neither this nor what follows is closed.
  ///   - output: its standard output; `nil` where nobody reads it.
  ///   - errors: its standard error; `nil` where nobody reads it.
  /// - Throws: ``NotStarted``.
  package init(
    _ path: String, _ arguments: [String], environment: [String: String]? = nil,
    folder: URL = packageFolder, input: FileHandle? = nil, output: FileHandle? = nil,
    errors: FileHandle? = nil
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
      // A copy, so that none is one of the three itself.
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
  }

  // Swift does not see these of glibc's functions.
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

  /// Waits for the program to end, on a thread of its own.
  private func watch() {
    // Its number is not another process's before its end is known here.
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

  /// Sends it a signal, unless it has ended.
  package func send(_ signal: Int32) { condition.withLock { if found == nil { kill(id, signal) } } }

  /// Waits for its end, and blocks the thread meanwhile.
  @discardableResult
  package func waitForEnd() -> End {
    condition.lock()
    defer { condition.unlock() }
    while true {
      if let found { return found }
      condition.wait()
    }
  }

  /// Waits for its end without a thread.
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
