@_spi(Host) internal import AppCore

/// A state together with all shared values of the test.
struct AssertedState<State: Equatable>: Equatable {
  var state: State
  var shared: SharedSnapshot

  init(_ state: State, _ shared: SharedSnapshot) {
    self.state = state
    self.shared = shared
  }

  /// Applies the changes that a test expects.
  mutating func change(_ update: (inout State) throws -> Void) throws {
    try shared.expecting { try update(&state) }
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
