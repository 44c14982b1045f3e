internal import Glibc

/// A stack for handlers of signals, for a thread whose own may run out.
package enum SignalStack {
  /// Gives the calling thread such a stack, once; it is kept to the end of the process.
  package static func give() {
    var current = stack_t()
    guard sigaltstack(nil, &current) == 0, current.ss_flags & 2 != 0 else { return }
    let size = 128 << 10
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let memory, memory != MAP_FAILED else { return }
    var stack = stack_t(ss_sp: memory, ss_flags: 0, ss_size: size)
    _ = sigaltstack(&stack, nil)
  }
}
