@_spi(Host) import AppCore
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("Columns") struct ColumnsTests {
  @Test("Each stays in its cells, and what follows is below the longest")
  func layout() throws {
    var drawn = Drawn(Samples.columns, columns: 100, rows: 24)
    let lines = drawn.lines
    let first = try #require(lines.firstIndex { $0.contains("Row 0") })
    #expect(lines[first].contains("日本"))
    #expect(lines[first].contains("▪ Detail"))
    // 31 cells for each, of which the wide text has 15 graphemes.
    let detail = try #require(lines[first].firstRange(of: "▪ Detail"))
    #expect(DisplayWidth.of(String(lines[first][..<detail.lowerBound])) == 1 + 31 + 2 + 31 + 2)
    let below = try #require(lines.firstIndex { $0.contains("[ Below ]") })
    let last = try #require(lines.firstIndex { $0.contains("Row 4") })
    #expect(below == last + 2)
  }

  @Test("They are side by side where each has 30 cells", arguments: [(96, 1), (95, 3)])
  func narrow(columns: Int, count: Int) {
    var drawn = Drawn(Samples.columns, columns: columns, rows: 40)
    let rows = ["Row 0", "日本", "Detail"].compactMap { text in
      drawn.lines.firstIndex { $0.contains(text) }
    }
    #expect(Set(rows).count == count)
    #expect(rows == rows.sorted())
  }

  @Test("Tab goes through a column, then through the next, and the arrows lead to what is beside")
  func keys() {
    var drawn = Drawn(Samples.columns, columns: 100, rows: 24)
    func focus(_ drawn: inout Drawn) -> String {
      drawn.lines.compactMap { line in
        line.firstRange(of: "› ").map { String(line[$0.upperBound...].prefix(5)) }
      }.joined()
    }
    var seen = [focus(&drawn)]
    for _ in 0..<5 {
      drawn.type(.tab)
      seen.append(focus(&drawn))
    }
    #expect(seen == ["Row 0", "[ One", "[ Two", "Name:", "[ Bel", "Row 0"])
    drawn.type(.down, .down, .right)
    #expect(focus(&drawn) == "[ One")
    drawn.type(.right)
    #expect(focus(&drawn) == "Name:")
    drawn.type(.right)
    #expect(focus(&drawn) == "Name:")
    drawn.type(.left, .left)
    #expect(focus(&drawn) == "Row 2")
    drawn.type(.left)
    #expect(focus(&drawn) == "Row 2")
    // Below one another there is nothing beside.
    drawn.resize(columns: 60, rows: 24)
    drawn.type(.right)
    #expect(focus(&drawn) == "Row 2")
  }

  @Test("A click uses what is in its column")
  func clicks() throws {
    var drawn = Drawn(Samples.columns, columns: 100, rows: 24)
    let row = try #require(drawn.lines.firstIndex { $0.contains("[ One ]") })
    func click(_ column: Int) -> [String] {
      drawn.type(.pointer(.init(.press, row: row, column: column)))
    }
    #expect(click(40) == ["@one"])
    // The row beside it, chosen and then opened.
    #expect(click(5) == [])
    #expect(click(0) == ["@row-2"])
    // Nothing is between the columns.
    #expect(click(33) == [])
    #expect(drawn.focused?.hasPrefix("Row 2") == true)
  }

  @Test("A field in a column is edited in its own cells")
  func field() throws {
    var drawn = Drawn(Samples.columns, columns: 100, rows: 24)
    drawn.type(.tab, .tab, .tab, .enter)
    drawn.type(String(repeating: "長", count: 40))
    let picture = drawn.view.picture()
    let cursor = try #require(picture.cursor)
    #expect((68..<100).contains(cursor.column))
    let line = try #require(drawn.lines.first { $0.contains("Name:") })
    #expect(line.contains("[") && line.contains("]"))
    #expect(DisplayWidth.of(line) <= 98)
    #expect(drawn.type(.enter).count == 1)
  }

  @Test("Long columns scroll together, and what is in view is drawn only")
  func scrolling() {
    let counter = RowCounter()
    let screen = screen("Long") { screen in
      screen.columns { columns in
        columns.column { $0.rows(0..<1_000_000, id: "left", counter: counter) }
        columns.column { screen in
          for index in 0..<500 { screen.text("Text \(index)") }
          screen.button("End", id: "end", action: .tapped("end"))
        }
      }
    }
    var drawn = Drawn(screen)
    #expect(drawn.lines.contains { $0.contains("Row 3") && $0.contains("Text 3") })
    drawn.type(.tab)
    #expect(drawn.lines.contains { $0.contains("Row 500") && $0.contains("[ End ]") })
    drawn.type(.left, .end)
    #expect(drawn.lines.contains { $0.contains("Row 999999") })
    #expect(!drawn.lines.contains { $0.contains("Text") })
    #expect(counter.count < 2_000)
  }

  @Test("Columns in columns, in sections, empty ones, and none at all")
  func nesting() {
    let nested = screen("Nested") { screen in
      screen.columns { _ in }
      screen.columns { columns in
        columns.column { _ in }
        columns.column { $0.text("Beside nothing") }
      }
      screen.section("Section") { screen in
        screen.columns { columns in
          columns.column { screen in
            screen.columns { columns in
              for index in 0..<2 { columns.column { $0.text("Inner \(index)") } }
            }
            screen.text("Under both")
          }
          columns.column { $0.text("Outer") }
        }
      }
    }
    var wide = Drawn(nested, columns: 200, rows: 30)
    #expect(
      wide.lines.contains {
        $0.contains("Inner 0") && $0.contains("Inner 1") && $0.contains("Outer")
      })
    var drawn = Drawn(nested, columns: 80, rows: 30)
    #expect(drawn.lines.contains { $0.contains("Inner 0") && $0.contains("Outer") })
    #expect(!drawn.lines.contains { $0.contains("Inner 0") && $0.contains("Inner 1") })
    var session = ShellSession()
    let texts = session.frame(nested).map { $0.trimmingPrefix { $0 == " " } }.filter { !$0.isEmpty }
    #expect(
      texts.dropFirst() == [
        "Beside nothing", "▪ Section", "Inner 0", "Inner 1", "Under both", "Outer",
      ])
    let none = screen("None") { $0.columns { columns in columns.column { _ in } } }
    var empty = Drawn(none)
    #expect(empty.lines.contains { $0.contains("(nothing here)") })
    #expect(session.frame(none).contains("(nothing here)"))
  }

  @Test("Columns nested 5,000 deep are drawn, and so is a screen of too many")
  func depth() {
    var elements: [ScreenElement] = [.text("Innermost", .plain)]
    for _ in 0..<5_000 { elements = [.columns([elements, []])] }
    var content = ScreenContent(title: "Deep")
    content.elements = elements
    let deep = ShellScreen(content, owner: "1")
    var drawn = Drawn(deep)
    _ = drawn.lines
    var session = ShellSession(SessionSettings(format: .json))
    #expect(session.frame(deep).count == 1)
    content.elements = [
      .columns((0..<30_000).map { [.text("Text \($0)", .plain)] }), .text("After", .plain),
    ]
    let many = ShellScreen(content, owner: "1")
    session.settings.format = .text(.plain)
    let lines = session.frame(many)
    #expect(lines.contains("Text 9"))
    #expect(lines.contains { $0.contains("The screen is longer") })
    #expect(lines.count < 50_000)
    _ = Drawn(many)
  }

  @Test("In lines and linear text they are below one another, with a blank line between them")
  func lines() {
    var session = ShellSession()
    let lines = session.frame(Samples.columns)
    #expect(
      lines.dropFirst(2) == [
        "Above", "", "[1] Row 0", "[2] Row 1", "[3] Row 2", "[4] Row 3", "[5] Row 4", "",
        String(repeating: "日本", count: 80), "", "[6] One", "[7] Two", "", "▪ Detail",
        "  [8] Name: Ada", "", "  Owner  Mara Lind", "", "[9] Below",
      ])
    session.settings.format = .text(.linear)
    #expect(
      session.frame(Samples.columns).suffix(8) == [
        "[6] One", "[7] Two", "", "Section: Detail", "[8] Name: Ada", "Owner: Mara Lind", "",
        "[9] Below",
      ])
    session.settings.format = .json
    let json = session.frame(Samples.columns).joined()
    #expect(json.contains(#"{"kind":"columns","elements":[{"kind":"column","elements":[{"#))
    #expect(json.contains(#"]},{"kind":"column","elements":[{"kind":"section","title":"Detail""#))
  }
}
