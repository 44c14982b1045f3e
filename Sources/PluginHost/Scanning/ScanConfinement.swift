internal import Glibc

/// What keeps the code of plugins within the scanning process: it does not outlive the host, and
/// reaches no other process.
///
/// Three things, each of the kernel's own doing, so that a plugin that hangs can't evade them:
/// - the process is killed when the thread that started it ends. That thread waits for the scan, so it
///   ends with the host, even by SIGKILL;
/// - a guard, a process that runs no plugin's code, kills the whole process group when the host has
///   ended, or when a scan has taken longer than any: what plugins have started goes too;
/// - system calls that signal, trace or limit other processes end the process with SIGSYS.
///
/// This is not a sandbox: a plugin's code does all else that its user can do.
enum ScanConfinement {
  /// How long a scanning process lives at most, in milliseconds.
  ///
  /// The host ends it long before that. It is for a host that stands still.
  private static let lifetime: Int32 = 600_000

  /// Confines this process; before any plugin is loaded.
  ///
  /// - Parameter channel: a socket whose other end the host has.
  static func begin(channel: Int32) {
    let host = Kernel.openProcess(getppid())
    _ = Kernel.control(Kernel.setParentDeathSignal, UInt(SIGKILL), 0)
    // Where the host had ended before that, nothing kills this process when it ends.
    var end = pollfd(fd: channel, events: 0, revents: 0)
    if poll(&end, 1, 0) > 0, end.revents & Int16(POLLHUP) != 0 { _exit(0) }
    if host >= 0 { startGuard(host, channel: channel) }
    SystemCallFilter.install()
  }

  private static func startGuard(_ host: Int32, channel: Int32) {
    let worker = Kernel.openProcess(getpid())
    guard worker >= 0 else { return }
    guard Kernel.fork?() == 0 else {
      close(host)
      close(worker)
      return
    }
    // From here on only what is safe after a fork.
    var signals = sigset_t()
    sigfillset(&signals)
    sigprocmask(SIG_BLOCK, &signals, nil)
    for descriptor in [0, 1, 2, channel] as [Int32] { close(descriptor) }
    var ends = (
      pollfd(fd: host, events: Int16(POLLIN), revents: 0),
      pollfd(fd: worker, events: Int16(POLLIN), revents: 0)
    )
    withUnsafeMutablePointer(to: &ends) { ends in
      ends.withMemoryRebound(to: pollfd.self, capacity: 2) { _ = poll($0, 2, lifetime) }
    }
    // The group, and with it this process.
    kill(0, SIGKILL)
    _exit(0)
  }
}
