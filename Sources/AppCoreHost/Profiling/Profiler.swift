internal import Navigation
internal import Support
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
