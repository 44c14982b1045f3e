/// For each stanza, in the file's order, the numbers of the names that it mentions.
///
/// It lives only while a file is parsed; ``NameIndex`` turns it round.
struct EdgeList {
  private(set) var names: [Int32] = []
  private(set) var ends: [UInt32] = []

  /// Adds a name to the stanza that is being read.
  mutating func append(_ name: Int32) { names.append(name) }

  /// Ends the stanza that is being read.
  ///
  /// - Parameter keeping: whether what it mentions counts.
  mutating func closeRow(keeping: Bool = true) {
    if !keeping { names.removeLast(names.count - Int(ends.last ?? 0)) }
    ends.append(UInt32(truncatingIfNeeded: names.count))
  }

  /// The names that a stanza mentions.
  subscript(stanza: Int) -> ArraySlice<Int32> {
    names[(stanza == 0 ? 0 : Int(ends[stanza - 1]))..<Int(ends[stanza])]
  }
}
