internal import AppCore
internal import Synchronization

/// Serializes the saves of each note.
///
/// An editor that ends saves its text, possibly while an earlier save of it is still running.
final class SaveTurns: Sendable {
  /// The waiting saves of each note that is being saved, in order.
  private let waiting = Mutex<[UniqueID: [CheckedContinuation<Void, Never>]]>([:])

  /// Waits until no other save of the note is running; the caller must call ``end(_:)`` afterwards.
  func begin(_ id: UniqueID) async {
    await withCheckedContinuation { continuation in
      let isFree = waiting.withLock { waiting in
        if waiting[id] == nil {
          waiting[id] = []
          return true
        }
        waiting[id]?.append(continuation)
        return false
      }
      if isFree { continuation.resume() }
    }
  }

  /// Ends a save, and lets the next one begin.
  func end(_ id: UniqueID) {
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      if waiting[id]?.isEmpty == false { return waiting[id]?.removeFirst() }
      waiting[id] = nil
      return nil
    }
    next?.resume()
  }
}
