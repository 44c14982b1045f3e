@_spi(Host) import AppCore
import Foundation

/// The actor that a test's store lives on, with a thread of its own.
actor Home {
  static let threadName = "test-store"
  private let thread = StoreThread(name: threadName)
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Runs `body` on a new actor.
  ///
  /// An effect made in `body` must not capture the actor it is given: the compiler takes a closure
  /// that captures an isolated parameter off the store's actor.
  static func run<Result: Sendable>(
    _ body: @Sendable (isolated Home) async throws -> Result
  ) async rethrows -> Result {
    let home = Home()
    return try await body(home)
  }
}

/// What the system calls the thread that asks.
func threadName() -> String {
  let text = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
  return text?.trimmingCharacters(in: .newlines) ?? ""
}
