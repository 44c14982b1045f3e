internal import AppCore

extension ShellSession {
  /// The rows that a page has at least, however small the window.
  private static let shortestPage = 5
  /// The rows below a screen: the line that is typed, and one that may be said above it.
  private static let rowsBelow = 2

  /// Makes the pages of lists as long as the window allows with all of the screen in view.
  ///
  /// - Complexity: a screen that fits as the one before is drawn twice, another one some five times;
  ///   rows of other pages are not made.
  mutating func fitPages(of screen: ShellScreen, into rows: Int) {
    let lists = ControlIndex(screen.content, owner: screen.owner).lists
    guard let longest = lists.map(\.count).max(), longest > Self.shortestPage else { return }
    let room = rows - Self.rowsBelow
    func fits(_ size: Int) -> Bool {
      var paging = paging
      paging.pageSize = size
      let placement = Placement(screen.content, owner: screen.owner, paging: paging)
      return TerminalRows.of(lines(of: placement, screen), columns: settings.width).count <= room
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
}
