import AppCore
import Testing

@Home
@Suite("Effect: errors and misuse")
struct EffectErrorTests {
  struct Broken: Error, CustomStringConvertible { var description: String { "it broke" } }

  @Test("An error that nobody handles is reported with the place where the effect was made")
  func unhandled() async throws {
    let line = UInt(#line) + 3
    let reports = await reported {
      let store = notingStore { _ in
        .run { _ in throw Broken() }
      }
      await store.send(.go).finish()
    }
    let text = try #require(reports.first)
    #expect(reports.count == 1)
    #expect(text.contains("it broke"))
    #expect(text.contains("AppCoreTests/EffectErrorTests.swift:\(line)"))
    #expect(text.contains("'catch:'"))
  }

  @Test("A handler gets the error and may send, and then nothing is reported")
  func handled() async {
    let reports = await reported {
      let store = notingStore { action in
        guard action == .go else { return .none }
        return .run { _ in
          throw Broken()
        } catch: { error, send in
          await send(.took(error is Broken ? 1 : 0))
        }
      }
      await store.send(.go).finish()
      #expect(store.state == [.go, .took(1)])
    }
    #expect(reports.isEmpty)
  }

  @Test("Being cancelled is not an error: neither reported nor handed to the handler")
  func cancellation() async {
    let log = Log()
    let reports = await reported {
      let store = notingStore { action in
        guard action == .go else { return .cancel(id: 1) }
        return .run { _ in
          try await Gate().wait()
        } catch: { _, _ in
          log.add("handled")
        }
        .cancellable(id: 1)
      }
      let task = store.send(.go)
      store.send(.stop)
      await task.finish()
    }
    #expect(reports.isEmpty)
    #expect(log.lines.isEmpty)
  }

  @Test("Sending after the effect has ended is reported with the action, and does nothing")
  func lateSend() async throws {
    let reports = await reported {
      let gate = Gate()
      let done = Gate()
      let store = notingStore { action in
        guard action == .go else { return .none }
        return .run { send in
          Task {
            try await gate.wait()
            await send(.took(7))
            done.open()
          }
        }
      }
      await store.send(.go).finish()
      gate.open()
      try? await done.wait()
      #expect(store.state == [.go])
    }
    let text = try #require(reports.first)
    #expect(text.hasPrefix("An effect sent an action after it had ended: took(7)"))
    #expect(text.contains("Wait inside 'run'"))
  }
}
