internal import Navigation

/// Tells when files that change have come to rest.
///
/// Editors and linkers save in several steps: they cut a file and write it, or write another one and
/// rename it. What is half written is nobody's business: a change is due when every file of its
/// subject has been closed and nothing has happened for a while.
struct ChangeTracker {
  /// How long nothing happens before a change is due, in milliseconds.
  static let quiet = 80
  /// How long a file may stay open without anything being written, in milliseconds: whoever opened
  /// it may never close it.
  static let patience = 5000

  private struct Change {
    var last: Int
    /// The files that are being written.
    var open: Set<String> = []
  }
  private var changes: [String: Change] = [:]

  /// Takes note of something that happened to a file.
  ///
  /// - Parameters:
  ///   - subject: what the file belongs to.
  ///   - file: the file; `nil` for the subject as a whole.
  ///   - isOpen: whether it is being written.
  ///   - now: the time, in milliseconds.
  mutating func note(_ subject: String, file: String? = nil, isOpen: Bool = false, now: Int) {
    changes[subject, default: Change(last: now)].last = now
    guard let file else { return }
    if isOpen { changes[subject]?.open.insert(file) } else { changes[subject]?.open.remove(file) }
  }

  /// The subjects whose changes are due, sorted; they are forgotten.
  mutating func due(now: Int) -> [String] {
    let due = changes.filter { now >= Self.end(of: $0.value) }.keys.sorted()
    for subject in due { changes[subject] = nil }
    return due
  }

  /// How long until something may be due, in milliseconds; `nil` where nothing waits.
  func wait(now: Int) -> Int? {
    changes.values.map { max(0, Self.end(of: $0) - now) }.min()
  }

  private static func end(of change: Change) -> Int {
    change.last + (change.open.isEmpty ? quiet : patience)
  }
}
