/// A reducer in two halves, with another one's work between them: what it does before a child, and
/// what it does after.
///
/// Children are nested without end. A call for each level would take of the stack what a thread has
/// of it, and return through more calls than a processor foretells, some sixteen: so a loop goes down
/// and up again, and notes what there is left to do at each level.
///
/// Nothing here depends on the types of states and actions. What does is a function of pointers that
/// is made where the types are known.
@usableFromInline
package class Descent {
  /// Whether the second half is to be done even where the child has no effect.
  final let leavesAlways: Bool
  /// How much it notes at a level, in bytes, a multiple of eight.
  final let noteSize: Int

  /// - Parameters:
  ///   - note: what it notes at a level.
  ///   - leavesAlways: whether the second half is to be done even where the child has no effect.
  init<Note>(noting note: Note.Type, leavesAlways: Bool) {
    noteSize = MemoryLayout<Note>.size == 0 ? 0 : MemoryLayout<Note>.stride
    self.leavesAlways = leavesAlways
  }

  /// Does the first half, and says in `run` who goes on.
  func enter(_ run: inout DescentRun) { run.next = nil }

  /// Does the second half.
  ///
  /// - Parameters:
  ///   - note: where it made its note.
  ///   - run: has the effect of the child, and then this reducer's.
  func leave(_ note: UnsafeMutableRawPointer, _ run: inout DescentRun) {}
}
