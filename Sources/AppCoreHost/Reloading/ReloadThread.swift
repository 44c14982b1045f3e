internal import Dispatch

/// The thread on which files are read, built and loaded while an app runs.
///
/// Compilers and scans take their time, and would hold a thread that tasks need.
enum ReloadThread {
  private static let queue = DispatchQueue(label: "appcore.reload")

  static func run<Result: Sendable, Failure: Error>(
    _ body: @escaping @Sendable () throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let result = await withCheckedContinuation {
      (continuation: CheckedContinuation<Swift.Result<Result, Failure>, Never>) in
      queue.async {
        do throws(Failure) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
