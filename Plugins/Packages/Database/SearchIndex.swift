/// Copies of all names and summaries for searching, contiguous and with ASCII case folded.
///
/// In the file they are far apart: searching there would cost a cache miss for each package.
struct SearchIndex: Sendable {
  private let names: SearchColumn
  private let summaries: SearchColumn

  init(_ records: [StanzaRecord], names table: NameTable, bytes: [UInt8]) {
    var names = SearchColumn(rows: records.count)
    var summaries = SearchColumn(rows: records.count)
    bytes.withUnsafeBufferPointer { bytes in
      for record in records {
        table.withName(record.name) { names.append($0) }
        summaries.append(bytes.slice(record.summaryRange))
      }
    }
    names.fold()
    summaries.fold()
    self.names = names
    self.summaries = summaries
  }

  /// The packages whose name contains a text, then those whose summary alone does; both ascending.
  ///
  /// - Complexity: O(*n*), where *n* is the size of all names and summaries in bytes.
  func matches(_ text: String) -> [Int32] {
    let needle = text.utf8.map(\.folded)
    var found = names.rows(containing: needle)
    var rest = found[...]
    for package in summaries.rows(containing: needle) {
      while let first = rest.first, first < package { rest.removeFirst() }
      if rest.first != package { found.append(package) }
    }
    return found
  }
}
