internal import Glibc
package import Navigation

/// Memory that an app's process shares with its supervisor: the current call, and how the process
/// ends.
///
/// The supervisor can read it however the process ends. A plugin may have overwritten any part of
/// it by then, so its content is not trusted.
package struct SharedCrashPage: @unchecked Sendable {
  // Unchecked: written only by the page's process; its supervisor reads single words while that
  // runs, and the rest when it has ended.
  private let memory: UnsafeMutableRawPointer

  private static let size = 1 << 14
  private static let recordOffset = 0
  private static let stepRecordOffset = 64
  private static let flagOffset = 128
  private static let staleOffset = 129
  private static let fullScreenOffset = 130
  private static let lookOffset = 136
  private static let progressOffset = 144
  private static let stopOffset = 152
  private static let reportOffset = 256

  /// A stage in the life of a process.
  package enum Stage: UInt8, Sendable {
    /// The app begins, or continues.
    case starting = 1
    /// Its first screen was shown.
    case running
    /// The user or the end of the input has ended the app, which may still be saving; if it
    /// crashes now, it is restored.
    case leaving
    /// It is ending, as requested.
    case ending
  }

  private nonisolated(unsafe) static var shared: (page: SharedCrashPage, owner: pid_t)?

  /// The page of this process; `nil` if it has no supervisor, as in a process that a plugin has
  /// forked.
  package static var current: SharedCrashPage? {
    shared.flatMap { $0.owner == getpid() ? $0.page : nil }
  }

  /// Makes it the page of this process; must be called before other threads exist.
  package func makeCurrent() { Self.shared = (self, getpid()) }

  /// Creates a page that is shared with processes forked from this one.
  ///
  /// - Returns: `nil` if the system can't map the memory.
  package init?() {
    let found = mmap(
      nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let found, found != MAP_FAILED else { return nil }
    memory = found
  }

  /// Clears the page for another process.
  package func reset() {
    memset(memory, 0, Self.size)
    for offset in [Self.recordOffset, Self.stepRecordOffset] {
      memory.advanced(by: offset).initializeMemory(as: CallRecord.self, to: CallRecord())
    }
    stage = .starting
  }

  /// The record of the app's calls to features.
  package var record: UnsafeMutablePointer<CallRecord> {
    memory.advanced(by: Self.recordOffset).assumingMemoryBound(to: CallRecord.self)
  }

  /// The record of the calls of the thread that codes its steps.
  package var stepRecord: UnsafeMutablePointer<CallRecord> {
    memory.advanced(by: Self.stepRecordOffset).assumingMemoryBound(to: CallRecord.self)
  }

  /// How far the process has come.
  package var stage: Stage? {
    get { Stage(rawValue: memory.load(fromByteOffset: Self.flagOffset, as: UInt8.self)) }
    nonmutating set {
      memory.storeBytes(of: newValue?.rawValue ?? 0, toByteOffset: Self.flagOffset, as: UInt8.self)
    }
  }

  /// Whether its first screen was shown.
  package var hasShownScreen: Bool { stage == .running || stage == .leaving }

  /// Whether the image lacks changes that were shown, because it could not be written.
  package var hasStaleImage: Bool {
    get { memory.load(fromByteOffset: Self.staleOffset, as: UInt8.self) != 0 }
    nonmutating set {
      memory.storeBytes(of: newValue ? 1 : 0, toByteOffset: Self.staleOffset, as: UInt8.self)
    }
  }

  /// Whether the terminal shows the alternate screen, and reports the mouse.
  package var isFullScreen: Bool {
    get { memory.load(fromByteOffset: Self.fullScreenOffset, as: UInt8.self) != 0 }
    nonmutating set {
      memory.storeBytes(
        of: newValue ? 1 : 0, toByteOffset: Self.fullScreenOffset, as: UInt8.self)
    }
  }

  /// How often the process has stopped and its supervisor has continued it, since no shell would;
  /// written by the supervisor.
  package var stops: UInt {
    get { memory.load(fromByteOffset: Self.stopOffset, as: UInt.self) }
    nonmutating set {
      memory.storeBytes(of: newValue, toByteOffset: Self.stopOffset, as: UInt.self)
    }
  }

  /// The number of checks by the process's watch thread of whether the app responds; 0 while it
  /// does not check.
  package var looks: UInt {
    get { memory.load(fromByteOffset: Self.lookOffset, as: UInt.self) }
    nonmutating set {
      memory.storeBytes(of: newValue, toByteOffset: Self.lookOffset, as: UInt.self)
    }
  }

  /// The number of times that the app's thread has begun or ended a piece of work, as the watch
  /// thread last saw it; odd during one.
  package var progress: Int {
    get { memory.load(fromByteOffset: Self.progressOffset, as: Int.self) }
    nonmutating set {
      memory.storeBytes(of: newValue, toByteOffset: Self.progressOffset, as: Int.self)
    }
  }

  /// The report about the end of the process, encoded by ``CrashReport``.
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
      // Written last, so that the report is either complete or missing.
      memory.storeBytes(of: UInt32(bytes.count), toByteOffset: Self.reportOffset, as: UInt32.self)
    }
  }

  /// The call that was noted last, of the app's thread or else of the one that codes its steps.
  package var call: (kind: CallRecord.Kind, node: Int, instance: InstanceID?) {
    let call = call(at: Self.recordOffset)
    return call.kind == .none ? self.call(at: Self.stepRecordOffset) : call
  }

  /// A call, read byte by byte: a byte that is not a kind of call is none.
  private func call(
    at start: Int
  ) -> (kind: CallRecord.Kind, node: Int, instance: InstanceID?) {
    func offset(_ path: PartialKeyPath<CallRecord>) -> Int {
      start + (MemoryLayout<CallRecord>.offset(of: path) ?? 0)
    }
    let kind = memory.load(fromByteOffset: offset(\.kind), as: UInt8.self)
    let node = memory.loadUnaligned(fromByteOffset: offset(\.node), as: Int.self)
    let place = offset(\.instance)
    // The layout of the optional identifier: index, generation, and whether it is `nil`.
    let index = memory.loadUnaligned(fromByteOffset: place, as: UInt32.self)
    let generation = memory.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
    let isMissing = memory.load(fromByteOffset: place + 8, as: UInt8.self) != 0
    return (
      CallRecord.Kind(rawValue: kind) ?? .none, node,
      isMissing ? nil : InstanceID(number: UInt64(index) << 32 | UInt64(generation))
    )
  }
}
