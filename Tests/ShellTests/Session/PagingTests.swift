@_spi(Host) import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite("Pages of long lists") struct PagingTests {
  private func list(_ count: Int, counter: RowCounter? = nil) -> ShellScreen {
    screen { $0.rows(0..<count, id: "rows", counter: counter) }
  }

  /// The labels of the rows that show, and the numbers of the first and last.
  private func shown(_ session: inout ShellSession, _ screen: ShellScreen) -> String {
    let lines = session.frame(screen).filter { $0.contains("] Row") }
    return "\(lines.first?.dropFirst(0) ?? "")|\(lines.last ?? "")|\(lines.count)"
  }

  /// The action of a screen that embeds others.
  private enum ParentAction: FeatureAction { case left(SampleAction), right(SampleAction) }

  @Test("Lists of embedded screens are paged, each for itself, even with the same identifier")
  func embedded() throws {
    func child(_ name: String) -> Screen<SampleAction> {
      Screen(name) { screen in
        screen.list(0..<30, id: "rows") {
          Row("Row \($0)", id: "\(name)-\($0)", action: .tapped("x"))
        }
      }
    }
    let screen = ShellScreen(
      Screen<ParentAction>("Parent") { screen in
        screen.embed(child("a"), /ParentAction.left)
        screen.embed(child("b"), /ParentAction.right)
      }.content, owner: "1")
    var session = ShellSession.showing(screen, SessionSettings(pageSize: 20))
    func pages() -> [String] {
      session.frame(screen).filter { $0.contains(" of 30") }
        .map { String($0.trimmingPrefix(while: { $0 == " " }).prefix { $0 != "·" }) }
    }
    #expect(pages() == ["rows 1–20 of 30 ", "rows 1–20 of 30"])
    #expect(session.interpret(":next", on: screen) == .redraw)
    #expect(pages() == ["rows 21–30 of 30 ", "rows 1–20 of 30"])
    #expect(session.interpret(":next", on: screen) == .redraw)
    #expect(pages() == ["rows 21–30 of 30", "rows 21–30 of 30 "])
    #expect(session.interpret("20", on: screen).input == .row(29))
    #expect(session.interpret("11", on: screen).input == .row(20))
    #expect(session.interpret("11", on: screen).activation?.control == 1)
  }

  @Test("Pages follow one another, and numbers begin at 1 on each")
  func pages() {
    let screen = list(45)
    var session = ShellSession.showing(screen)
    #expect(session.interpret(":next", on: screen) == .redraw)
    #expect(shown(&session, screen) == " [1] Row 20|[20] Row 39|20")
    #expect(session.interpret("1", on: screen).input == .row(20))
    #expect(session.interpret(":next", on: screen) == .redraw)
    #expect(shown(&session, screen) == "[1] Row 40|[5] Row 44|5")
    #expect(session.interpret(":next", on: screen).code == "no-more-pages")
    #expect(session.interpret(":prev", on: screen) == .redraw)
    #expect(session.interpret(":page 1", on: screen) == .redraw)
    #expect(shown(&session, screen) == " [1] Row 0|[20] Row 19|20")
    #expect(session.interpret(":prev", on: screen).text == "this is the first page")
    #expect(session.interpret(":page 0", on: screen).code == "no-such-page")
    #expect(
      session.interpret(":page 4", on: screen).text == "there is no page 4; pages run from 1 to 3")
  }

  @Test("Where nothing has more than one page there is nothing to page", arguments: [0, 1, 20])
  func nothingToPage(count: Int) {
    let screen = list(count)
    var session = ShellSession.showing(screen)
    for line in [":next", ":prev", ":page 1"] {
      #expect(session.interpret(line, on: screen).code == "nothing-to-page")
    }
    #expect(session.interpret(":find x", on: screen).code == "not-found")
    let empty = emptyScreen()
    let refused = session.interpret(":find x", on: empty)
    #expect(refused.code == "nothing-to-page")
    #expect(refused.text == "there is no list on this screen to search")
  }

  @Test("A list may have as many rows as there are integers")
  func longest() {
    let screen = list(.max)
    var session = ShellSession.showing(screen)
    let last = (Int.max - 1) / 20 + 1
    #expect(session.interpret(":page \(last)", on: screen) == .redraw)
    _ = session.frame(screen)
    #expect(session.interpret(":next", on: screen).code == "no-more-pages")
    #expect(session.interpret(":prev", on: screen) == .redraw)
  }

  @Test("A window of any size, known or not, shows a page", arguments: [.min, -1, 0, 1, 20, .max])
  func oddWindows(size: Int) {
    let screen = list(100)
    for settings in [SessionSettings(), ShellSession.json, SessionSettings(format: .text(.linear))]
    {
      for (width, rows) in [(size, 24), (80, size), (size, size)] {
        var session = ShellSession(settings)
        session.settings.width = width
        session.settings.windowRows = rows
        #expect(!session.frame(screen).isEmpty)
        #expect(session.interpret("@nothing", on: screen).code == "no-such-control")
      }
    }
  }

  private func emptyScreen() -> ShellScreen { screen { $0.text("no lists") } }

  @Test("A list that has shrunk shows its last page")
  func shrunk() {
    let long = list(100)
    var session = ShellSession.showing(long)
    _ = session.interpret(":page 5", on: long)
    #expect(shown(&session, list(30)) == " [1] Row 20|[10] Row 29|10")
    #expect(shown(&session, list(0)) == "||0")
    #expect(shown(&session, long) == " [1] Row 80|[20] Row 99|20")
  }

  @Test("Each list keeps its page, also while another screen shows")
  func perList() {
    let one = list(100)
    let two = screen(owner: "2") { $0.rows(0..<100, id: "rows") }
    var session = ShellSession.showing(one)
    _ = session.interpret(":page 3", on: one)
    #expect(shown(&session, two) == " [1] Row 0|[20] Row 19|20")
    #expect(shown(&session, one) == " [1] Row 40|[20] Row 59|20")
  }

  @Test("Of several lists the one paged last moves, and at its end the next one")
  func severalLists() {
    let screen = screen { screen in
      screen.rows(0..<30, id: "a")
      screen.list(0..<3, id: "short") { Row("Short \($0)") }
      screen.rows(100..<130, id: "b")
    }
    var session = ShellSession.showing(screen)
    func firsts() -> [Int] {
      var copy = session
      return copy.frame(screen).filter { $0.contains("[1] Row") || $0.contains("Row 100") }
        .compactMap { Int($0.split(separator: " ").last ?? "") }
    }
    #expect(firsts() == [0, 100])
    #expect(session.interpret(":next", on: screen) == .redraw)
    #expect(firsts() == [20, 100])
    #expect(session.interpret(":next", on: screen) == .redraw)
    #expect(session.frame(screen).contains { $0.contains("rows 21–30 of 30 · :prev") })
    #expect(session.interpret(":next", on: screen).code == "no-more-pages")
    #expect(session.interpret(":prev", on: screen) == .redraw)
    #expect(session.interpret(":prev", on: screen) == .redraw)
    #expect(firsts() == [0, 100])
    #expect(session.interpret(":prev", on: screen).code == "no-more-pages")
  }

  @Test("':find' goes from hit to hit, ignoring case, and round again")
  func find() {
    let screen = list(100)
    var session = ShellSession.showing(screen)
    #expect(session.interpret(":find ROW 7", on: screen) == .redraw)
    #expect(session.interpret(":find row 7", on: screen) == .redraw)
    #expect(shown(&session, screen) == " [1] Row 60|[20] Row 79|20")
    for _ in 0..<9 { #expect(session.interpret(":find row 7", on: screen) == .redraw) }
    #expect(shown(&session, screen) == " [1] Row 60|[20] Row 79|20")
    #expect(session.interpret(":find row 7", on: screen) == .redraw)
    #expect(shown(&session, screen) == " [1] Row 0|[20] Row 19|20")
    #expect(session.interpret(":find row 777", on: screen).text == "no row holds 'row 777'")
  }

  @Test("':find' looks in every list and every cell")
  func findEverywhere() {
    let screen = screen { screen in
      screen.rows(0..<30, id: "a")
      screen.table(0..<50, columns: [TableColumn("N"), TableColumn("Name")], id: "t") { index in
        Row(
          cells: ["\(index)", index == 45 ? "Needle" : "hay"], id: "t\(index)", action: .tapped(""))
      }
    }
    var session = ShellSession.showing(screen)
    #expect(session.interpret(":find needle", on: screen) == .redraw)
    #expect(session.frame(screen).contains { $0.contains("Needle") })
    #expect(session.interpret(":find needle", on: screen) == .redraw)
  }

  @Test("A list of 100,000 rows makes only the rows of one page, in text and as JSON")
  func laziness() {
    let counter = RowCounter()
    let screen = list(100_000, counter: counter)
    var text = ShellSession(SessionSettings())
    #expect(text.frame(screen).last?.contains("rows 1–20 of 100000") == true)
    #expect(counter.count == 20)
    var json = ShellSession(ShellSession.json)
    _ = json.frame(screen)
    #expect(counter.count == 40)
    _ = text.interpret(":page 4000", on: screen)
    _ = text.interpret(":next", on: screen)
    _ = text.frame(screen)
    #expect(counter.count == 60)
    #expect(text.interpret(":press 3", on: screen).input == .row(80_002))
    #expect(counter.count == 61)
    #expect(text.interpret(":find row 80030", on: screen) == .redraw)
    #expect(counter.count < 61 + 80_032)
  }

  @Test("Paging forgets old lists and not the one in front")
  func memory() {
    var session = ShellSession()
    for owner in 0..<3000 {
      let screen = screen(owner: "\(owner)") { $0.rows(0..<100, id: "rows") }
      #expect(session.interpret(":page 2", on: screen) == .redraw)
      if owner == 2999 { #expect(shown(&session, screen) == " [1] Row 20|[20] Row 39|20") }
    }
  }

  @Test("With another page size the page shows that holds the row it began with")
  func pageSize() {
    let screen = list(100)
    var session = ShellSession.showing(screen)
    _ = session.interpret(":page 3", on: screen)
    session.settings.width = 60
    #expect(shown(&session, screen) == " [1] Row 40|[20] Row 59|20")
    session.settings.pageSize = 15
    #expect(shown(&session, screen) == " [1] Row 30|[15] Row 44|15")
    session.settings.pageSize = 20
    #expect(shown(&session, screen) == " [1] Row 40|[20] Row 59|20")
  }
}

@Suite("Pages of a window") struct WindowTests {
  /// A title, a field, a list of `count` rows, and a button below it.
  private func listScreen(_ count: Int, above: Int = 0) -> ShellScreen {
    screen {
      for line in 0..<above { $0.text("line \(line)") }
      $0.rows(0..<count, id: "rows")
      $0.text("below")
    }
  }

  private func session(rows: Int) -> ShellSession {
    var session = ShellSession()
    session.settings.windowRows = rows
    return session
  }

  @Test(
    "A page is as long as the window allows, never shorter than five rows, and ends with the list")
  func length() {
    for rows in [8, 12, 18, 24, 60, 200] {
      var session = session(rows: rows)
      let lines = session.frame(listScreen(100, above: 3))
      let shown = lines.count { $0.contains("] Row") }
      #expect(shown >= 5 && shown <= 100)
      #expect(lines.count <= rows - 2 || shown == 5, "\(rows): \(lines.count)")
      // One row more would not fit.
      if shown < 100 { #expect(lines.count + 1 > rows - 2, "\(rows): \(lines.count)") }
    }
  }

  @Test("Rows that take several lines count as such")
  func wrapped() {
    var session = session(rows: 24)
    session.settings.width = 20
    let wide = screen { screen in
      screen.list(0..<50, id: "wide") { Row("a label of a row that is long \($0)") }
    }
    let lines = session.frame(wide)
    #expect(lines.count <= 22 && lines.count > 15)
  }

  @Test("Lines above a list shorten its page, and the page that was reached stays")
  func grows() {
    var session = session(rows: 24)
    func first(_ screen: ShellScreen) -> String {
      session.frame(screen).first { $0.contains("] Row") } ?? ""
    }
    _ = session.frame(listScreen(100))
    #expect(session.interpret(":find Row 50", on: listScreen(100)) == .redraw)
    for above in [0, 6, 2, 9, 0] {
      let lines = session.frame(listScreen(100, above: above))
      #expect(lines.contains { $0.contains("Row 50") }, "\(above)")
      #expect(lines.count <= 22)
    }
  }

  @Test("In another window the pages change, and without a list nothing does")
  func resized() {
    var session = session(rows: 24)
    let plain = screen { $0.text("no list") }
    let before = session.frame(plain)
    session.settings.windowRows = 10
    #expect(session.frame(plain) == before)
    let small = session.frame(listScreen(100)).count
    session.settings.windowRows = 50
    #expect(session.frame(listScreen(100)).count > small + 30)
  }
}
