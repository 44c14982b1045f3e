internal import Glibc

/// A seccomp(2) filter for system calls that reach other processes.
enum SystemCallFilter {
  private struct Instruction {
    let code: UInt16
    let ifTrue: UInt8
    let ifFalse: UInt8
    let value: UInt32

    /// Loads a word of `seccomp_data`.
    static func load(_ offset: UInt32) -> Instruction {
      Instruction(code: 0x20, ifTrue: 0, ifFalse: 0, value: offset)
    }
    /// Skips `count` instructions if the word is `value`.
    static func jump(ifEqual value: UInt32, by count: Int) -> Instruction {
      Instruction(code: 0x15, ifTrue: UInt8(count), ifFalse: 0, value: value)
    }
    /// The same if it is at least `value`.
    static func jump(ifAtLeast value: UInt32, by count: Int) -> Instruction {
      Instruction(code: 0x35, ifTrue: UInt8(count), ifFalse: 0, value: value)
    }
    static func end(_ decision: UInt32) -> Instruction {
      Instruction(code: 0x06, ifTrue: 0, ifFalse: 0, value: decision)
    }
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
  static func install() {
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
    guard Kernel.control(Kernel.setNoNewPrivileges, 1, 0) == 0 else { return }
    program.withUnsafeBytes { instructions in
      // `sock_fprog`: a count, and a pointer.
      let count = UInt(program.count)
      withUnsafeBytes(of: (count, UInt(bitPattern: instructions.baseAddress))) { description in
        let filterMode: UInt = 2
        _ = Kernel.control(
          Kernel.setFilter, filterMode, UInt(bitPattern: description.baseAddress))
      }
    }
  }
}
