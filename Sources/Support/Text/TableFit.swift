/// Computes the widths of a table's columns.
package struct TableFit {
  /// The width that each column needs.
  private let natural: [Int]
  private let width: Int

  package init(titles: [String], cells: [[String]], width: Int) {
    let natural = titles.indices.map { column in
      let cells = cells.map { column < $0.count ? DisplayWidth.of($0[column]) : 0 }
      return max(DisplayWidth.of(titles[column]), cells.max() ?? 0)
    }
    self.init(natural: natural, width: width)
  }

  /// Fits columns that need these widths.
  package init(natural: [Int], width: Int) {
    self.natural = natural
    self.width = width
  }

  /// A column is not made narrower than this.
  private static let least = 6

  /// The width of each column, two spaces between them; `nil` if they can't all be shown.
  ///
  /// Columns are as wide as their widest cell; if that is too much, the widest columns shrink
  /// first.
  package var widths: [Int]? {
    var widths = natural
    let available = width - 2 * (widths.count - 1)
    guard widths.reduce(0, { $0 + min($1, Self.least) }) <= available else { return nil }
    var excess = widths.reduce(0, +) - available
    while excess > 0 {
      // The widest columns shrink together, down to the next narrower one.
      let top = widths.max() ?? 0
      let widest = widths.indices.filter { widths[$0] == top }
      let below = max(widths.filter { $0 < top }.max() ?? 0, Self.least)
      let step = min(top - below, (excess + widest.count - 1) / widest.count)
      guard step > 0 else { return nil }
      for column in widest where excess > 0 {
        let cut = min(step, excess)
        widths[column] -= cut
        excess -= cut
      }
    }
    return widths
  }
}
