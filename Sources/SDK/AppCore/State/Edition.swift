internal import Synchronization

/// Numbers that are never given twice in a process.
enum Edition {
  private static let last = Atomic(0)

  /// The next number.
  ///
  /// - Complexity: constant; one atomic addition.
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
