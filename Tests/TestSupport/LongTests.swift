internal import Glibc
package import Testing

/// Whether all tests are run, in full: `make test-all` sets `APPCORE_ALL_TESTS`.
///
/// People wait for `make test`, so it leaves out tests that compile whole packages and hosts, and
/// repeats random tests less often.
package let runsAllTests = getenv("APPCORE_ALL_TESTS") != nil

extension Trait where Self == ConditionTrait {
  /// A test that `make test` leaves out, because it takes long; `make test-all` runs it.
  package static var long: Self { .enabled(if: runsAllTests, "it takes long: see make test-all") }
}

extension Collection {
  /// All elements if all tests are run; otherwise every `step`-th, beginning with the first.
  package func sample(every step: Int) -> [Element] {
    runsAllTests ? Array(self) : enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
