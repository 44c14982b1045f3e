internal import AppCore
internal import Support

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
    let (plain, width) = (withoutColor, settings.width)
    func fits(_ size: Int) -> Bool {
      var paging = paging
      paging.pageSize = size
      let placement = Placement(screen.content, owner: screen.owner, paging: paging)
      let taken = plain.lines(of: placement, screen).map { line in
        max(1, (DisplayWidth.of(line) + width - 1) / width)
      }
      return taken.reduce(0, +) <= room
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

  /// The session with screens that can be measured: colours are no part of their width.
  private var withoutColor: ShellSession {
    guard case .text(let style) = settings.format, !style.isLinear else { return self }
    var plain = self
    plain.settings.format = .text(Style(hasColor: false, drawsBars: style.drawsBars))
    return plain
  }
}
