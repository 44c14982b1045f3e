import Testing

@testable import AppCore

@Suite("Deep presentations", .timeLimit(.minutes(2)))
struct DeepStackTests {
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
      let reducer = Level.reducer
      var level = Level.nested(depth)
      AppCore.Issue.$handler.withValue({ reports.add($0) }) {
        _ = reducer.reduce(into: &level, action: Level.at(1, .add))
        _ = reducer.reduce(into: &level, action: Level.at(depth, .add))
      }
      return level.next?.count
    }
    #expect(reached == 1)
    #expect(
      reports.all == [
        """
        ifLet at Level.swift:1: children are nested deeper than this thread's stack allows; \
        the action was dropped
          - use the store on an actor whose thread has more stack, as the host's has
        """
      ])
  }

  @Test("Two hundred thousand presentations are released on a small stack")
  func release() async {
    let count = await onSmallStack {
      var level: Level? = Level.nested(200_000)
      let count = level?.count
      level = nil
      return count
    }
    #expect(count == 0)
  }
}
