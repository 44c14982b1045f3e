@_spi(Host) package import AppCore
internal import Support

// What `:sort` and the keys of full screen do to a table.
extension RowList {
  /// The titles of the columns by which the rows can be sorted.
  package var sortTitles: [String] {
    isSortable ? (columns ?? []).map(\.title).filter { !$0.isEmpty } : []
  }

  /// Sorts the rows by a column, or if they are sorted by it, in the other direction.
  package func sorting(by column: String) -> Activation {
    let isDescending = sort.map { $0.column == column && !$0.isDescending } ?? false
    let table = id.map { Scanner.line(identifier: $0) + " " } ?? ""
    return Activation(
      control: index, input: .sort(TableSort(column, isDescending: isDescending)),
      label: ":sort " + table + Self.written(column), isSecret: false,
      identity: ControlIdentity(
        owner: key.owner, kind: .row(key),
        name: id.map(ControlIdentity.Name.id) ?? .row(position: -1, cells: [])))
  }

  /// A column's title as a line gives it: in quotes unless it is words.
  static func written(_ title: String) -> String {
    let isPlain = title.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
        || (0x61...0x7a).contains(byte) || byte == 0x20
    }
    return isPlain && title.first != " " && title.last != " " ? title : JSONTree.quote(title)
  }
}

extension ControlIndex {
  /// The activation for `:sort` and what follows it: a column's title, after the table's identifier
  /// if several tables have such a column.
  func sorting(_ written: String) throws(Rejection) -> Activation {
    var tables = lists.filter { !$0.sortTitles.isEmpty }
    var column = written
    // A title may begin with '@', too.
    if written.first == "@", !tables.contains(where: { $0.sortTitles.contains(written) }),
      case .identifier(let id, let value) = try LineParser().parse(written)
    {
      guard case .text(let title)? = value else {
        throw Rejection(
          .argumentMissing, "':sort' needs a column after the table: write ':sort @ID COLUMN'")
      }
      tables = tables.filter { $0.id == id }
      column = title
    }
    let wanted = FoldedLabel(column)
    for table in tables {
      let titles = table.sortTitles
      if let title = titles.first(where: { $0 == column }) ?? titles.first(where: wanted.matches) {
        return table.sorting(by: title)
      }
    }
    let titles = tables.flatMap(\.sortTitles)
    guard !titles.isEmpty else {
      throw Rejection(
        .noSuchColumn,
        written == column
          ? "no table on this screen can be sorted"
          : "no table that can be sorted has that identifier")
    }
    throw Rejection(
      .noSuchColumn,
      "no column is called '\(column.quoted)'"
        + (NearestName.meant(by: column, among: titles).map { "; did you mean '\($0.quoted)'?" }
          ?? "; there are \(Rejection.list(titles.map { "'\($0.quoted)'" }))"))
  }
}

extension [TableColumn] {
  /// The titles, safe to print, of which the one that the rows are sorted by has a mark.
  package func titles(sort: TableSort?) -> [String] {
    let sorted = sort.flatMap { sort in firstIndex { $0.title == sort.column } }
    return enumerated().map { index, column in
      SafeText.line(column.title)
        + (index == sorted ? sort?.isDescending == true ? " ▼" : " ▲" : "")
    }
  }
}
