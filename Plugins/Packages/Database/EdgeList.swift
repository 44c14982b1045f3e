/// The numbers of the names that each stanza mentions, in the file's order.
///
/// It is needed only while a file is parsed; ``NameIndex`` inverts it.
struct EdgeList {
  private(set) var names: [Int32] = []
  private(set) var ends: [UInt32] = []

  /// Adds a name to the stanza that is being read.
  mutating func append(_ name: Int32) { names.append(name) }

  /// Ends the stanza that is being read.
  ///
  /// - Parameter keeping: whether the names that it mentions are kept.
  mutating func closeRow(keeping: Bool = true) {
    if !keeping { names.removeLast(names.count - Int(ends.last ?? 0)) }
    ends.append(UInt32(truncatingIfNeeded: names.count))
  }

  /// The names that a stanza mentions.
  subscript(stanza: Int) -> ArraySlice<Int32> {
    names[(stanza == 0 ? 0 : Int(ends[stanza - 1]))..<Int(ends[stanza])]
  }
}
