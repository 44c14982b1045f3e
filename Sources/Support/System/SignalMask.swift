internal import Glibc

/// Which signals the calling thread holds back.
package enum SignalMask {
  /// Unblocks signals, which the parent process or a thread pool may have blocked; otherwise the
  /// process could not be ended or stopped.
  package static func unblock(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
