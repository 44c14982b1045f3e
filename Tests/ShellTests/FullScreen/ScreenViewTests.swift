@_spi(Host) import AppCore
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("Keys full screen")
struct ScreenViewTests {
  @Test("Tab and the arrows move between controls; Enter and Space use them, each as a line")
  func controls() {
    var drawn = Drawn(.form())
    #expect(drawn.focused?.hasPrefix("Name") == true)
    #expect(drawn.type(.tab, .down) == [])
    #expect(drawn.type(" ") == ["@active = on"])
    #expect(drawn.type(.down, .right) == [#"@sort = "date""#])
    #expect(drawn.type(.left) == [#"@sort = "name""#])
    #expect(drawn.type(.tab, .enter) == ["@save"])
    drawn.type(.tab)
    #expect(drawn.focused?.hasPrefix("Name") == true)
    #expect(drawn.press(KeyPress(.tab, .shift)) == nil)
    #expect(drawn.focused?.hasPrefix("[ Save") == true)
    #expect(drawn.type(.escape) == [":back"])
    #expect(drawn.press(.control("q")) == ":quit")
  }

  @Test("A table that loses columns has none of their widths, and is not scrolled beyond its last")
  func fewerColumns() {
    func table(_ columns: Int) -> ShellScreen {
      screen { screen in
        screen.table(0..<3, columns: (0..<columns).map { TableColumn("Column \($0)") }, id: "t") {
          row in
          Row(
            cells: (0..<columns).map { columns < 3 ? "x" : "a long cell \(row).\($0)" },
            action: .tapped(""))
        }
      }
    }
    var drawn = Drawn(table(30))
    for _ in 0..<28 { drawn.type(.right) }
    #expect(drawn.lines.contains { $0.contains("Column 0  ") && $0.contains("Column 29") })
    drawn.show(table(2))
    var fresh = Drawn(table(2))
    #expect(drawn.lines == fresh.lines)
  }

  @Test("A list has a cursor, which follows its row")
  func lists() {
    var drawn = Drawn(.rows(0..<500))
    drawn.type(.down, .down)
    #expect(drawn.type(.enter) == ["@row-2"])
    drawn.show(.rows(-3..<500))
    #expect(drawn.focused == "Row 2")
    drawn.type(.end)
    #expect(drawn.focused == "Row 499")
    drawn.type(.down)
    #expect(drawn.focused == "[ Below ]")
    drawn.type(.up, .home)
    #expect(drawn.focused == "Row -3")
    drawn.type(.pageDown)
    #expect(drawn.focused == "Row 16")
    drawn.show(.rows(0..<3))
    #expect(drawn.type(.enter) == ["@row-2"])
  }

  @Test("A search moves the cursor as it is typed; Escape goes back")
  func finding() {
    var drawn = Drawn(.rows(0..<500))
    drawn.type("/42")
    #expect(drawn.focused == "Row 42")
    #expect(drawn.lines.last == " find: 42")
    drawn.type(.down)
    #expect(drawn.focused == "Row 142")
    drawn.type(.function(5), .unknown, .pointer(.init(.wheelDown, row: 4, column: 4)))
    #expect(drawn.focused == "Row 142")
    drawn.type("x")
    #expect(drawn.lines.last == " not found: 42x")
    drawn.type(.escape)
    #expect(drawn.focused == "Row 0")
    drawn.type("/42")
    #expect(drawn.type(.enter, .enter) == ["@row-42"])
    drawn.type(":find 7")
    #expect(drawn.type(.enter) == [])
    #expect(drawn.focused == "Row 47")
  }

  @Test("Of a huge list a part is searched at a time; the keys that act on what is found wait")
  func findingInParts() {
    let counter = RowCounter()
    var drawn = Drawn(screen { $0.rows(0..<5_000_000, id: "rows", counter: counter) })
    _ = drawn.view.press(KeyPress(.scalar("/")))
    _ = drawn.view.press(KeyPress(.scalar("x")))
    #expect(counter.count < 100)
    drawn.view.search()
    #expect(counter.count > 10 && counter.count < 2_000_000)
    #expect(drawn.view.isSearching && drawn.view.picture().isUnfinished)
    #expect(drawn.lines.last == " searching: x")
    #expect(drawn.view.waitsForSearch(KeyPress(.enter)))
    #expect(!drawn.view.waitsForSearch(KeyPress(.scalar("y"))))
    _ = drawn.view.press(KeyPress(.escape))
    #expect(!drawn.view.isSearching && drawn.focused == "Row 0")
  }

  @Test("A search ends with its list; the keys that end it do not wait", arguments: [false, true])
  func findingWithoutList(isLine: Bool) {
    func huge(_ id: String, count: Int = 1 << 40) -> ShellScreen {
      screen { screen in
        screen.rows(0..<count, id: id)
        screen.button("Below", action: .tapped(""))
      }
    }
    for next in [huge("rows", count: 0), huge("others")] {
      var drawn = Drawn(huge("rows"))
      var keys = (isLine ? ":find x" : "/x").unicodeScalars.map { KeyPress(.scalar($0)) }
      if isLine { keys.append(KeyPress(.enter)) }
      for key in keys { _ = drawn.view.press(key) }
      #expect(drawn.view.isSearching && drawn.view.waitsForSearch(KeyPress(.enter)))
      #expect(!drawn.view.waitsForSearch(KeyPress(.escape)))
      #expect(!drawn.view.waitsForSearch(.control("c")))
      drawn.show(next)
      drawn.view.search()
      #expect(!drawn.view.isSearching)
      #expect(drawn.lines.contains { $0.contains(isLine ? "no row holds 'x'" : "not found: x") })
      #expect(drawn.type(.escape) == (isLine ? [":back"] : []))
    }
  }

  @Test("A list that says it is endless can be scrolled to its end")
  func endless() {
    var drawn = Drawn(screen { $0.rows(0..<Int.max, id: "rows") })
    for key: KeyPress.Code in [.end, .pageDown, .down, .pageUp, .home, .pageDown] {
      drawn.type(key)
      #expect(drawn.focused?.hasPrefix("Row ") == true)
    }
    drawn.type(":page 9223372036854775807")
    drawn.type(.enter)
    drawn.type("/Row")
    #expect(drawn.lines.last == " find: Row")
  }

  @Test("A key acts only where it would have acted on the picture that it was typed for")
  func typedAhead() {
    var drawn = Drawn(.rows(0..<9))
    let picture = drawn.view.picture(number: 1).number
    // The row that was on top has gone: its neighbor is not opened.
    drawn.show(.rows(1..<9))
    #expect(drawn.press(KeyPress(.enter), typedFor: picture) == nil)
    #expect(drawn.lines.contains { $0.contains("The screen changed while you typed") })
    #expect(
      drawn.press(KeyPress(.enter), typedFor: drawn.view.picture(number: 2).number) == "@row-1")
    // Rows above it have come, which changes nothing about it, nor about the keys after it.
    drawn.show(.rows(-3..<9))
    #expect(drawn.press(KeyPress(.down), typedFor: 2) == nil)
    #expect(drawn.press(KeyPress(.enter), typedFor: 2) == "@row-2")
    // The key after one that has led elsewhere.
    _ = drawn.view.picture(number: 3)
    drawn.show(.form())
    #expect(drawn.press(KeyPress(.escape), typedFor: 3) == nil)
    #expect(
      drawn.press(KeyPress(.escape), typedFor: drawn.view.picture(number: 4).number) == ":back")
    // A text is continued in its field.
    #expect(drawn.press(KeyPress(.scalar("a")), typedFor: 4) == nil)
    drawn.show(.form(extra: true))
    #expect(drawn.press(KeyPress(.scalar("b")), typedFor: 4) == nil)
    #expect(drawn.press(KeyPress(.enter), typedFor: 4) == #"@name = "ab""#)
  }

  @Test("A click acts on what was to be seen there")
  func clickedAhead() {
    let click = KeyPress(.pointer(.init(.press, row: 5, column: 6)))
    var drawn = Drawn(.rows(0..<9))
    _ = drawn.view.picture(number: 1)
    drawn.show(.rows(-1..<9))
    #expect(drawn.press(click, typedFor: 1) == nil)
    #expect(drawn.focused == "Row 0")
  }

  @Test("A line of the shell is typed after a colon, with history and completions")
  func command() {
    var drawn = Drawn(.form())
    var history = History()
    history.add(":log --times")
    drawn.view.remember(history)
    drawn.type(":lo")
    #expect(drawn.view.wantedCompletions() == nil)
    #expect(drawn.type(.up, .enter) == [":log --times"])
    drawn.type(":ta")
    #expect(drawn.view.wantedCompletions() == ":ta")
    drawn.view.receive(CompletionList(head: ":ta", [Completion(":tab", continues: true)]))
    #expect(drawn.type(.tab, .escape) == [])
    #expect(drawn.lines.last?.hasPrefix(" ⏎ edit") == true)
  }

  @Test("Output is read until a key closes it")
  func reading() {
    var drawn = Drawn(.form(), rows: 12)
    drawn.view.show(output: (1...40).map { "line \($0)" })
    #expect(drawn.lines[2] == " line 1")
    drawn.type(.pageDown, .up)
    #expect(drawn.lines[2] == " line 8")
    drawn.type(.pointer(.init(.wheelDown, row: 4, column: 4)))
    #expect(drawn.lines[2] == " line 11")
    drawn.type(.pointer(.init(.wheelUp, row: 4, column: 4)))
    #expect(drawn.lines[2] == " line 8")
    #expect(drawn.type(.escape) == [])
    #expect(drawn.focused?.hasPrefix("Name") == true)
  }

  @Test("A text that is longer than the window is scrolled line by line")
  func longText() {
    var drawn = Drawn(
      screen("Text") { screen in
        screen.button("First", action: .tapped(""))
        screen.preformatted((1...60).map { "line \($0)" }.joined(separator: "\n"))
        screen.button("Last", action: .tapped(""))
      }, rows: 14)
    drawn.type(.down, .down)
    #expect(drawn.lines[2] == " line 2" || drawn.lines[2].hasPrefix(" line 1"))
    for _ in 0..<70 { drawn.type(.down) }
    #expect(drawn.focused?.hasPrefix("[ Last ]") == true)
    drawn.type(.home)
    #expect(drawn.lines[2].contains("[ First ]"))
  }

  @Test("Tabs are chosen with the arrows, and by a number")
  func tabs() {
    let tabs = [Tab("packages", title: "Packages", isSelected: true), Tab("updates")]
    var drawn = Drawn(
      screen("Tabs", chrome: Chrome(path: ["tabs"], tabs: tabs)) { screen in
        screen.button("Here", action: .tapped(""))
      })
    #expect(drawn.press(KeyPress(.tab, .shift)) == nil)
    #expect(drawn.type(.right) == [":tab updates"])
    #expect(drawn.press(.alt("2")) == ":tab updates")
    let column = drawn.lines[0].firstRange(of: "○").map {
      drawn.lines[0].distance(from: drawn.lines[0].startIndex, to: $0.lowerBound)
    }
    let click = KeyPress.Code.pointer(.init(.press, row: 0, column: column ?? 0))
    #expect(drawn.type(click) == [":tab updates"])
  }

  @Test("A screen that has nothing to give the focus to, such as while it loads, does not lose it")
  func emptyForAWhile() {
    let chrome = Chrome(path: ["tabs"], tabs: [Tab("packages", isSelected: true), Tab("updates")])
    func shown(_ names: [String]) -> ShellScreen {
      screen("Tabs", chrome: chrome) { screen in
        for name in names { screen.button(name, action: .tapped("")) }
      }
    }
    var drawn = Drawn(shown([]))
    #expect(drawn.type(.right) == [":tab updates"])
    drawn.show(shown(["First", "Second"]))
    #expect(drawn.focused == "[ First ]")
    drawn.type(.down)
    drawn.show(shown([]))
    drawn.show(shown(["First", "Second"]))
    #expect(drawn.focused == "[ Second ]")
  }

  @Test("A click uses a control, chooses a row and then opens it; elsewhere it does nothing")
  func mouse() {
    func click(_ row: Int, _ column: Int = 6) -> KeyPress.Code {
      .pointer(.init(.press, row: row, column: column))
    }
    var drawn = Drawn(.rows(0..<500))
    #expect(drawn.type(click(5)) == [])
    #expect(drawn.focused == "Row 3")
    #expect(drawn.type(click(5)) == ["@row-3"])
    #expect(drawn.type(click(0), click(1), click(23), click(500, 900)) == [])
    drawn.type(.pointer(.init(.wheelDown, row: 9, column: 9)))
    #expect(drawn.lines[2].hasPrefix(" › Row 3"))
  }

  @Test("Text that needs joiners is drawn with them, and a joiner that joins nothing is seen")
  func joiners() {
    let text = "می‌خواهم क्‍ष 👩‍👩‍👧"
    var drawn = Drawn(screen { $0.text(text + " a\u{200c}b") })
    #expect(drawn.lines.contains { $0.contains(text) && $0.contains("a<U+200C>b") })
  }

  @Test("What is read is broken where it is too wide, for each width, and its place stays")
  func wideOutput() {
    var drawn = Drawn(.form(), columns: 40, rows: 12)
    let path = "/panel/" + String(repeating: "node/", count: 20) + "end"
    drawn.view.show(output: (0..<30).map { "line \($0)" } + [path])
    for columns in [40, 20] {
      drawn.resize(columns: columns, rows: 12)
      drawn.type(.end)
      let lines = drawn.lines
      #expect(lines.allSatisfy { DisplayWidth.of($0) <= columns })
      #expect(lines.map { $0.filter { $0 != " " } }.joined().contains(path))
    }
    drawn.type(.home, .down)
    drawn.resize(columns: 33, rows: 12)
    #expect(drawn.lines.first { $0.contains("line") }?.contains("line 1") == true)
  }

  @Test("Of notices that nobody answers, the last are kept")
  func manyNotices() {
    var drawn = Drawn(.form())
    for number in 0..<10_000 { drawn.view.notices.append(Notice("notice \(number)")) }
    #expect(drawn.view.notices.count == 5)
    #expect(drawn.lines.contains { $0.contains("notice 9999") })
  }

  @Test("A click is for the tab that was seen, wherever its neighbors push it")
  func movedTabs() {
    func tabs(_ title: String) -> ShellScreen {
      let tabs = [Tab("a", isSelected: true), Tab("b", title: "B"), Tab("c", title: title)]
      return screen("Tabs", chrome: Chrome(path: ["tabs"], tabs: tabs)) { _ in }
    }
    var drawn = Drawn(tabs("Updates (12 of 345)"))
    let line = drawn.view.picture(number: 1).grid.lines[0]
    let column = line.firstRange(of: "○ B").map {
      line.distance(from: line.startIndex, to: $0.lowerBound)
    }
    #expect(column != nil, "\(line)")
    let click = KeyPress(.pointer(.init(.press, row: 0, column: column ?? 0)))
    drawn.show(tabs("U"))
    #expect(drawn.press(click, typedFor: 1) != ":tab c")
    #expect(drawn.lines.contains { $0.contains("The screen changed while you typed") })
  }

  @Test("Of a command that is longer than the screen, the part with the cursor is seen")
  func longCommand() {
    var drawn = Drawn(.form(), columns: 20, rows: 5)
    drawn.type(":begin " + String(repeating: "x", count: 200) + " end")
    #expect(drawn.lines.last?.contains("end") == true)
    drawn.type(.home)
    drawn.type(.right)
    let picture = drawn.view.picture()
    #expect(picture.grid.lines.contains { $0.hasPrefix(":begin xxx") }, "\(picture.grid.lines)")
    #expect(picture.cursor.map { picture.grid.lines[$0.row].hasPrefix(":begin") } == true)
  }
}
