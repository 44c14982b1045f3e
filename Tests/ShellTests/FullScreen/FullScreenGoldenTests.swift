@_spi(Host) import AppCore
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

/// The pictures in `Golden/full-screen`; each shows a screen at three sizes.
@Suite("Pictures full screen")
struct FullScreenGoldenTests {
  private func expect(
    _ name: String, _ screen: ShellScreen, over opener: ShellScreen? = nil,
    _ keys: [KeyPress.Code] = [], sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var text: [String] = []
    for (columns, rows) in [(20, 5), (80, 24), (200, 60)] {
      var drawn = Drawn(opener ?? screen, columns: columns, rows: rows)
      if opener != nil { drawn.show(screen, over: opener) }
      for key in keys { _ = drawn.press(KeyPress(key)) }
      let lines = drawn.lines
      #expect(lines.count == rows)
      for line in lines { #expect(DisplayWidth.of(line) <= columns, "\(line)") }
      text += ["\(columns) × \(rows)"] + lines.map { "|" + $0 }
    }
    try expectGolden("full-screen/\(name)", text, sourceLocation: sourceLocation)
  }

  @Test("Texts, headings, names and values")
  func texts() throws {
    try expect(
      "texts",
      screen("Texts") { screen in
        screen.text("A paragraph that is longer than a narrow terminal, and is wrapped there.")
        screen.text("Secondary", style: .secondary)
        screen.text("Success", style: .success)
        screen.text("Warning", style: .warning)
        screen.text("Error", style: .error)
        screen.heading("Heading")
        screen.keyValues([KeyValue("Owner", "Mara Lind"), KeyValue("名前", "日本語のテキスト")])
        screen.divider()
        screen.preformatted("let answer = 42\n\tprint(answer)")
      })
  }

  @Test("Charts and progress")
  func charts() throws {
    try expect(
      "charts",
      screen("Charts") { screen in
        screen.progress("Reading", fraction: 0.45)
        screen.progress("Waiting for the network")
        screen.sparkline("Requests", values: [3, 7.5, 4, 12, 9, .nan, 15], unit: "/s")
        screen.bars([Bar("swift", 812), Bar("c", 120.25), Bar("none", 0)], unit: "files")
      })
  }

  @Test("A field with suggestions, of which one is chosen")
  func suggestions() throws {
    try expect(
      "suggestions",
      screen("City") { screen in
        screen.field(
          "City", id: "city", text: "o", suggestions: ["Oslo", "Molde", "Bergen", "絵文字👩‍👩‍👧o"],
          action: { .tapped($0) })
        screen.button("Next", action: .tapped(""))
      }, [.enter, .down, .down])
  }

  @Test("A progress with a button that cancels it")
  func cancellableProgress() throws {
    try expect(
      "progress-cancel",
      screen("Copying") { screen in
        screen.button("Pause", id: "pause", action: .tapped(""))
        screen.progress("Copying", fraction: 0.45, id: "cancel", cancelAction: .tapped(""))
      })
  }

  @Test("Buttons, toggles and choices")
  func buttons() throws {
    try expect(
      "buttons",
      screen("Controls") { screen in
        screen.button("Refresh", id: "refresh", action: .tapped(""))
        screen.button("Delete", isEnabled: false, action: .tapped(""))
        screen.toggle("Only direct ones", isOn: true, action: { .flag($0) })
        screen.toggle(
          "Show hidden", isOn: false, problem: "not with only direct ones", action: { .flag($0) })
        screen.choice(
          "Sort", options: Samples.options, selected: "size", action: { .tapped($0) })
        screen.choice(
          "Year", options: (1950...2030).map { ChoiceOption("\($0)") }, selected: nil,
          action: { .tapped($0) })
      }, [.tab])
  }

  private var fields: ShellScreen {
    screen("Fields") { screen in
      screen.field(
        "Name", id: "name", text: "", placeholder: "type to filter", action: { .tapped($0) })
      screen.field(
        "Version", text: "1.2.x", problem: "no such version", action: { .tapped($0) })
      screen.field(
        "Notes", text: "first line\nsecond line", isMultiline: true, action: { .tapped($0) })
      screen.secretField("Token", id: "token", isSet: true, action: { .secret($0) })
      screen.secretField("Password", isSet: false, action: { .secret($0) })
      screen.numberField("Limit", value: 25, action: { .number($0) })
    }
  }

  @Test("Fields of every kind")
  func fieldKinds() throws { try expect("fields", fields) }

  @Test("A text being typed in a field")
  func typing() throws {
    try expect(
      "typing", fields, [.enter, .scalar("日"), .scalar("b"), .scalar("c"), .left])
  }

  @Test("A text of several lines being typed")
  func typingLines() throws {
    try expect("typing-lines", fields, [.tab, .tab, .enter, .home, .scalar("x"), .enter])
  }

  @Test("A note that is longer than the screen, edited where it is")
  func note() throws {
    let title = "Groceries for the weekend, when the whole family comes, and the neighbors, too"
    let items = (1...30).map { "- item \($0)" }
    try expect(
      "typing-note",
      screen("Groceries") { screen in
        screen.text("Not saved yet", style: .warning)
        screen.field(
          "Text", id: "text", text: ([title] + items).joined(separator: "\n"), isMultiline: true
        ) { .tapped($0) }
        screen.button("Save now", id: "save", action: .tapped("save"))
      }, [.enter, .pageUp, .up, .end, .scalar("!")])
  }

  @Test("A secret being typed is dots")
  func typingSecret() throws {
    try expect("typing-secret", fields, [.tab, .tab, .tab, .enter, .scalar("s"), .scalar("3")])
  }

  @Test("A long list, scrolled to a row")
  func list() throws {
    try expect(
      "list",
      screen("Files") { screen in
        screen.text("431 files")
        screen.list(0..<431, id: "files") { index in
          Row(
            "file-\(index).swift", detail: "\(index * 37) bytes", id: "file-\(index)",
            action: .tapped("\(index)"))
        }
        screen.list([Int](), placeholder: "no other files") { Row("\($0)") }
      }, [.pageDown, .down])
  }

  private var table: ShellScreen {
    screen("Products") { screen in
      screen.table(
        [("swift-nio", "2.65.0", 1204), ("swift-syntax", "600.0.1", 88), ("絵文字👩‍👩‍👧", "1.0", 7)],
        columns: [
          TableColumn("Name"), TableColumn("Version"), TableColumn("Uses", alignment: .trailing),
        ], id: "products"
      ) { row in
        Row(cells: [row.0, row.1, String(row.2)], id: row.0, action: .tapped(row.0))
      }
    }
  }

  @Test("A table")
  func tables() throws { try expect("table", table, [.down]) }

  @Test("A field that filters, and a table that is sorted")
  func sortedTable() throws {
    try expect("table-sorted", Samples.products(sort: TableSort("Version")), [.tab, .down])
    try expect("typing-live", Samples.products(filter: "sw"), [.enter, .scalar("i")])
  }

  @Test("Rows that are selected")
  func selection() throws {
    try expect("selection", Samples.files(selection: ["a", "two words"]), [.down])
  }

  @Test("Columns, side by side where there is room")
  func columns() throws { try expect("columns", Samples.columns, [.down]) }

  @Test("A table that is wider than the terminal, scrolled sideways")
  func wideTable() throws {
    try expect(
      "table-wide",
      screen("Wide") { screen in
        screen.table(
          0..<3, columns: (0..<30).map { TableColumn("Column \($0)") }
        ) { row in Row(cells: (0..<30).map { "cell \(row).\($0)" }, action: .tapped("")) }
      }, [.right, .right])
  }

  @Test("Sections, and everything else on one screen")
  func everything() throws { try expect("everything", Samples.everything) }

  @Test("A dialog in a box over its opener")
  func dialog() throws {
    let dialog = screen(
      "Delete the notes?", owner: "2",
      chrome: Chrome(path: ["products", "confirm"], isModal: true)
    ) { screen in
      screen.text("Three notes are deleted. This can't be undone.")
      screen.button("Delete", id: "delete", action: .tapped("delete"))
      screen.button("Cancel", id: "cancel", action: .tapped("cancel"))
    }
    try expect("dialog", dialog, over: table)
  }

  @Test("The output of a command, a search, a line of the shell and the help")
  func overlays() throws {
    try expect("help", table, [.function(1)])
    try expect("find", table, [.scalar("/"), .scalar("s"), .scalar("y")])
    try expect("command", table, [.scalar(":"), .scalar("l"), .scalar("o")])
  }

  @Test("A problem below a field, tabs, notices and the place of a scroll bar")
  func chrome() throws {
    try expect("chrome", Samples.everything, [.tab, .tab, .function(1), .escape, .end])
  }

  @Test("A picture as SVG has one text for each run of a role, and no markup of the screen's")
  func svg() throws {
    var drawn = Drawn(
      screen("<b>&amp;") { screen in
        screen.text("日本 </text><script>", style: .warning)
        screen.text("]]>")
        screen.field("Name", text: "Ada", action: { .tapped($0) })
      }, columns: 30, rows: 8)
    drawn.type(.enter)
    try expectGolden(
      "full-screen/svg", drawn.view.picture().svg.split(separator: "\n").map(String.init))
  }

  @Test("Without UTF-8 there is only ASCII")
  func ascii() {
    var drawn = Drawn(Samples.everything)
    let text = drawn.view.picture().text(after: nil, Palette(hasColor: false, hasUnicode: false))
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.contains("Package details"))
  }

  @Test("Roles are colors, and without colors weights")
  func roles() {
    let color = Palette(hasColor: true)
    let plain = Palette(hasColor: false)
    #expect(color.code(.error) == "31")
    #expect(plain.code(.error) == "1;4")
    #expect(plain.code(.warning) == "1")
    #expect(color.code(.focus) == "7" && plain.code(.focus) == "7")
  }
}
