/// Names and summaries once more, side by side and with ASCII case folded, for searching.
///
/// The file itself holds them far apart: running over it would cost a cache miss a package.
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

  /// The packages whose name has the text in it, then those whose summary alone has; both
  /// ascending.
  ///
  /// - Complexity: O(bytes of all names and summaries).
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
