extension TerminalModel {
  /// A picture of the terminal in SVG, up to the last row that is not blank, with the cursor.
  package func picture(title: String) -> String {
    let (cellWidth, rowHeight, margin) = (8.4, 18.0, 16.0)
    let shown = text.split(separator: "\n", omittingEmptySubsequences: false).count
    let width = Double(columns) * cellWidth + 2 * margin
    let top = margin + 24
    let height = top + Double(max(shown, cursor.row + 1)) * rowHeight + margin
    var svg = """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Self.number(width)) \(Self.number(height))" \
      role="img" font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" \
      font-size="14">
      <title>\(Self.escaped(title))</title>
      <rect width="100%" height="100%" rx="8" fill="#1d2430"/>
      <circle cx="20" cy="18" r="5" fill="#e06c75"/>
      <circle cx="38" cy="18" r="5" fill="#e5c07b"/>
      <circle cx="56" cy="18" r="5" fill="#98c379"/>

      """
    func place(_ row: Int, _ column: Int) -> (x: String, y: String) {
      (
        Self.number(margin + Double(column) * cellWidth),
        Self.number(top + (Double(row) + 0.75) * rowHeight)
      )
    }
    for row in 0..<shown {
      for span in spans(of: row) where span.text.contains(where: { $0 != " " }) {
        let (x, y) = place(row, span.column)
        let length = Self.number(Double(span.text.count) * cellWidth)
        svg += """
          <text x="\(x)" y="\(y)" textLength="\(length)" xml:space="preserve"\
          \(Self.style(span.attributes))>\(Self.escaped(span.text))</text>

          """
      }
    }
    let (x, _) = place(cursor.row, cursor.column)
    svg += """
      <rect x="\(x)" y="\(Self.number(top + Double(cursor.row) * rowHeight + 1))" \
      width="\(Self.number(cellWidth))" height="\(Self.number(rowHeight - 2))" fill="#d7dae0" \
      fill-opacity="0.6"/>
      </svg>

      """
    return svg
  }

  private static func style(_ attributes: String) -> String {
    var color = "#d7dae0"
    var isBold = false
    for code in attributes.split(separator: ";") {
      switch code {
      case "1": (isBold, color) = (true, "#ffffff")
      case "2", "90": color = "#7f8796"
      case "31", "91": color = "#e06c75"
      case "32", "92": color = "#98c379"
      case "33", "93": color = "#e5c07b"
      case "34", "94": color = "#61afef"
      case "35", "95": color = "#c678dd"
      case "36", "96": color = "#56b6c2"
      default: break
      }
    }
    return " fill=\"\(color)\"" + (isBold ? " font-weight=\"bold\"" : "")
  }

  /// A number with at most one decimal.
  private static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
