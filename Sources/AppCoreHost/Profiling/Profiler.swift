internal import Glibc
internal import Navigation
package import Support
internal import Synchronization

/// Records the durations of an app's actions, effects and screens for a profile.
///
/// Its life:
/// 1. It is created with ``ProfileMemory``, which may contain the records of previous processes.
/// 2. ``begin()`` is called when the app begins; from then on the app's thread adds records.
/// 3. ``finish(_:)`` adds the effects that are still running, and passes the memory on to be
///    written to a file.
package final class Profiler: Sendable {
  private struct Content {
    var names: [String: UInt32]
    var running: [Int: ProfileMemory.Record] = [:]
  }

  private let memory: ProfileMemory
  private let now: @Sendable () -> Int
  private let content: Mutex<Content>

  /// Creates a profiler; `now` reads a monotonic clock, in nanoseconds.
  package init(
    _ memory: ProfileMemory, now: @escaping @Sendable () -> Int = MonotonicTime.now
  ) {
    self.memory = memory
    self.now = now
    let names = memory.names.enumerated().map { ($1, UInt32($0)) }
    content = Mutex(Content(names: Dictionary(names, uniquingKeysWith: { first, _ in first })))
  }

  /// The instance to which a record belongs, with the name of its node.
  typealias Place = (node: String, instance: InstanceID)

  /// Starts the profile, unless a previous process has started it.
  func begin() {
    content.withLock { _ in
      if memory.start == 0 { memory.start = now() }
      // The previous process may have written its profile, which now lacks what follows.
      memory.isWritten = false
    }
  }

  /// Records an action or a screen, with its start and duration in nanoseconds.
  func ran(_ name: String, at place: Place?, from start: Int, for duration: Int) {
    content.withLock { content in
      memory.append(
        record(name, place, start: start, duration: duration, in: &content), .action)
    }
  }

  /// Records the start of an effect; its name is that of the action that has started it, if known.
  func effectBegan(_ id: Int, _ name: String?, at place: Place?) {
    let start = now()
    content.withLock { content in
      content.running[id] = record(name, place, start: start, duration: 0, in: &content)
    }
  }

  func effectEnded(_ id: Int) {
    let end = now()
    content.withLock { content in
      guard let effect = content.running.removeValue(forKey: id) else { return }
      append(effect, endingAt: end)
    }
  }

  /// Calls `body` with the memory while it is locked, and returns its result.
  ///
  /// For the profile, effects that are still running end now.
  package func finish<Result>(_ body: (ProfileMemory) -> Result) -> Result {
    let end = now()
    return content.withLock { content in
      let running = content.running.sorted { $0.key < $1.key }
      content.running = [:]
      for (_, effect) in running { append(effect, endingAt: end) }
      return body(memory)
    }
  }

  private func append(_ effect: ProfileMemory.Record, endingAt end: Int) {
    var effect = effect
    effect.duration = end - effect.start
    memory.append(effect, .effect)
  }

  private func record(
    _ name: String?, _ place: Place?, start: Int, duration: Int, in content: inout Content
  ) -> ProfileMemory.Record {
    var record = ProfileMemory.Record(start: start, duration: duration)
    if let name { record.name = number(of: name, in: &content) }
    if let place {
      record.node = number(of: place.node, in: &content)
      record.instance = place.instance.number
    }
    return record
  }

  private func number(of name: String, in content: inout Content) -> UInt32 {
    if let number = content.names[name] { return number }
    let number = memory.add(name)
    content.names[name] = number
    return number
  }
}

/// Memory with the records of a profile, shared by processes that are forked after its creation.
///
/// So the records of a worker that crashes remain for the next one and for their supervisor. Only
/// the newest records are kept. A plugin may have overwritten any part of the memory, so its
/// content is not trusted.
package struct ProfileMemory: @unchecked Sendable {
  // Unchecked: within a process, a profiler locks it; no two processes use it at the same time.

  /// The duration of an action, a screen or an effect.
  struct Record {
    /// The start and the duration in nanoseconds, by the clock of ``Profiler``.
    var start = 0
    var duration = 0
    /// The number of its name in ``names``; ``none`` if it is not known.
    var name = Record.none
    /// The number of the node's name in ``names``; ``none`` if it belongs to no instance.
    var node = Record.none
    var instance: UInt64 = 0

    static let none = UInt32.max
  }

  /// A kind of record; each has a ring buffer of its own.
  enum Kind: Int, CaseIterable {
    /// An action or a screen, on the store's thread.
    case action
    case effect
  }

  private struct Header {
    /// When the app began in the first process, in nanoseconds; 0 before.
    var start = 0
    /// How many records of each kind have been added.
    var actionCount = 0
    var effectCount = 0
    /// How many names there are, and how many bytes they occupy.
    var nameCount = 0
    var nameBytes = 0
    /// Whether the profile was written to its file, as far as that was possible.
    var isWritten = false
  }

  /// How many records of each kind are kept by default.
  package static let limit = 250_000

  private static let nameCapacity = 1 << 20

  /// How many records of each kind are kept.
  let limit: Int
  private let memory: UnsafeMutableRawPointer
  private let header: UnsafeMutablePointer<Header>

  /// Maps the memory; the system allocates only the pages that are written.
  ///
  /// - Throws: the system's error if it can't be mapped.
  package init(limit: Int = ProfileMemory.limit) throws(SystemError) {
    self.limit = limit
    let size = Self.recordOffset + 2 * limit * MemoryLayout<Record>.stride + Self.nameCapacity
    let found = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let found, found != MAP_FAILED else { throw SystemError(errno) }
    memory = found
    header = found.initializeMemory(as: Header.self, to: Header())
  }

  private static let recordOffset = 128

  // MARK: Records

  private func ring(_ kind: Kind) -> UnsafeMutablePointer<Record> {
    let offset = Self.recordOffset + kind.rawValue * limit * MemoryLayout<Record>.stride
    return (memory + offset).assumingMemoryBound(to: Record.self)
  }

  /// How many records of a kind have been added, including those no longer kept.
  func count(_ kind: Kind) -> Int {
    max(0, kind == .action ? header.pointee.actionCount : header.pointee.effectCount)
  }

  func append(_ record: Record, _ kind: Kind) {
    let count = count(kind)
    ring(kind)[count % limit] = record
    // Last, so that every record that is counted is complete.
    switch kind {
    case .action: header.pointee.actionCount = count &+ 1
    case .effect: header.pointee.effectCount = count &+ 1
    }
  }

  /// The records that are kept, in the order in which they were added.
  func records(_ kind: Kind) -> some Sequence<Record> {
    let count = count(kind)
    return (max(0, count - limit)..<count).lazy.map { ring(kind)[$0 % limit] }
  }

  // MARK: Names

  private var nameStart: UnsafeMutableRawPointer {
    memory + Self.recordOffset + 2 * limit * MemoryLayout<Record>.stride
  }

  var names: [String] {
    var names: [String] = []
    var offset = 0
    let end = min(max(0, header.pointee.nameBytes), Self.nameCapacity)
    while names.count < header.pointee.nameCount, offset + 4 <= end {
      let count = Int(nameStart.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
      guard offset + 4 + count <= end else { break }
      let bytes = UnsafeRawBufferPointer(start: nameStart + offset + 4, count: count)
      names.append(String(decoding: bytes, as: UTF8.self))
      offset += 4 + count
    }
    return names
  }

  /// Adds a name, and returns its number; ``Record/none`` if there is no room for more.
  func add(_ name: String) -> UInt32 {
    let bytes = Array(name.utf8)
    let (offset, number) = (header.pointee.nameBytes, header.pointee.nameCount)
    guard (0..<Self.nameCapacity).contains(offset), (0..<Self.nameCapacity).contains(number),
      offset + 4 + bytes.count <= Self.nameCapacity
    else { return Record.none }
    nameStart.storeBytes(of: UInt32(bytes.count), toByteOffset: offset, as: UInt32.self)
    (nameStart + offset + 4).copyMemory(from: bytes, byteCount: bytes.count)
    header.pointee.nameBytes = offset + 4 + bytes.count
    header.pointee.nameCount = number + 1
    return UInt32(number)
  }

  // MARK: Its life

  /// When the app began in the first process, in nanoseconds; 0 before.
  var start: Int {
    get { header.pointee.start }
    nonmutating set { header.pointee.start = newValue }
  }

  /// Whether the profile was written to its file, as far as that was possible.
  package var isWritten: Bool {
    get { header.pointee.isWritten }
    nonmutating set { header.pointee.isWritten = newValue }
  }

  /// Whether there is a profile that is still to be written.
  package var isDue: Bool { start > 0 && !isWritten }
}
