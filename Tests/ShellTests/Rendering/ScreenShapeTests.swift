@_spi(Host) import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite("Screens of unusual shape") struct ScreenShapeTests {
  private func frame(_ screen: ShellScreen, width: Int = 80) -> [String] {
    var session = ShellSession(SessionSettings(width: width))
    return session.frame(screen)
  }

  @Test("An empty screen says so")
  func empty() {
    #expect(frame(screen { _ in }).last == "(nothing here)")
  }

  @Test("A long path keeps its beginning and its end", arguments: [40, 80])
  func longPath(width: Int) throws {
    let names = ["home"] + (0..<31).map { "level-\(99_969 + $0)" }
    let screen = screen(chrome: Chrome(path: names, depth: 100_000)) { $0.text("deep") }
    let lines = frame(screen, width: width)
    try expectGolden("long-path-\(width)", lines)
    for line in lines { #expect(DisplayWidth.of(line) <= width) }
  }

  @Test("A dialog that is not settled says both")
  func unsettledDialog() throws {
    let chrome = Chrome(path: ["home", "confirm"], isModal: true, isSettled: false)
    let screen = screen("Delete 3 files?", chrome: chrome) { screen in
      screen.button("Delete", id: "delete", action: .tapped("delete"))
      screen.button("Keep", id: "keep", action: .tapped("keep"))
    }
    try expectGolden("dialog", frame(screen))
    var json = ShellSession(ShellSession.json)
    #expect(json.frame(screen)[0].contains(#""modal":true,"notices":[],"settled":false"#))
  }

  @Test("Enormous fields and charts are left out, and the controls after them can be used")
  func enormousControls() {
    let long = String(repeating: "x", count: 1 << 20)
    let screen = screen { screen in
      screen.field("Text", id: "text", text: long, action: { .tapped($0) })
      screen.sparkline("Load", values: Array(repeating: 1, count: 1 << 20))
      screen.bars((0..<100_000).map { Bar("\($0)", 1) })
      screen.button("Last", id: "last", action: .tapped("last"))
    }
    var json = ShellSession(ShellSession.json)
    let frame = json.frame(screen)[0]
    #expect(frame.utf8.count < 10_000)
    #expect(frame.contains("is cut here"))
    #expect(json.interpret("@last", on: screen).activation != nil)
  }

  /// The size of a screen as text, and in JSON.
  private func sizes(_ screen: ShellScreen) -> [Int] {
    [SessionSettings(), ShellSession.json].map { settings in
      var session = ShellSession(settings)
      return session.frame(screen).reduce(0) { $0 + $1.utf8.count }
    }
  }

  @Test("Whatever is printed of an element counts, also what is printed more than once")
  func everythingCounts() {
    let long = String(repeating: "x", count: 1 << 20)
    let screens = [
      screen { $0.bars((0..<1000).map { Bar("\($0)", 1) }, unit: long) },
      screen { $0.button("Press", id: long, action: .tapped("")) },
      screen { $0.choice("Size", options: [], selected: long, action: { .tapped($0) }) },
      screen { $0.list(0..<0, id: long) { Row("\($0)") } },
      screen { $0.list(0..<0, placeholder: long) { Row("\($0)") } },
      screen { $0.table(0..<1, columns: [TableColumn(long)]) { Row(cells: ["\($0)"]) } },
      screen { screen in
        for _ in 0..<1000 { screen.list(0..<100) { Row("\($0)") } }
      },
    ]
    for (index, screen) in screens.enumerated() {
      for size in sizes(screen) { #expect(size < 2 << 20, "screen \(index)") }
      #expect(frame(screen).contains { $0.contains("is cut here") }, "screen \(index)")
    }
  }

  @Test("The cells of a row are cut, and the row can still be chosen")
  func longRows() {
    let long = String(repeating: "x", count: 1 << 20)
    let screen = screen { screen in
      screen.list(0..<20, id: "list") { Row(long, id: "l\($0)", action: .tapped("\($0)")) }
      screen.table(0..<20, columns: [TableColumn("Name")], id: "table") { index in
        Row(cells: Array(repeating: long, count: 10), id: "t\(index)", action: .tapped(""))
      }
      screen.table(0..<20, columns: [TableColumn("Name")], id: "wide") { index in
        Row(cells: Array(repeating: "", count: 100_000), id: "w\(index)", action: .tapped(""))
      }
      screen.list(0..<1, id: "last") { Row("Short", id: "s\($0)", action: .tapped("\($0)")) }
    }
    for size in sizes(screen) { #expect(size < 1 << 20) }
    var session = ShellSession.showing(screen)
    #expect(session.interpret("20", on: screen).input == .row(19))
    #expect(frame(screen).contains { $0.contains("[61] Short") })
  }

  @Test("Controls behind a text without end can be used, and texts behind it are left out")
  func cut() throws {
    let screen = screen { screen in
      screen.button("First", id: "first", action: .tapped("first"))
      screen.text(String(repeating: "words ", count: 200_000))
      screen.text("lost")
      screen.section("More") { screen in
        screen.heading("lost too")
        screen.button("Last", id: "last", action: .tapped("last"))
      }
    }
    let lines = frame(screen)
    #expect(lines.contains { $0.contains("is cut here") })
    #expect(!lines.contains { $0.contains("lost") })
    #expect(lines.contains { $0.contains("More") })
    #expect(lines.last?.contains("Last") == true)
    var session = ShellSession(SessionSettings(width: 80))
    _ = session.frame(screen)
    #expect(session.interpret("@last", on: screen).activation != nil)
    #expect(session.interpret("@first", on: screen).activation != nil)
  }

  @Test("A text follows the title of its section, whatever is above the section")
  func sections() {
    let lines = frame(
      screen { screen in
        for title in ["First", "Second"] {
          screen.section(title) { screen in
            screen.text("A text.")
            screen.button("Press \(title)", action: .tapped(title))
          }
        }
      })
    #expect(
      lines.suffix(7) == [
        "▪ First", "  A text.", "  [1] Press First", "", "▪ Second", "  A text.",
        "  [2] Press Second",
      ])
  }

  @Test("Columns give way to one another, and to lines where there is no room")
  func tables() throws {
    let table = screen("Interfaces") { screen in
      screen.table(
        0..<3,
        columns: [
          TableColumn("Name"), TableColumn("Description"), TableColumn("State"),
          TableColumn("Received", alignment: .trailing), TableColumn("Sent", alignment: .trailing),
          TableColumn("Address"), TableColumn("Owner"),
        ], id: "t"
      ) { index in
        Row(
          cells: [
            "eth\(index)", "The interface that leads to the office in the other town", "up",
            "\(index * 1_234_567)", "\(index * 7)", "2001:db8::\(index)", "Network operations",
          ], id: "\(index)", action: .tapped("\(index)"))
      }
    }
    try expectGolden(
      "tables", [40, 80, 120, 200].flatMap { ["", "\($0) columns:"] + frame(table, width: $0) })
    for width in [20, 40, 60, 80, 120] {
      for line in frame(table, width: width) { #expect(DisplayWidth.of(line) <= width) }
    }
  }

  @Test("Rows with more or fewer cells than columns lose nothing")
  func unevenRows() {
    let lines = frame(
      screen { screen in
        screen.table(
          [["a"], ["b", "c", "d"], []], columns: [TableColumn("One"), TableColumn("Two")]
        ) { Row(cells: $0) }
      })
    #expect(lines.contains { $0.contains("b    c    d") })
  }

  @Test("Sections nested ten thousand deep don't exhaust the stack")
  func deepSections() {
    var content = ScreenContent(title: "Deep")
    var element = ScreenElement.text("bottom", .plain)
    for _ in 0..<10_000 { element = .section(title: "s", elements: [element]) }
    content.elements = [element]
    let lines = frame(ShellScreen(content, owner: "1"))
    #expect(lines.last?.hasSuffix("bottom") == true)
    var json = ShellSession(ShellSession.json)
    #expect(json.frame(ShellScreen(content, owner: "1"))[0].hasSuffix("]}]}]}"))
  }

  @Test("Long values and many options are cut down to what can be read")
  func longValues() throws {
    let long = screen("Long") { screen in
      screen.field(
        "Address", text: String(repeating: "https://example.com/", count: 60),
        action: { .tapped($0) })
      screen.field(
        "Notes", text: (1...50).map { "line \($0)" }.joined(separator: "\n"), isMultiline: true,
        action: { .tapped($0) })
      screen.choice(
        "Country", options: (1...200).map { ChoiceOption("c\($0)", label: "Country \($0)") },
        selected: "c77", action: { .tapped($0) })
      screen.choice("None", options: [], selected: nil, action: { .tapped($0) })
      screen.button(
        "A label so long that it does not fit into forty columns at all", isEnabled: false,
        action: .tapped(""))
      screen.toggle(
        "A toggle so long that it does not fit into forty columns at all", isOn: true,
        action: { .flag($0) })
      screen.list(0..<2) {
        Row("A row that is rather long \($0)", detail: "and a detail that is as long as the row")
      }
    }
    let lines = frame(long, width: 40)
    try expectGolden("long-values-40", lines)
    for line in lines { #expect(DisplayWidth.of(line) <= 40) }
  }

  @Test("The text of a screen can be searched, without secrets and other pages")
  func shows() {
    let everything = Samples.everything
    let session = ShellSession.showing(everything)
    for text in [
      "package details", "Mara Lind", "Name", "Version: 1.2.x", "file-19.swift", "size", "Reading",
      "no such version", "alerts", "products of other packages",
    ] {
      #expect(session.shows(text, on: everything), "\(text)")
    }
    #expect(!session.shows("file-20.swift", on: everything))
    #expect(!session.shows("nowhere", on: everything))
  }
}

@Suite struct TextFrameTests {
  private func frame(
    _ screen: ShellScreen, width: Int, style: Style = .plain
  ) -> [String] {
    var session = ShellSession(SessionSettings(format: .text(style), width: width))
    return session.frame(screen)
  }

  @Test("A screen with everything looks well in columns", arguments: [40, 80, 200])
  func everything(width: Int) throws {
    try expectGolden("everything-\(width)", frame(Samples.everything, width: width))
  }

  @Test("On a terminal there are colours and a bar")
  func terminal() throws {
    let lines = frame(Samples.everything, width: 80, style: .terminal)
    try expectGolden(
      "everything-terminal", lines.map { $0.replacing("\u{1b}", with: "␛") })
  }

  @Test("In plain mode everything is described in words, a line each")
  func linear() throws {
    let lines = frame(Samples.everything, width: 40, style: .linear)
    try expectGolden("everything-linear", lines)
    let drawing = Set("─│┌┐└┘├┤┬┴┼═║█░▁▂▃▄▅▆▇▏▎▍▌▋▊▉●○▶▪✓✗•…\u{1b}")
    for line in lines { #expect(!line.contains { drawing.contains($0) }, "\(line)") }
  }

  @Test("As JSON a screen is one object on one line")
  func json() throws {
    var session = ShellSession(SessionSettings(format: .json))
    let lines = session.frame(Samples.everything)
    #expect(lines.count == 1)
    try expectGolden("everything-json", lines)
  }

  @Test("No line is wider than the screen, at any width", arguments: [24, 33, 40, 57, 80, 132])
  func fits(width: Int) {
    for line in frame(Samples.everything, width: width) {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
  }
}
