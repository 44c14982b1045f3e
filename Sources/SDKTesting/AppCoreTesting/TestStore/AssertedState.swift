@_spi(Host) internal import AppCore
internal import Synchronization

/// A state together with all shared values of the test.
struct AssertedState<State: Equatable>: Equatable {
  var state: State
  var shared: SharedSnapshot

  init(_ state: State, _ shared: SharedSnapshot) {
    self.state = state
    self.shared = shared
  }

  /// Applies the changes that a test expects, with the test's dependencies.
  ///
  /// - Returns: the misuses that `update` reported.
  mutating func change(
    with dependencies: DependencyValues, _ update: (inout State) throws -> Void
  ) throws -> [String] {
    let reports = Mutex<[String]>([])
    try RuntimeIssue.handling(with: { text in reports.withLock { $0.append(text) } }) {
      try withDependencies {
        $0 = dependencies
      } operation: {
        try shared.expecting { try update(&state) }
      }
    }
    return reports.withLock { $0 }
  }

  static func == (left: Self, right: Self) -> Bool {
    SharedSnapshot.comparing(left.shared, right.shared) { left.state == right.state }
      && StateDifference.changes(from: left.shared, to: right.shared).isEmpty
  }

  /// The difference, as lines for people.
  func difference(to actual: Self) -> [String] {
    let areStatesEqual = SharedSnapshot.comparing(shared, actual.shared) { state == actual.state }
    guard !areStatesEqual else {
      return StateDifference.lines(from: shared, to: actual.shared)
    }
    return StateDifference.lines(
      of: State.self, expected: dump(depth:), actual: actual.dump(depth:))
  }

  private func dump(depth: Int) -> [String] {
    var shared = shared
    return shared.expecting { StateDump.lines(state, depth: depth) }
  }
}
