internal import AppCore
internal import Synchronization

/// Lets the saves of one note run one after another.
///
/// An editor that is removed saves what it holds, while the save that it had begun may still run.
final class SaveTurns: Sendable {
  /// Who waits, by the note that is being saved.
  private let waiting = Mutex<[UniqueID: [CheckedContinuation<Void, Never>]]>([:])

  /// Returns when nobody else saves the note; ``end(_:)`` follows.
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

  /// Lets the next one save the note.
  func end(_ id: UniqueID) {
    let next = waiting.withLock { waiting -> CheckedContinuation<Void, Never>? in
      if waiting[id]?.isEmpty == false { return waiting[id]?.removeFirst() }
      waiting[id] = nil
      return nil
    }
    next?.resume()
  }
}
