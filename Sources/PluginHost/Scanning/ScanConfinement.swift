internal import Glibc
internal import Support

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
  /// - Parameters:
  ///   - host: the process that started this one. The parent may be another one by now, which does
  ///     not end.
  ///   - channel: a pipe whose reading end belongs to the host.
  static func begin(host: pid_t, channel: Int32) {
    let opened = GNUFunctions.openProcess(host)
    if opened < 0, errno == ESRCH { _exit(0) }
    _ = GNUFunctions.control(GNUFunctions.setParentDeathSignal, UInt(SIGKILL), 0)
    // If the host has ended before that call, the kernel sends no signal, and its number may be that
    // of another process.
    var end = pollfd(fd: channel, events: 0, revents: 0)
    if poll(&end, 1, 0) > 0, end.revents & Int16(POLLERR) != 0 { _exit(0) }
    if opened >= 0 { startGuard(opened, channel: channel) }
    forbidCallsToOtherProcesses()
  }

  /// Confines a process that no scanner controls: it ends with its parent, or after some time.
  ///
  /// - Parameter seconds: the longest time that it may run, and use a processor.
  package static func confine(seconds: UInt32) {
    _ = GNUFunctions.control(GNUFunctions.setParentDeathSignal, UInt(SIGKILL), 0)
    var limit = rlimit(rlim_cur: rlim_t(seconds), rlim_max: rlim_t(seconds))
    setrlimit(__rlimit_resource_t(0), &limit)
    signal(SIGALRM, SIG_DFL)
    alarm(seconds)
    forbidCallsToOtherProcesses()
  }

  private static func startGuard(_ host: Int32, channel: Int32) {
    let worker = GNUFunctions.openProcess(getpid())
    guard worker >= 0 else { return }
    guard GNUFunctions.fork?() == 0 else {
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

// A seccomp(2) filter for system calls that reach other processes.
extension ScanConfinement {
  private struct Instruction {
    let code: UInt16
    var ifTrue: UInt8 = 0
    let ifFalse: UInt8 = 0
    let value: UInt32

    /// Loads a word of `seccomp_data`.
    static func load(_ offset: UInt32) -> Instruction { Instruction(code: 0x20, value: offset) }
    /// Skips `count` instructions if the word is `value`.
    static func jump(ifEqual value: UInt32, by count: Int) -> Instruction {
      Instruction(code: 0x15, ifTrue: UInt8(count), value: value)
    }
    /// The same if it is at least `value`.
    static func jump(ifAtLeast value: UInt32, by count: Int) -> Instruction {
      Instruction(code: 0x35, ifTrue: UInt8(count), value: value)
    }
    static func end(_ decision: UInt32) -> Instruction { Instruction(code: 0x06, value: decision) }
  }

  private static let allow: UInt32 = 0x7fff_0000
  private static let killProcess: UInt32 = 0x8000_0000

  #if arch(x86_64)
    private static let architecture: UInt32 = 0xc000_003e
    /// `kill`, `tkill`, `tgkill`, `rt_sigqueueinfo`, `rt_tgsigqueueinfo` and `prlimit64`, whose
    /// first argument is a process.
    private static let aimed: [UInt32] = [62, 200, 234, 129, 297, 302]
    /// `ptrace`, `process_vm_readv`, `process_vm_writev`, `pidfd_send_signal` and `pidfd_getfd`.
    private static let refused: [UInt32] = [101, 310, 311, 424, 438]
  #elseif arch(arm64)
    private static let architecture: UInt32 = 0xc000_00b7
    private static let aimed: [UInt32] = [129, 130, 131, 138, 240, 261]
    private static let refused: [UInt32] = [117, 270, 271, 424, 438]
  #endif

  /// Installs the filter for this process and its children; does nothing without kernel support.
  private static func forbidCallsToOtherProcesses() {
    // `__X32_SYSCALL_BIT`: the x32 ABI's calls start here.
    let otherSet: UInt32 = 0x4000_0000
    var program: [Instruction] = [.load(4), .jump(ifEqual: architecture, by: 1), .end(killProcess)]
    program += [.load(0), .jump(ifAtLeast: otherSet, by: refused.count + aimed.count + 1)]
    for (index, call) in refused.enumerated() {
      program.append(.jump(ifEqual: call, by: refused.count - index + aimed.count))
    }
    for (index, call) in aimed.enumerated() {
      program.append(.jump(ifEqual: call, by: aimed.count - index + 1))
    }
    // Our own process ID, or 0 for self or group.
    program += [
      .end(allow), .end(killProcess), .load(16), .jump(ifEqual: UInt32(getpid()), by: 2),
      .jump(ifEqual: 0, by: 1), .end(killProcess), .end(allow),
    ]
    guard GNUFunctions.control(GNUFunctions.setNoNewPrivileges, 1, 0) == 0 else { return }
    program.withUnsafeBytes { instructions in
      // `sock_fprog`: a count, and a pointer.
      let count = UInt(program.count)
      withUnsafeBytes(of: (count, UInt(bitPattern: instructions.baseAddress))) { description in
        let filterMode: UInt = 2
        _ = GNUFunctions.control(
          GNUFunctions.setFilter, filterMode, UInt(bitPattern: description.baseAddress))
      }
    }
  }
}

/// Keeps the memory around a plugin's code empty in the scanning process.
///
/// If a damaged file refers to memory outside of itself, there is nothing to find: so the process
/// crashes during the scan, and not first in the host, whose memory has another layout. References
/// in code and in Swift's metadata reach two gigabytes in either direction, so that much is kept
/// empty. It costs address space only.
enum MemoryGuard {
  /// How much is kept empty on each side, in bytes.
  private static let reach = 0x8000_0000
  /// The address space that this takes, in bytes.
  static let addresses = 4 * UInt64(reach) + 2 * UInt64(largestGap)
  /// The largest gap that the kernel leaves above a large mapping to align it to large pages.
  private static let largestGap = 1 << 26

  /// Makes room for a plugin of `span` bytes, with nothing around it.
  ///
  /// The kernel places a mapping in the highest gap that it fits into. That is this one, because
  /// the gaps above are filled: the first mapping is below all in which a plugin would otherwise be
  /// placed.
  static func surround(span: UInt64) {
    guard span < 1 << 32 else { return }
    let size = (Int(span) + 4095) & ~4095
    guard map(reach) != nil, let start = map(2 * reach + size) else { return }
    for gap in gaps() where gap.count < reach { _ = map(gap.count, at: gap.lowerBound) }
    munmap(UnsafeMutableRawPointer(bitPattern: start + reach), size)
  }

  /// Maps memory that can be neither read nor written, at `address` if that is given; `nil` if that
  /// fails or something is mapped there.
  private static func map(_ size: Int, at address: Int? = nil) -> Int? {
    // MAP_FIXED_NOREPLACE, a Linux extension.
    let exactly: Int32 = 0x10_0000
    let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (address == nil ? 0 : exactly)
    let start = mmap(
      address.flatMap { UnsafeMutableRawPointer(bitPattern: $0) }, size, PROT_NONE, flags, -1, 0)
    guard let start, start != MAP_FAILED else { return nil }
    return Int(bitPattern: start)
  }

  private static func gaps() -> [Range<Int>] {
    let bytes = (try? WholeFile.read("/proc/self/maps")) ?? []
    var gaps: [Range<Int>] = []
    var last: Int?
    for line in bytes.split(separator: 0x0a) {
      let range = String(decoding: line.prefix { $0 != 0x20 }, as: UTF8.self).split(separator: "-")
      guard range.count == 2, let start = Int(range[0], radix: 16),
        let end = Int(range[1], radix: 16)
      else { continue }
      if let last, last < start { gaps.append(last..<start) }
      last = end
    }
    return gaps
  }
}
