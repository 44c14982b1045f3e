/// What is kept of one stanza: where it is, and what lists, lookups and sorting need at once.
struct StanzaRecord: Sendable {
  /// Where the stanza begins.
  var start: UInt32
  /// Where its last line ends.
  var end: UInt32 = 0
  /// The line of its first field, counted from 1.
  var line: UInt32
  /// Where the value of `Package` begins; it ends within the same line.
  var nameStart: UInt32 = 0
  var nameLength: UInt32 = 0
  /// Where the first line of `Description` begins.
  var summaryStart: UInt32 = 0
  var summaryLength: UInt32 = 0
  /// The package's number in the table of names; -1 until `Package` was read.
  var name: Int32 = -1
  /// The architecture's number in its table; number 0 is the empty one.
  var architecture: Int32 = 0
  var state = PackageState.notInstalled

  var range: Range<Int> { Int(start)..<Int(end) }
  var nameRange: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameLength) }
  var summaryRange: Range<Int> { Int(summaryStart)..<Int(summaryStart) + Int(summaryLength) }
}
