internal import Glibc

/// Confines the code of plugins to the scanning process: it does not outlive the host, and reaches
/// no other process.
///
/// There are three measures, which do not depend on the process itself, so that a plugin that hangs
/// can't evade them:
/// - the kernel kills the process when the thread that started it ends. That thread waits for the
///   scan, so the process ends with the host, even by SIGKILL;
/// - a guard, a process that runs no plugin's code, kills the whole process group when the host or
///   the scanning process has ended, or after ``lifetime``: so processes that plugins have started
///   end, too;
/// - system calls that signal, trace or limit other processes end the process with SIGSYS.
///
/// This is not a sandbox: a plugin's code can do all else that its user can do.
package enum ScanConfinement {
  /// The longest life of a scanning process, in milliseconds.
  ///
  /// The host ends it long before that, unless the host itself is stopped.
  private static let lifetime: Int32 = 600_000

  /// Confines this process; call it before any plugin is loaded.
  ///
  /// - Parameter channel: a pipe whose reading end belongs to the host.
  static func begin(channel: Int32) {
    let host = Kernel.openProcess(getppid())
    _ = Kernel.control(Kernel.setParentDeathSignal, UInt(SIGKILL), 0)
    // If the host has ended before that call, the kernel sends no signal.
    var end = pollfd(fd: channel, events: 0, revents: 0)
    if poll(&end, 1, 0) > 0, end.revents & Int16(POLLERR) != 0 { _exit(0) }
    if host >= 0 { startGuard(host, channel: channel) }
    SystemCallFilter.install()
  }

  /// Confines a process that no scanner controls: it ends with its parent, and after some time.
  ///
  /// - Parameter seconds: the longest time that it may run, and use a processor.
  package static func confine(seconds: UInt32) {
    _ = Kernel.control(Kernel.setParentDeathSignal, UInt(SIGKILL), 0)
    if getppid() == 1 { _exit(0) }
    var limit = rlimit(rlim_cur: rlim_t(seconds), rlim_max: rlim_t(seconds))
    setrlimit(__rlimit_resource_t(0), &limit)
    signal(SIGALRM, SIG_DFL)
    alarm(seconds)
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
    // From here on, only calls that are safe after a fork.
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
    // Kills the group, including this process.
    kill(0, SIGKILL)
    _exit(0)
  }
}
