internal import Support

extension Picture {
  /// The picture as an SVG document, with the colors of a common terminal.
  ///
  /// Whatever font is there, each run of characters has the width of its cells.
  package var svg: String {
    let (columns, rows) = (grid.size.columns, grid.size.rows)
    var lines = [
      Self.element + "\(columns * 10 + 20) \(rows * 20 + 20)\">",
      "<style>", Self.style + themeStyle, "</style>", #"<rect width="100%" height="100%" rx="6"/>"#,
    ]
    for row in 0..<rows {
      for run in runs(of: row) { lines += Self.elements(of: run, row: row) }
    }
    if let cursor {
      lines.append(
        #"<rect class="cursor" x="\#(cursor.column * 10 + 10)" y="\#(cursor.row * 20 + 10)""#
          + #" width="10" height="20"/>"#)
    }
    return (lines + ["</svg>", ""]).joined(separator: "\n")
  }

  /// Whether a file that begins with these bytes is a picture of this program.
  package static func isPicture(_ start: [UInt8]) -> Bool {
    let text = String(decoding: start, as: UTF8.self)
    return text.hasPrefix(Self.element) && text.contains("\n<style>\nrect {")
  }

  private static let element = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 "#

  private typealias Run = (text: String, role: Role, columns: Range<Int>)

  /// The runs of cells of one role, without those that show nothing.
  private func runs(of row: Int) -> [Run] {
    var runs: [Run] = []
    for (column, cell) in grid.row(row).enumerated() {
      if let last = runs.last, last.role == cell.role {
        runs[runs.count - 1].text += cell.text
        runs[runs.count - 1].columns = last.columns.lowerBound..<column + 1
      } else {
        runs.append((cell.text, cell.role, column..<column + 1))
      }
    }
    return runs.compactMap { run in
      if run.role == .focus { return run }
      let text = run.text.drop { $0 == " " }
      let start = run.columns.lowerBound + run.text.count - text.count
      let blanks = text.reversed().prefix { $0 == " " }.count
      let end = run.columns.upperBound - blanks
      return start < end ? (String(text.dropLast(blanks)), run.role, start..<end) : nil
    }
  }

  private static func elements(of run: Run, row: Int) -> [String] {
    let (x, y) = (run.columns.lowerBound * 10 + 10, row * 20 + 10)
    let width = run.columns.count * 10
    return
      (run.role == .focus
      ? [#"<rect class="focus" x="\#(x)" y="\#(y)" width="\#(width)" height="20"/>"#] : [])
      + [
        #"<text class="\#(run.role)" x="\#(x)" y="\#(y + 15)" textLength="\#(width)""#
          + #" xml:space="preserve">\#(MarkupText.escaped(run.text))</text>"#
      ]
  }

  private static let style = """
    rect { fill: #1d2021 }
    rect.focus { fill: #d5c4a1 }
    rect.cursor { fill: none; stroke: #d5c4a1 }
    text { font: 16px monospace; fill: #d5c4a1 }
    .strong, .number, .accent { font-weight: bold; fill: #fbf1c7 }
    .dim, .disabled, .border { fill: #928374 }
    .success { fill: #b8bb26 }
    .warning { fill: #d3869b }
    .error { fill: #fb4934 }
    .selection { text-decoration: underline }
    text.focus { fill: #1d2021 }
    """

  /// The colors of the theme, which replace those of above.
  private var themeStyle: String {
    theme.colors.map { role, color in
      let name = role == .focus ? "rect.focus" : ".\(role)"
      return "\n\(name) { fill: \(Self.color(color)) }"
    }.sorted().joined()
  }

  private static func color(_ color: TerminalColor) -> String {
    switch color {
    case .named(let index): colors[index]
    case .rgb(let red, let green, let blue):
      "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  /// The 16 colors of that terminal.
  private static let colors = [
    "#282828", "#fb4934", "#b8bb26", "#fabd2f", "#83a598", "#d3869b", "#8ec07c", "#d5c4a1",
    "#928374", "#ff6e5e", "#d0d34b", "#ffd75f", "#a7c7bb", "#e6a8bb", "#aad9a0", "#fbf1c7",
  ]
}
