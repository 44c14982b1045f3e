import AppCore
import Testing

/// What an effect does before it first waits is done when `send` returns, however it is written.
@Home
@Suite("Effect: how it starts", .timeLimit(.minutes(30)))
struct EffectStartTests {
  private static func work(_ send: Send<Note>) async throws {}

  @Test("A closure with a capture list starts on the store's actor, and continues there")
  func captureLists() async {
    let log = Log()
    let effects: [@Sendable (Int) -> Effect<Note>] = [
      { x in .run { [x] _ in log.add("\(x) on \(threadName())") } },
      { x in .run { [y = x] _ in log.add("\(y) on \(threadName())") } },
      { x in
        .run { [x] send in
          log.add("\(x) on \(threadName())")
          await send(.stop)
          log.add("then on \(threadName())")
        }
      },
      { x in
        .run { [x] _ in
          if x >= 0 { throw CancellationError() }
        } catch: { [x] _, _ in
          log.add("never \(x)")
        }
      },
      { x in
        .run { [x] _ in
          struct Failure: Error {}
          if x >= 0 { throw Failure() }
        } catch: { [x] _, _ in
          log.add("\(x) on \(threadName())")
        }
      },
      { x in .run(priority: .high) { [x] _ in log.add("\(x) on \(threadName())") } },
    ]
    for (number, effect) in effects.enumerated() {
      log.clear()
      let store = notingStore { $0 == .go ? effect(number) : .none }
      let task = store.send(.go)
      let lines = log.lines
      #expect(lines == (number == 3 ? [] : ["\(number) on \(Home.threadName)"]))
      await task.finish()
      #expect(log.lines.allSatisfy { $0.hasSuffix(" on \(Home.threadName)") })
    }
  }

  @Test("An effect that cancels itself through an action of its own sends nothing after it")
  func cancelsItself() async {
    let store = notingStore { action in
      switch action {
      case .go:
        .run { send in
          await send(.stop)
          await send(.took(1))
        }
        .cancellable(id: "it")
      case .stop: .cancel(id: "it")
      case .took: .none
      }
    }
    await store.send(.go).finish()
    #expect(store.state == [.go, .stop])
  }

  @Test("An effect keeps the dependencies with which it was made, and a store those around it")
  func dependencies() async {
    let log = Log()
    let store = withDependencies {
      $0[Tag.self] = "the store's"
    } operation: {
      notingStore { action in
        @Dependency(Tag.self) var tag
        log.add("\(action): \(tag)")
        guard action == .go else { return .none }
        return withDependencies {
          $0[Tag.self] = "the effect's"
        } operation: {
          Effect<Note>.run { send in
            @Dependency(Tag.self) var tag
            log.add("runs: \(tag)")
            await send(.stop)
          }
        }
      }
    }
    let task = withDependencies {
      $0[Tag.self] = "the sender's"
    } operation: {
      store.send(.go)
    }
    await task.finish()
    #expect(log.lines == ["go: the store's", "runs: the effect's", "stop: the store's"])
  }

  private enum Tag: DependencyKey {
    static var liveValue: String { "live" }
    static var testValue: String { "test" }
  }
}
