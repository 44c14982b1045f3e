@_spi(Host) package import AppCore
internal import Support

/// The current page of each list.
struct Paging: Sendable {
  /// The number of rows of a page.
  ///
  /// After a change each list shows the page that contains its former first row.
  var pageSize: Int {
    didSet { pageSize = max(pageSize, 1) }
  }
  /// The lists that have been paged, the latest last, each with a row on the current page.
  private(set) var places: [(list: ListKey, offset: Int)] = []
  /// The row that `:find` found last.
  private var found: (key: ListKey, position: Int)?
  /// The maximum number of lists that have been paged; then the older half is forgotten.
  private static let memory = 1024

  init(pageSize: Int) { self.pageSize = max(pageSize, 1) }

  /// The rows of the current page; a list that has become shorter shows its last page.
  func page(of list: RowList) -> Range<Int> {
    let count = max(list.count, 0)
    let offset = places.last { $0.list == list.key }?.offset ?? 0
    let start = min(offset / pageSize * pageSize, lastOffset(count))
    return start..<(start + min(pageSize, count - start))
  }

  /// Whether `:find` found this row last.
  func isFound(_ key: ListKey, _ position: Int) -> Bool {
    found.map { $0.key == key && $0.position == position } ?? false
  }

  /// The list that `:page` and `:next` apply to: the one that was paged last, or else the first one
  /// with several pages.
  func focus(in lists: [RowList]) -> ListKey? {
    let paged = lists.filter { $0.count > pageSize }
    return (paged.first { $0.key == places.last?.list } ?? paged.first)?.key
  }

  /// Shows the next or previous page of the list in focus, or if it has none, of the nearest list
  /// after or before it that has one.
  mutating func turn(forward: Bool, in lists: [RowList]) throws(Rejection) {
    let paged = lists.filter { $0.count > pageSize }
    guard let focus = paged.firstIndex(where: { $0.key == self.focus(in: lists) }) else {
      throw .nothingToPage
    }
    let candidates = forward ? Array(paged[focus...]) : paged[...focus].reversed()
    for list in candidates {
      let start = page(of: list).lowerBound
      guard forward ? list.count - start > pageSize : start >= pageSize else { continue }
      show(list.key, offset: forward ? start + pageSize : start - pageSize)
      return
    }
    throw Rejection(.noMorePages, "this is the \(forward ? "last" : "first") page")
  }

  /// Shows page `number`, from 1, of the list in focus.
  mutating func show(page number: Int, in lists: [RowList]) throws(Rejection) {
    guard let key = focus(in: lists), let list = lists.first(where: { $0.key == key }) else {
      throw .nothingToPage
    }
    let last = lastOffset(list.count) / pageSize + 1
    guard (1...last).contains(number) else {
      throw Rejection(.noSuchPage, "there is no page \(number); pages run from 1 to \(last)")
    }
    show(key, offset: (number - 1) * pageSize)
  }

  /// Shows the page with the next row that contains `text`, ignoring case.
  ///
  /// The search begins after the row that was found last, if that is still on the current page, or
  /// else at the beginning of the first list.
  ///
  /// - Complexity: O(*n*), where *n* is the number of rows that are searched.
  mutating func find(_ text: String, in lists: [RowList]) throws(Rejection) {
    guard !lists.isEmpty else {
      throw Rejection(.nothingToPage, "there is no list on this screen to search")
    }
    let wanted = Array(text.lowercased().utf8)
    var start = (list: 0, position: 0)
    if let found, let list = lists.firstIndex(where: { $0.key == found.key }),
      page(of: lists[list]).contains(found.position)
    {
      start = (list, found.position + 1)
    }
    let turn = lists.indices.map { (start.list + $0) % lists.count } + [start.list]
    for (step, index) in turn.enumerated() {
      let list = lists[index]
      let count = max(list.count, 0)
      let from = step == 0 ? min(start.position, count) : 0
      let to = step == lists.count ? min(start.position, count) : count
      for position in from..<max(to, from)
      where list.row(position).cells.contains(where: { $0.holds(folded: wanted) }) {
        found = (list.key, position)
        show(list.key, offset: position)
        return
      }
    }
    throw Rejection(.notFound, "no row holds '\(text.quoted)'")
  }

  private func lastOffset(_ count: Int) -> Int { max(count - 1, 0) / pageSize * pageSize }

  mutating func show(_ key: ListKey, offset: Int) {
    places.removeAll { $0.list == key }
    places.append((key, offset))
    if places.count > Self.memory { places.removeFirst(Self.memory / 2) }
  }
}

/// A list or a table, whose rows are created on demand.
package struct RowList {
  package let key: ListKey
  let index: Int
  package let id: String?
  /// The columns of a table; `nil` for a list.
  package let columns: [TableColumn]?
  package var count: Int
  package let placeholder: String?
  package let row: (Int) -> RowContent
  package var isSortable = false
  /// The column by which the rows are sorted.
  package var sort: TableSort?
  /// How many rows are selected; `nil` if rows can't be selected.
  package var selectedCount: Int?
}

/// The identity of a list of a screen, which stays the same while the screen's state changes.
package struct ListKey: Hashable, Sendable {
  package let owner: String
  /// The list's identifier; `nil` for a list that is identified by its ``ordinal``.
  package let id: String?
  /// The index among the screen's lists with the same identifier, or without one.
  package let ordinal: Int

  package init(owner: String, id: String?, ordinal: Int) {
    self.owner = owner
    self.id = id
    self.ordinal = ordinal
  }
}

extension ShellSession {
  /// The lists that aren't at their first page, each with the index of a row on its page.
  package var listPositions: [(list: ListKey, offset: Int)] {
    paging.places.filter { $0.offset > 0 }
  }

  package mutating func restore(_ positions: [(list: ListKey, offset: Int)]) {
    for (list, offset) in positions where offset > 0 { paging.show(list, offset: offset) }
  }

  /// The minimum number of rows of a page, however small the window is.
  private static let shortestPage = 5
  /// The number of rows below a screen: one for the line editor, and one for a message above it.
  private static let rowsBelow = 2
  /// The number of rows that are used of a window that is higher.
  private static let tallestWindow = 10_000

  /// Makes the pages of lists as long as possible with the whole screen in the window.
  ///
  /// - Complexity: the screen is rendered twice if the page size does not change, otherwise
  ///   O(log *n*) times, where *n* is the number of rows of the window. Rows of other pages are not
  ///   created.
  mutating func fitPages(of screen: ShellScreen, into rows: Int) {
    let lists = ControlIndex(screen).lists
    guard let longest = lists.map(\.count).max(), longest > Self.shortestPage else { return }
    let room = min(max(rows, Self.rowsBelow), Self.tallestWindow) - Self.rowsBelow
    let (plain, width) = (withoutColor, max(settings.width, 1))
    func fits(_ size: Int) -> Bool {
      var paging = paging
      paging.pageSize = size
      let lines = plain.lines(of: Placement(screen, paging: paging))
      return lines.reduce(0) { $0 + max(1, (DisplayWidth.of($1) - 1) / width + 1) } <= room
    }
    var fitting = Self.shortestPage
    var tooLong = max(room, Self.shortestPage) + 1
    let former = paging.pageSize
    if former > fitting, former < tooLong {
      if fits(former) { fitting = former } else { tooLong = former }
      if fitting == former, former + 1 < tooLong, !fits(former + 1) { tooLong = former + 1 }
    }
    while fitting + 1 < tooLong {
      let middle = (fitting + tooLong) / 2
      if fits(middle) { fitting = middle } else { tooLong = middle }
    }
    paging.pageSize = fitting
  }

  /// The session without colours, whose escape sequences would count as width.
  private var withoutColor: ShellSession {
    guard case .text(let style) = settings.format, !style.isLinear else { return self }
    var plain = self
    plain.settings.format = .text(Style(hasColor: false, drawsBars: style.drawsBars))
    return plain
  }
}
