/// Whether Swift's runtime is told the numbers of threads.
///
/// It is not while this process has one thread and may fork: see the program's `syscall`.
package enum ThreadNumbers {
  /// Set before there is a second thread, and outside of the initialization of any global.
  ///
  /// Its own initialization takes no lock, since its value is a literal.
  package nonisolated(unsafe) static var areTold = false
}
