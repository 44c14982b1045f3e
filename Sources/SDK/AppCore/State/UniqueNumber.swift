internal import Synchronization

/// Numbers that are unique within the process.
@usableFromInline
enum UniqueNumber {
  private static let last = Atomic(0)

  /// The next number.
  ///
  /// - Complexity: O(1); one atomic addition.
  @usableFromInline
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
