@_spi(Host) internal import AppCore
internal import Diagnostics

/// Which page of each list shows.
struct Paging: Sendable {
  /// How many rows a page has.
  ///
  /// With another size each list shows the page that holds the row it began with before.
  var pageSize: Int {
    didSet { pageSize = max(pageSize, 1) }
  }
  /// A row that shows, for lists that aren't at their first page.
  private var offsets: [ListKey: Int] = [:]
  /// The list that was paged last.
  private var active: ListKey?
  private var found: (key: ListKey, position: Int)?
  /// The lists by the time they left their first page, for forgetting.
  private var order: [ListKey] = []
  private static let memory = 1024

  init(pageSize: Int) { self.pageSize = max(pageSize, 1) }

  /// The lists that aren't at their first page, each with a row that shows.
  var places: [(key: ListKey, offset: Int)] {
    order.compactMap { key in offsets[key].map { (key, $0) } }.filter { $0.offset > 0 }
  }

  /// Shows the page of a list that holds a row.
  mutating func restore(_ key: ListKey, offset: Int) {
    if offset > 0 { show(key, offset: offset) }
  }

  /// The positions that show; a list that has shrunk shows its last page.
  func page(of list: RowList) -> Range<Int> {
    let count = max(list.count, 0)
    let start = min((offsets[list.key] ?? 0) / pageSize * pageSize, lastOffset(count))
    return start..<min(start + pageSize, count)
  }

  func isFound(_ key: ListKey, _ position: Int) -> Bool {
    found.map { $0.key == key && $0.position == position } ?? false
  }

  /// The list that `:page` and `:next` mean: the one paged last, else the first with more pages.
  func focus(in lists: [RowList]) -> ListKey? {
    let paged = lists.filter { $0.count > pageSize }
    return (paged.first { $0.key == active } ?? paged.first)?.key
  }

  /// Shows the next or previous page of the list in focus, or of the nearest one after or before it
  /// that has one.
  mutating func turn(forward: Bool, in lists: [RowList]) throws(Rejection) {
    let paged = lists.filter { $0.count > pageSize }
    guard let focus = paged.firstIndex(where: { $0.key == self.focus(in: lists) }) else {
      throw .nothingToPage
    }
    let candidates = forward ? Array(paged[focus...]) : paged[...focus].reversed()
    for list in candidates {
      let start = page(of: list).lowerBound
      let target = forward ? start + pageSize : start - pageSize
      guard (0..<list.count).contains(target) else { continue }
      show(list.key, offset: target)
      return
    }
    throw .noMorePages(forward: forward)
  }

  /// Shows page `number`, from 1, of the list in focus.
  mutating func show(page number: Int, in lists: [RowList]) throws(Rejection) {
    guard let key = focus(in: lists), let list = lists.first(where: { $0.key == key }) else {
      throw .nothingToPage
    }
    let last = lastOffset(list.count) / pageSize + 1
    guard (1...last).contains(number) else { throw .noSuchPage(number, last: last) }
    show(key, offset: (number - 1) * pageSize)
  }

  /// Shows the page with the next row that holds `text`, ignoring case: after the row found last, if
  /// that one still shows, else from the beginning of the first list.
  ///
  /// - Complexity: linear in the rows that are looked at.
  mutating func find(_ text: String, in lists: [RowList]) throws(Rejection) {
    guard !lists.isEmpty else { throw .nothingToPage }
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
      for position in from..<max(to, from) where list.row(position).holds(wanted) {
        found = (list.key, position)
        show(list.key, offset: position)
        return
      }
    }
    throw .notFound(text)
  }

  private func lastOffset(_ count: Int) -> Int { max(count - 1, 0) / pageSize * pageSize }

  private mutating func show(_ key: ListKey, offset: Int) {
    active = key
    if offsets.updateValue(offset, forKey: key) == nil { order.append(key) }
    if order.count > Self.memory {
      for key in order.prefix(Self.memory / 2) where key != active { offsets[key] = nil }
      order.removeFirst(Self.memory / 2)
    }
  }
}

extension RowContent {
  /// Whether a cell holds the text, given in lower case.
  fileprivate func holds(_ wanted: [UInt8]) -> Bool {
    cells.contains { SubstringSearch.contains(Array($0.lowercased().utf8), wanted) }
  }
}

/// A list or a table: rows that are made when they are looked at.
struct RowList {
  let key: ListKey
  let index: Int
  let id: String?
  /// `nil` for a list.
  let columns: [TableColumn]?
  let count: Int
  let placeholder: String?
  let row: (Int) -> RowContent
}

/// Which list of which screen; stays the same while the screen's state changes.
struct ListKey: Hashable, Sendable {
  enum Name: Hashable, Sendable {
    case id(String)
    /// The how-manieth list without an identifier, from 0.
    case ordinal(Int)
  }

  let owner: String
  let name: Name
}
