/// A stanza's range in the file, and the fields that lists, lookups and sorting need immediately.
struct StanzaRecord: Sendable {
  /// The offset of the stanza's first byte.
  var start: UInt32
  /// The offset of the end of its last line.
  var end: UInt32 = 0
  /// The line of its first field, counted from 1.
  var line: UInt32
  /// The offset of the value of `Package`, which ends on the same line.
  var nameStart: UInt32 = 0
  var nameLength: UInt32 = 0
  /// The offset of the first line of `Description`.
  var summaryStart: UInt32 = 0
  var summaryLength: UInt32 = 0
  /// The package's number in the table of names; -1 until `Package` has been read.
  var name: Int32 = -1
  /// The architecture's number in the table of architectures; 0 if the stanza has none.
  var architecture: Int32 = 0
  var state = PackageState.notInstalled

  var range: Range<Int> { Int(start)..<Int(end) }
  var nameRange: Range<Int> { Int(nameStart)..<Int(nameStart) + Int(nameLength) }
  var summaryRange: Range<Int> { Int(summaryStart)..<Int(summaryStart) + Int(summaryLength) }
}
