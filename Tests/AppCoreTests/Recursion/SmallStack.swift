import Foundation

/// Runs `body` on a thread with a stack of 512 KiB, which is as small as a caller's may be.
func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    thread.stackSize = 512 << 10
    thread.start()
  }
}
