@_spi(Host) import AppCore
import Foundation

/// The actor that the stores of tests live on, with a thread of its own.
@globalActor
actor Home {
  static let shared = Home()
  static let threadName = "test-store"
  private let thread = StoreThread(name: threadName)
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  static func run<Result: Sendable>(
    _ body: @Home () async throws -> Result
  ) async rethrows -> Result {
    try await body()
  }
}

/// The actor of stores that nest so deep that other tests would wait for them.
@globalActor
actor DeepHome {
  static let shared = DeepHome()
  private let thread = StoreThread(name: "deep-test-store")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
}

extension Store {
  @Home
  convenience init(initialState: State, reducer: some Reducer<State, Action>) {
    self.init(initialState: initialState, reducer: reducer, isolation: Home.shared)
  }

  @DeepHome
  convenience init(deep state: State, reducer: some Reducer<State, Action>) {
    self.init(initialState: state, reducer: reducer, isolation: DeepHome.shared)
  }
}

/// What the system calls the thread that asks.
func threadName() -> String {
  let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
  return text?.trimmingCharacters(in: .newlines) ?? ""
}
