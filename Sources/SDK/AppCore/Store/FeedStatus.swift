internal import Synchronization

/// Whether a sequence has ended; asked and told on any thread.
final class FeedStatus: Sendable {
  private let ended = Atomic(false)
  var hasEnded: Bool { ended.load(ordering: .acquiring) }
  func end() { ended.store(true, ordering: .releasing) }
}
