import Synchronization
import Testing

/// What fails in `body`.
@MainActor
func failures(_ body: @MainActor () async -> Void) async -> [String] {
  let found = Mutex<[String]>([])
  await withKnownIssue(isIntermittent: true) {
    await body()
  } matching: { issue in
    found.withLock { $0 += issue.comments.map(\.rawValue) }
    return true
  }
  return found.withLock { $0 }
}
