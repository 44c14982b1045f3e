internal import Glibc

/// Linux calls that the C library's Swift module does not export.
package enum Kernel {
  /// `fork`; if the process has other threads, the child may only make system calls.
  package static let fork = dlsym(nil, "fork").map {
    unsafeBitCast($0, to: (@convention(c) () -> Int32).self)
  }

  // Both are variadic in C: they read the integers that they need from the argument registers, so
  // these types can pass more.
  private typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
  private typealias Call = @convention(c) (Int, Int, Int, Int) -> Int
  private static let prctl = dlsym(nil, "prctl").map { unsafeBitCast($0, to: Control.self) }
  private static let syscall = dlsym(nil, "syscall").map { unsafeBitCast($0, to: Call.self) }

  package static let setParentDeathSignal: Int32 = 1
  static let setFilter: Int32 = 22
  static let setNoNewPrivileges: Int32 = 38

  /// `prctl`.
  ///
  /// - Returns: 0, or -1.
  package static func control(_ option: Int32, _ first: UInt, _ second: UInt) -> Int32 {
    prctl?(option, first, second, 0, 0) ?? -1
  }

  /// A descriptor of a process, which becomes readable when the process has ended; -1 on failure.
  static func openProcess(_ id: pid_t) -> Int32 {
    let openProcess = 434
    return Int32(clamping: syscall?(openProcess, Int(id), 0, 0) ?? -1)
  }
}
