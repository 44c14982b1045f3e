internal import Navigation
internal import Support
internal import Synchronization

/// Records what the actions, effects and screens of an app take, for a profile.
///
/// Its life:
/// 1. it is made of ``ProfileMemory``, which may hold the records of a process before this one.
/// 2. ``begin()`` is called as the app begins; from then on the app's thread reports what it does.
/// 3. ``finish(_:)`` hands the memory over to be written, with the effects that still run.
package final class Profiler: Sendable {
  private struct Content {
    var names: [String: UInt32]
    /// The effects that run, by their numbers.
    var running: [Int: ProfileMemory.Record] = [:]
  }

  private let memory: ProfileMemory
  private let now: @Sendable () -> Int
  private let content: Mutex<Content>

  /// Creates a profiler.
  ///
  /// - Parameters:
  ///   - memory: where it records.
  ///   - now: reads a clock that only goes forward, in nanoseconds.
  package init(
    _ memory: ProfileMemory, now: @escaping @Sendable () -> Int = MonotonicTime.now
  ) {
    self.memory = memory
    self.now = now
    let names = memory.names.enumerated().map { ($1, UInt32($0)) }
    content = Mutex(Content(names: Dictionary(names, uniquingKeysWith: { first, _ in first })))
  }

  /// Where something that is recorded belongs.
  struct Place {
    let node: String
    let instance: InstanceID
  }

  /// The app begins: the profile starts here, or a process before this one has started it.
  func begin() {
    content.withLock { _ in
      if memory.start == 0 { memory.start = now() }
      // That process may have written what there was then.
      memory.isWritten = false
    }
  }

  /// Something has run on the app's thread.
  func ran(_ name: String, at place: Place?, from start: Int, for duration: Int) {
    content.withLock { content in
      memory.append(
        record(name, place, start: start, duration: duration, in: &content), .action)
    }
  }

  /// An effect has begun; the name is that of the action that it answers, if that is known.
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

  /// Runs `body` with the memory while nothing is recorded; effects that still run end here for the
  /// profile.
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
