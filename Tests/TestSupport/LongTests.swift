internal import Glibc
package import Testing

/// Whether all tests run, and in full; `make test-all` requests it by setting `APPCORE_ALL_TESTS`.
///
/// To be quick, `make test` leaves out tests that compile whole packages and hosts, and repeats
/// random tests less often.
package let runsAllTests = getenv("APPCORE_ALL_TESTS") != nil

extension Trait where Self == ConditionTrait {
  /// Marks a test that takes long: `make test` leaves it out, `make test-all` runs it.
  package static var long: Self { .enabled(if: runsAllTests, "it takes long: see make test-all") }
}

extension Collection {
  /// All elements if all tests run; otherwise every `step`-th, starting with the first.
  package func sample(every step: Int) -> [Element] {
    runsAllTests ? Array(self) : enumerated().filter { $0.offset % step == 0 }.map(\.element)
  }
}
