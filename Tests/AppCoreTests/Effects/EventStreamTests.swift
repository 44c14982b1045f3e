@_spi(Host) import AppCore
import Foundation
import Testing

@Home
@Suite("EventStream")
struct EventStreamTests {
  /// A store whose effect for `.go` notes what a sequence has.
  private func store(
    following values: some AsyncSequence<Int, Never> & Sendable
  ) -> Store<[Note], Note> {
    notingStore { action in
      guard action == .go else { return .none }
      return .run { send in
        for await value in values { await send(.took(value)) }
      }
    }
  }

  @Test("A store is settled while its effect waits for a value, and not while one is on its way")
  func waiting() async {
    let (stream, continuation) = EventStream<Int>.makeStream()
    let store = store(following: stream)
    let account = store.activityAccount
    let task = store.send(.go)
    #expect(account.isSettled)
    for value in 1...3 {
      continuation.yield(value)
      #expect(!account.isSettled)
      #expect(await account.settled(within: .seconds(60)))
      #expect(store.state.last == .took(value))
    }
    continuation.finish()
    #expect(!account.isSettled)
    await task.finish()
    #expect(account.isSettled)
    #expect(store.state == [.go, .took(1), .took(2), .took(3)])
  }

  @Test(
    "Values are taken in their order, also those that were added before; the oldest are left out")
  func order() async {
    for (limit, expected) in [(Int.max, [1, 2, 3]), (2, [2, 3])] {
      let stream = EventStream<Int>(keepingNewest: limit) { continuation in
        for value in 1...3 { continuation.yield(value) }
      }
      let store = store(following: stream)
      let account = store.activityAccount
      let task = store.send(.go)
      #expect(await account.settled(within: .seconds(60)))
      #expect(store.state == [.go] + expected.map { .took($0) })
      task.cancel()
      await task.finish()
      #expect(account.isSettled)
    }
  }

  /// A value that tells when it is dropped, on the thread that has dropped it.
  private final class Marked: Sendable {
    let number: Int
    private let dropped: (@Sendable () -> Void)?

    init(_ number: Int, dropped: (@Sendable () -> Void)? = nil) {
      self.number = number
      self.dropped = dropped
    }

    deinit { dropped?() }
  }

  @Test("A store is settled when its effect has taken the value for which another was dropped")
  func dropping() async {
    let (stream, continuation) = EventStream<Marked>.makeStream(keepingNewest: 1)
    let store: Store<[Note], Note> = notingStore { action in
      guard action == .go else { return .none }
      return .run { send in
        for await value in stream { await send(.took(value.number)) }
      }
    }
    let account = store.activityAccount
    // The thread that adds the second value stands still where it has dropped the first one.
    let (dropping, begun) = AsyncStream.makeStream(of: Never.self)
    let (adding, ended) = AsyncStream.makeStream(of: Never.self)
    let gone = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      continuation.yield(
        Marked(1) {
          begun.finish()
          gone.wait()
        })
      continuation.yield(Marked(2))
      ended.finish()
    }
    for await _ in dropping {}
    let task = store.send(.go)
    while store.state.count < 2 { await Task.yield() }
    // It waits for the next one.
    for _ in 0..<100 { await Task.yield() }
    gone.signal()
    for await _ in adding {}
    #expect(await account.settled(within: .seconds(5)))
    #expect(store.state == [.go, .took(2)])
    continuation.yield(Marked(3))
    #expect(await account.settled(within: .seconds(60)))
    #expect(store.state == [.go, .took(2), .took(3)])
    task.cancel()
    await task.finish()
    #expect(account.isSettled)
  }

  @Test("A stream that fails throws its error after its values, and a store is settled meanwhile")
  func throwing() async throws {
    struct Unplugged: Error {}
    let (stream, continuation) = ThrowingEventStream<Int>.makeStream()
    let store: Store<[Note], Note> = notingStore { action in
      guard action == .go else { return .none }
      return .run { send in
        for try await value in stream { await send(.took(value)) }
      } catch: { error, send in
        await send(.took(error is Unplugged ? -1 : -2))
      }
    }
    let account = store.activityAccount
    let task = store.send(.go)
    #expect(account.isSettled)
    continuation.yield(1)
    #expect(await account.settled(within: .seconds(60)))
    continuation.yield(2)
    continuation.finish(throwing: Unplugged())
    await task.finish()
    #expect(store.state == [.go, .took(1), .took(2), .took(-1)])
    let ended = ThrowingEventStream<Int> { continuation in
      continuation.yield(7)
      continuation.finish()
    }
    var taken: [Int] = []
    for try await value in ended { taken.append(value) }
    #expect(taken == [7])
  }

  @Test("The result of asynchronous work is its value or its error")
  func results() async {
    struct Problem: Error, Equatable {}
    func number(_ number: Int) async throws -> Int {
      await Task.yield()
      guard number > 0 else { throw Problem() }
      return number
    }
    let good = await Result { try await number(1) }
    let bad = await Result { try await number(0) }
    #expect((try? good.get()) == 1)
    #expect(throws: Problem.self) { try bad.get() }
  }

  @Test("The end of a stream and the cancellation of its reader are each noticed once")
  func termination() async {
    for isCancelled in [false, true] {
      let ends = Log()
      let (stream, continuation) = EventStream<Int>.makeStream()
      continuation.onTermination { ends.add("ended") }
      let store = store(following: stream)
      let task = store.send(.go)
      if isCancelled { task.cancel() } else { continuation.finish() }
      await task.finish()
      continuation.yield(1)
      #expect(ends.lines == ["ended"])
      #expect(store.activityAccount.isSettled == true)
      #expect(store.state == [.go])
    }
  }

  @Test("A store is settled while its effect follows a shared value")
  func sharedValues() async {
    let count = Shared(value: 1)
    let store = store(following: count.values)
    let account = store.activityAccount
    let task = store.send(.go)
    #expect(await account.settled(within: .seconds(60)))
    count.withLock { $0 = 2 }
    #expect(await account.settled(within: .seconds(60)))
    #expect(store.state == [.go, .took(1), .took(2)])
    task.cancel()
    await task.finish()
  }
}
