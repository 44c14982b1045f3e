internal import Glibc
package import Testing

/// The sanitizer that the tests run under, `thread` or `address`; `scripts/sanitizers/run.sh` sets it.
private let sanitizer = getenv("APPCORE_SANITIZER").map { String(cString: $0) }

extension Trait where Self == ConditionTrait {
  /// Leaves a test out under a sanitizer, for the reason that is given.
  package static func notSanitized(_ reason: Comment) -> Self {
    .enabled(if: sanitizer == nil, reason)
  }

  /// Leaves a test out under the thread sanitizer, for the reason that is given.
  package static func notThreadSanitized(_ reason: Comment) -> Self {
    .enabled(if: sanitizer != "thread", reason)
  }
}
