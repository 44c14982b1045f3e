internal import Glibc

/// Memory that an app's process shares with its supervisor: the current call, and how the process
/// ends.
///
/// However the process ends, the supervisor can still read it. A plugin may have overwritten any of
/// it by then, so its contents are not trusted.
package struct WorkerPage: @unchecked Sendable {
  // Unchecked: single words, written by the process whose page it is and read when that has ended.
  private let memory: UnsafeMutableRawPointer

  private static let size = 1 << 14
  private static let recordOffset = 0
  private static let flagOffset = 128
  private static let lookOffset = 136
  private static let progressOffset = 144
  private static let reportOffset = 256

  /// How far a process has come.
  package enum Stage: UInt8, Sendable {
    /// The app begins, or continues.
    case starting = 1
    /// Its first screen was shown.
    case running
    /// It ends, as it was asked to.
    case ending
  }

  private nonisolated(unsafe) static var shared: (page: WorkerPage, owner: pid_t)?

  /// The page of this process; `nil` if it has no supervisor, as one that a plugin has forked.
  package static var current: WorkerPage? {
    shared.flatMap { $0.owner == getpid() ? $0.page : nil }
  }

  /// Makes it the page of this process; before there are threads.
  package func become() { Self.shared = (self, getpid()) }

  /// Creates a page that processes share which are forked from this one.
  ///
  /// - Returns: `nil` if the system grants none.
  package init?() {
    let found = mmap(
      nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let found, found != MAP_FAILED else { return nil }
    memory = found
  }

  /// Empties the page for another process.
  package func reset() {
    memset(memory, 0, Self.size)
    memory.advanced(by: Self.recordOffset).initializeMemory(as: CallRecord.self, to: CallRecord())
    stage = .starting
  }

  /// Where the calls of an app's features are noted.
  package var record: UnsafeMutablePointer<CallRecord> {
    memory.advanced(by: Self.recordOffset).assumingMemoryBound(to: CallRecord.self)
  }

  /// How far the process has come.
  package var stage: Stage? {
    get { Stage(rawValue: memory.load(fromByteOffset: Self.flagOffset, as: UInt8.self)) }
    nonmutating set {
      memory.storeBytes(of: newValue?.rawValue ?? 0, toByteOffset: Self.flagOffset, as: UInt8.self)
    }
  }

  /// How often the process's watch thread has looked whether its app answers; 0 while it does not.
  package var looks: UInt {
    get { memory.load(fromByteOffset: Self.lookOffset, as: UInt.self) }
    nonmutating set {
      memory.storeBytes(of: newValue, toByteOffset: Self.lookOffset, as: UInt.self)
    }
  }

  /// How many pieces of work the app's thread has begun and ended, as the watch thread saw it: odd while
  /// it is at one.
  package var progress: Int {
    get { memory.load(fromByteOffset: Self.progressOffset, as: Int.self) }
    nonmutating set {
      memory.storeBytes(of: newValue, toByteOffset: Self.progressOffset, as: Int.self)
    }
  }

  /// What is known of the end of the process, in the form that ``CrashReport`` gives it.
  package var report: [UInt8] {
    get {
      let count = Int(memory.load(fromByteOffset: Self.reportOffset, as: UInt32.self))
      guard count <= Self.size - Self.reportOffset - 4 else { return [] }
      let start = memory.advanced(by: Self.reportOffset + 4)
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
    nonmutating set {
      let bytes = newValue.prefix(Self.size - Self.reportOffset - 4)
      for (index, byte) in bytes.enumerated() {
        memory.storeBytes(of: byte, toByteOffset: Self.reportOffset + 4 + index, as: UInt8.self)
      }
      // Last, so that it is there as a whole or not at all.
      memory.storeBytes(of: UInt32(bytes.count), toByteOffset: Self.reportOffset, as: UInt32.self)
    }
  }

  /// The call that was noted last, read byte by byte: a byte that is not a kind of call is none.
  package var call: (kind: CallRecord.Kind, node: Int, instance: InstanceID?) {
    func offset(_ path: PartialKeyPath<CallRecord>) -> Int {
      Self.recordOffset + (MemoryLayout<CallRecord>.offset(of: path) ?? 0)
    }
    let kind = memory.load(fromByteOffset: offset(\.kind), as: UInt8.self)
    let node = memory.loadUnaligned(fromByteOffset: offset(\.node), as: Int.self)
    let place = offset(\.instance)
    // The index, the generation, and whether there is none.
    let index = memory.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    let generation = memory.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
    let isMissing = memory.load(fromByteOffset: place + 8, as: UInt8.self) != 0
    return (
      CallRecord.Kind(rawValue: kind) ?? .none, node,
      isMissing ? nil : InstanceID(index: index, generation: generation)
    )
  }
}
