internal import AppCore
internal import Support

extension ShellSession {
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
