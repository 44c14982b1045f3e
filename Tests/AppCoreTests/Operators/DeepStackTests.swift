import Foundation
import Testing

@testable import AppCore

@Suite("Deep presentations", .timeLimit(.minutes(2)))
struct DeepStackTests {
  struct Node: Sendable {
    var count = 0
    @Presented var next: Node?
  }

  indirect enum Action: ComponentAction {
    case add
    case next(PresentationAction<Action>)
  }

  /// Runs `body` on a thread with a stack of 512 KiB.
  private func onSmallStack<Result: Sendable>(
    _ body: @escaping @Sendable () -> Result
  ) async -> Result {
    await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: body()) }
      thread.stackSize = 512 << 10
      thread.start()
    }
  }

  @Sendable private static func nested(_ depth: Int) -> Node {
    var node = Node()
    for _ in 0..<depth { node = Node(next: node) }
    return node
  }

  @Test("What is inside nested presentations is let go before the release returns")
  func waits() async {
    struct Holder: Sendable {
      let object: Counted
      @Presented var next: Holder?
    }
    let count = LifeCount()
    let alive = await onSmallStack {
      var holder: Holder?
      for number in 0..<2_000 { holder = Holder(object: Counted(number, count), next: holder) }
      let before = count.alive
      holder = nil
      return [before, count.alive]
    }
    #expect(alive == [2_000, 0])
  }

  @Test("An action for a child nested deeper than the stack allows is dropped and reported")
  func tooDeep() async throws {
    let depth = 4_000
    let reports = Reports()
    let reached = await onSmallStack {
      let reducer = Recurse<Node, Action> { itself in
        Reduce<Node, Action> { state, action in
          if case .add = action { state.count += 1 }
          return .none
        }
        .ifLet(
          \.$next, action: /Action.next, child: { itself }, fileID: "Deep.swift", line: 1)
      }
      var node = Self.nested(depth)
      var action = Action.add
      for _ in 0..<depth { action = .next(.presented(action)) }
      AppCore.Issue.$handler.withValue({ reports.add($0) }) {
        _ = reducer.reduce(into: &node, action: .next(.presented(.add)))
        _ = reducer.reduce(into: &node, action: action)
      }
      return node.next?.count
    }
    #expect(reached == 1)
    #expect(
      reports.all == [
        """
        ifLet at Deep.swift:1: children are nested deeper than this thread's stack allows; \
        the action was dropped
          - use the store on an actor whose thread has more stack, as the host's has
        """
      ])
  }
}
