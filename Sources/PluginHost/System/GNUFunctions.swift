internal import Glibc

/// GNU extensions of the C library and calls of Linux, which its Swift module does not export.
///
/// They are looked up once; if one is absent, its caller does without it.
package enum GNUFunctions {
  private static func find<Function>(_ name: String, as type: Function.Type) -> Function? {
    dlsym(nil, name).map { unsafeBitCast($0, to: type) }
  }

  typealias Actions = UnsafeMutablePointer<posix_spawn_file_actions_t>

  static let addCloseFrom = find(
    "posix_spawn_file_actions_addclosefrom_np",
    as: (@convention(c) (Actions, Int32) -> Int32).self)
  static let addChangeFolder = find(
    "posix_spawn_file_actions_addchdir_np",
    as: (@convention(c) (Actions, UnsafePointer<CChar>) -> Int32).self)
  private static let describe = find(
    "dladdr",
    as: (@convention(c) (UnsafeRawPointer, UnsafeMutablePointer<UnsafeRawPointer?>) -> Int32).self)

  /// The file that an address is in, its load address, and the nearest exported symbol.
  package static func object(
    at address: UnsafeRawPointer
  ) -> (path: String, base: UInt, symbol: String?)? {
    // `Dl_info`: the file, its load address, the nearest symbol and that symbol's address.
    var info: [UnsafeRawPointer?] = [nil, nil, nil, nil]
    guard let describe, describe(address, &info) != 0, let path = info[0], let base = info[1]
    else { return nil }
    return (
      String(cString: path.assumingMemoryBound(to: CChar.self)), UInt(bitPattern: base),
      info[2].map { String(cString: $0.assumingMemoryBound(to: CChar.self)) }
    )
  }

  package static let backtrace = find(
    "backtrace",
    as: (@convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32).self)

  typealias LoaderInfo =
    @convention(c) (UnsafeMutableRawPointer, Int32, UnsafeMutableRawPointer) -> Int32
  static let loaderInfo = find("dlinfo", as: LoaderInfo.self)

  typealias VisitObject =
    @convention(c) (UnsafeRawPointer?, Int, UnsafeMutableRawPointer?) -> Int32
  static let forEachObject = find(
    "dl_iterate_phdr", as: (@convention(c) (VisitObject, UnsafeMutableRawPointer?) -> Int32).self)

  package static let setHeapOption = find(
    "mallopt", as: (@convention(c) (Int32, Int32) -> Int32).self)

  package static let makeMemoryFile = find(
    "memfd_create", as: (@convention(c) (UnsafePointer<CChar>, UInt32) -> Int32).self)

  /// `splice`.
  package static let splice = find(
    "splice",
    as: (@convention(c) (
      Int32, UnsafeMutablePointer<Int>?, Int32, UnsafeMutablePointer<Int>?, Int, UInt32
    ) -> Int).self)

  private typealias Find =
    @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer, Int) -> UnsafeRawPointer?
  private static let memmem = find("memmem", as: Find.self)

  /// The offset of the first occurrence of a text in bytes; `nil` if there is none.
  static func offset(of text: StaticString, in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let memmem, let base = bytes.baseAddress else { return nil }
    return memmem(base, bytes.count, text.utf8Start, text.utf8CodeUnitCount).map { $0 - base }
  }

  static let setLimit = find(
    "prlimit",
    as: (@convention(c) (
      pid_t, UInt32, UnsafePointer<rlimit>?, UnsafeMutablePointer<rlimit>?
    ) -> Int32).self)

  /// `fork`; if the process has other threads, the child may only make system calls.
  package static let fork = find("fork", as: (@convention(c) () -> Int32).self)

  /// `sem_clockwait`, with a `sem_t`, a clock and a `timespec`.
  package static let waitForSemaphore = find(
    "sem_clockwait",
    as: (@convention(c) (UnsafeMutableRawPointer, Int32, UnsafeRawPointer) -> Int32).self)

  private typealias OpenSignals = @convention(c) (Int32, UnsafeRawPointer, Int32) -> Int32
  private static let signalfd = find("signalfd", as: OpenSignals.self)

  /// A descriptor that is readable while one of the signals of a `sigset_t`, which are blocked, is
  /// pending; -1 on failure.
  package static func openSignals(_ signals: UnsafeRawPointer) -> Int32 {
    // SFD_CLOEXEC
    signalfd?(-1, signals, 0o2_000_000) ?? -1
  }

  // Both are variadic in C: they read the integers that they need from the argument registers, so
  // these types can pass more.
  private typealias Control = @convention(c) (Int32, UInt, UInt, UInt, UInt) -> Int32
  private typealias Call = @convention(c) (Int, Int, Int, Int) -> Int
  private static let prctl = find("prctl", as: Control.self)
  private static let syscall = find("syscall", as: Call.self)

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
