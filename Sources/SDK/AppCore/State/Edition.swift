internal import Synchronization

/// Numbers that are never given twice in a process.
@usableFromInline
enum Edition {
  private static let last = Atomic(0)

  /// The next number.
  ///
  /// - Complexity: constant; one atomic addition.
  @usableFromInline
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
