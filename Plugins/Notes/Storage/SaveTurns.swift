internal import AppCore
internal import Synchronization

/// Serializes the saves of each note, in the order in which they took their turns.
///
/// An editor that ends saves its text, possibly while an earlier save of it is still running.
final class SaveTurns: Sendable {
  /// The turns of each note that are not over, in order.
  private let open = Mutex<[UniqueID: [Turn]]>([:])

  /// Takes the next turn of a note, which ``end(_:)`` must end.
  func take(_ id: UniqueID) -> Turn {
    let turn = Turn(id)
    let isFirst = open.withLock { open in
      open[id, default: []].append(turn)
      return open[id]?.count == 1
    }
    if isFirst { turn.come() }
    return turn
  }

  /// Ends a turn, and lets the next one come.
  func end(_ turn: Turn) {
    let next = open.withLock { open -> Turn? in
      let left = open[turn.id, default: []].filter { $0 !== turn }
      open[turn.id] = left.isEmpty ? nil : left
      return left.first
    }
    next?.come()
  }

  /// The place of one save among those of its note.
  final class Turn: Sendable {
    fileprivate let id: UniqueID
    private let state = Mutex<(hasCome: Bool, waiting: CheckedContinuation<Void, Never>?)>(
      (false, nil))

    fileprivate init(_ id: UniqueID) { self.id = id }

    /// Waits until all turns before it are over.
    func wait() async {
      await withCheckedContinuation { continuation in
        let hasCome = state.withLock { state in
          if !state.hasCome { state.waiting = continuation }
          return state.hasCome
        }
        if hasCome { continuation.resume() }
      }
    }

    fileprivate func come() {
      let waiting = state.withLock { state in
        state.hasCome = true
        return state.waiting.take()
      }
      waiting?.resume()
    }
  }
}
