@_spi(Host) import AppCore
import Testing

@Home
@Suite("DependencyValues")
struct DependencyTests {
  private enum NumberKey: DependencyKey {
    static var liveValue: Int { 1 }
    static var testValue: Int { 2 }
  }

  private enum OptionalKey: DependencyKey {
    static var liveValue: String? { "live" }
  }

  nonisolated private func number() -> Int { DependencyValues.read { $0[NumberKey.self] } }

  @Test(
    "Unset, it is live or a test's; a value that is set stands in every context, an optional nil too"
  )
  func overrides() {
    var values = DependencyValues(context: .test)
    #expect([DependencyValues()[NumberKey.self], values[NumberKey.self]] == [1, 2])
    values[NumberKey.self] = 3
    #expect(values[NumberKey.self] == 3)
    values.context = .live
    #expect(values[NumberKey.self] == 3)
    #expect(values[OptionalKey.self] == "live")
    values[OptionalKey.self] = nil
    #expect(values[OptionalKey.self] == nil)
  }

  @Test("Replaced values hold inside, and nest, and end")
  func nesting() {
    #expect(number() == 1)
    withDependencies {
      $0[NumberKey.self] = 5
    } operation: {
      #expect(number() == 5)
      withDependencies {
        $0[NumberKey.self] += 1
      } operation: {
        #expect(number() == 6)
      }
      #expect(number() == 5)
    }
    #expect(number() == 1)
  }

  @Test("The asynchronous form holds in child tasks, and stays on its caller's actor")
  func asynchronous() async {
    await withDependencies {
      $0[NumberKey.self] = 7
    } operation: {
      #expect(threadName() == Home.threadName)
      await Task.yield()
      #expect(number() == 7)
      async let child = number()
      #expect(await child == 7)
      #expect(threadName() == Home.threadName)
    }
    #expect(number() == 1)
  }
}

extension DependencyValues {
  /// What `body` finds in the values in force.
  fileprivate static func read<Value: Sendable>(_ body: (Self) -> Value) -> Value {
    var result: [Value] = []
    withDependencies {
      result.append(body($0))
    } operation: {
    }
    return result[0]
  }
}
