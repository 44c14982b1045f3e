internal import Glibc

/// Which signals the calling thread holds back.
package enum SignalMask {
  /// Lets signals in, which whoever started the process may have held back from itself, and which
  /// pools of threads hold back from theirs: nobody could end or stop it.
  package static func unblock(_ signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }
}
