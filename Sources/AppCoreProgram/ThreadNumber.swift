internal import Glibc
internal import Supervision

/// Replaces the C library's `syscall` in the whole process, so that Swift's runtime does not keep the
/// number of a thread that is forked later.
///
/// The runtime asks for a thread's number once, and locks globals and mutexes with it. In a forked
/// process it would lock with the number of a thread in another process. Where another thread waits
/// for such a lock, the kernel refuses both: they wait forever, or the process ends with a trap.
///
/// Until ``ThreadNumbers/areTold`` is set, a thread's number is 0, with which the runtime asks again.
/// All other calls are passed on.
@c(syscall)
public func systemCall(
  _ number: Int, _ first: Int, _ second: Int, _ third: Int, _ fourth: Int, _ fifth: Int,
  _ sixth: Int
) -> Int {
  if number == SystemCall.threadNumber, !ThreadNumbers.areTold { return 0 }
  if SystemCall.next == nil {
    // RTLD_NEXT
    SystemCall.next = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "syscall").map {
      unsafeBitCast($0, to: SystemCall.Function.self)
    }
  }
  guard let next = SystemCall.next else {
    errno = ENOSYS
    return -1
  }
  return next(number, first, second, third, fourth, fifth, sixth)
}

private enum SystemCall {
  typealias Function = @convention(c) (Int, Int, Int, Int, Int, Int, Int) -> Int

  /// `gettid`.
  static var threadNumber: Int {
    #if arch(x86_64)
      186
    #else
      178
    #endif
  }

  /// The C library's `syscall`.
  ///
  /// Not a constant: its initialization would lock, and so come here again.
  nonisolated(unsafe) static var next: Function?
}
