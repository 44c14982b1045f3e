internal import Navigation

/// Determines when changed files are complete (debouncing).
///
/// Editors and linkers save in several steps: they truncate a file and write it, or write another
/// one and rename it. So a change of a subject is due when all of its files have been closed and
/// nothing has happened to them for ``quiet`` milliseconds.
struct ChangeTracker {
  /// How long nothing must happen before a change is due, in milliseconds.
  static let quiet = 80
  /// The same while a file is still open, in milliseconds: its writer may never close it.
  static let timeout = 5000

  private struct Change {
    var last: Int
    /// The files that are being written.
    var open: Set<String> = []
  }
  private var changes: [String: Change] = [:]

  /// Records an event of a file.
  ///
  /// - Parameters:
  ///   - subject: the subject of the file, as in ``FollowedPath/subject``.
  ///   - file: the file; `nil` for the subject as a whole.
  ///   - isOpen: whether it is being written.
  ///   - now: the time, in milliseconds.
  mutating func record(_ subject: String, file: String? = nil, isOpen: Bool = false, now: Int) {
    changes[subject, default: Change(last: now)].last = now
    guard let file else { return }
    if isOpen { changes[subject]?.open.insert(file) } else { changes[subject]?.open.remove(file) }
  }

  /// Removes and returns the subjects whose changes are due, sorted.
  mutating func due(now: Int) -> [String] {
    let due = changes.filter { now >= Self.end(of: $0.value) }.keys.sorted()
    for subject in due { changes[subject] = nil }
    return due
  }

  /// How long until the next change is due, in milliseconds; `nil` if there is none.
  func wait(now: Int) -> Int? {
    changes.values.map { max(0, Self.end(of: $0) - now) }.min()
  }

  private static func end(of change: Change) -> Int {
    change.last + (change.open.isEmpty ? quiet : timeout)
  }
}
