internal import Synchronization

/// An action that has been reduced, with the chain of `.send` effects that led to it; for tests.
@_spi(Host)
public final class ReducedAction<Action: Sendable>: Sendable {
  public let action: Action
  /// The length of the chain before it.
  public let chainLength: Int
  /// `nil` if the action came from outside, or from an effect that ran; changed only when this one is
  /// released.
  private let previous: Mutex<ReducedAction?>

  init(_ action: Action, after previous: ReducedAction?) {
    self.action = action
    self.previous = Mutex(previous)
    chainLength = previous.map { $0.chainLength + 1 } ?? 0
  }

  deinit {
    // One after another: released by one another they would nest as deeply as the chain is long.
    var released = previous.withLock { $0.take() }
    while isKnownUniquelyReferenced(&released) {
      released = released?.previous.withLock { $0.take() }
    }
  }

  /// The actions of the chain, this one last.
  public var chain: [Action] {
    Array(
      sequence(first: self) { action in action.previous.withLock { $0 } }.map(\.action).reversed())
  }
}
