@_spi(Host) import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite("Tables that are sorted") struct SortTests {
  private func sort(_ line: String, on screen: ShellScreen) -> Intent {
    var session = ShellSession.showing(screen)
    return session.interpret(line, on: screen)
  }

  @Test(
    "A column is found by its title, and the same one again sorts in the other direction",
    arguments: [
      (":sort Version", nil, TableSort("Version")),
      (":sort  uses ", TableSort("Uses"), TableSort("Uses", isDescending: true)),
      (":sort Uses", TableSort("Uses", isDescending: true), TableSort("Uses")),
      (":sort Uses", TableSort("Name", isDescending: true), TableSort("Uses")),
      (":sort Uses", TableSort("Gone"), TableSort("Uses")),
      (#":sort "Uses""#, nil, TableSort("Uses")),
      (":sort @products Name", nil, TableSort("Name")),
      (#":sort @"products" "Name""#, nil, TableSort("Name")),
    ] as [(String, TableSort?, TableSort)])
  func columns(line: String, now: TableSort?, wanted: TableSort) throws {
    let screen = Samples.products(sort: now)
    let activation = try #require(sort(line, on: screen).activation)
    #expect(activation.input == .sort(wanted))
    // The line that is logged does the same.
    let logged = try #require(screen.scriptLine(for: activation))
    #expect(logged == ":sort @products \(wanted.column)")
    #expect(sort(logged, on: screen).input == activation.input)
  }

  @Test(
    "What can't be sorted is refused, with the columns that can",
    arguments: [
      (":sort", "argument-missing", "':sort' needs more: write ':sort COLUMN'"),
      (
        ":sort Size", "no-such-column",
        "no column is called 'Size'; there are 'Name', 'Version', 'Uses'"
      ),
      (":sort Versoin", "no-such-column", "no column is called 'Versoin'; did you mean 'Version'?"),
      (
        ":sort @files Name", "no-such-column",
        "no table that can be sorted has that identifier"
      ),
      (
        ":sort @products", "argument-missing",
        "':sort' needs a column after the table: write ':sort @ID COLUMN'"
      ),
      (
        ":sort \u{202e}\u{1b}[2J", "no-such-column",
        "no column is called '\(SafeText.line("\u{202e}\u{1b}[2J"))'; "
          + "there are 'Name', 'Version', 'Uses'"
      ),
    ])
  func refusals(line: String, code: String, message: String) {
    let intent = sort(line, on: Samples.products())
    #expect(intent.code == code)
    #expect(intent.text == message)
  }

  @Test("A screen without such a table says so")
  func none() {
    let intent = sort(":sort Name", on: Samples.everything)
    #expect(intent.text == "no table on this screen can be sorted")
  }

  @Test(
    "Hostile titles are columns like others",
    arguments: [
      "@x y", "@products Name", "\u{1b}[2J", "a\u{202e}b", "  ", "\"q\"", ":back", "日本", "1",
      String(repeating: "long ", count: 2000),
    ])
  func hostile(title: String) throws {
    let screen = Samples.products(columns: ["", title])
    let list = try #require(ControlIndex(screen).lists.first)
    #expect(list.sortTitles == [title])
    let activation = list.sorting(by: title)
    let line = try #require(screen.scriptLine(for: activation))
    #expect(sort(line, on: screen).input == .sort(TableSort(title)))
    var session = ShellSession(SessionSettings(format: .json))
    #expect(session.frame(screen).count == 1)
  }

  @Test("With several tables the first one with the column is sorted, or the one that is named")
  func several() throws {
    func table(_ screen: inout ScreenBuilder<SampleAction>, _ id: String?, _ titles: [String]) {
      screen.table(
        0..<2, columns: titles.map { TableColumn($0) }, id: id, sort: nil,
        sortAction: { .tapped($0.column) }
      ) { Row(cells: ["\($0)", "x"]) }
    }
    let tables = screen { screen in
      screen.rows(0..<2)
      table(&screen, "a", ["Name", "Size"])
      table(&screen, nil, ["Name", "Date"])
      table(&screen, "a", ["Kind"])
    }
    #expect(sort(":sort Name", on: tables).activation?.control == 1)
    #expect(sort(":sort Date", on: tables).activation?.control == 2)
    #expect(sort(":sort @a Kind", on: tables).activation?.control == 3)
    let index = ControlIndex(tables)
    #expect(tables.scriptLine(for: index.lists[2].sorting(by: "Date")) == ":sort Date")
    // No line sorts the second table by its name.
    #expect(tables.scriptLine(for: index.lists[2].sorting(by: "Name")) == nil)
  }

  @Test("How a table is sorted is in its titles, in linear text and in JSON")
  func forms() {
    let screen = Samples.products(filter: "s", sort: TableSort("Uses", isDescending: true))
    var session = ShellSession()
    #expect(session.frame(screen).contains("    Name          Version  Uses ▼"))
    session.settings.format = .text(.linear)
    #expect(session.frame(screen).contains("Table, 3 rows, sorted by Uses, descending:"))
    session.settings.format = .json
    let json = session.frame(screen).joined()
    #expect(json.contains(#""sort":{"column":"Uses","descending":true}"#))
    #expect(json.contains(#""live":true"#))
    let unsorted = session.frame(Samples.products(sort: TableSort("Gone"))).joined()
    #expect(unsorted.contains(#""sort":{"column":null,"descending":false}"#))
    let others = session.frame(Samples.everything).joined()
    #expect(!others.contains(#""descending""#) && !others.contains(#""live""#))
  }

  @Test("Tab completes the columns")
  func completion() {
    let screen = Samples.products(columns: ["Name", "Größe"])
    let session = ShellSession.showing(screen)
    let lines = session.completions(of: ":sort ", on: screen).completions.map(\.line)
    #expect(lines == [":sort Name", #":sort "Größe""#])
  }
}
