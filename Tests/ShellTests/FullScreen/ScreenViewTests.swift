@_spi(Host) import AppCore
import Foundation
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("Keys full screen")
struct ScreenViewTests {
  private func form(
    name: String = "", isOn: Bool = false, extra: Bool = false, hasName: Bool = true,
    isEnabled: Bool = true, owner: String = "1"
  ) -> ShellScreen {
    screen("Form", owner: owner) { screen in
      if extra { screen.button("New", id: "new", action: .tapped("")) }
      if hasName {
        screen.field(
          "Name", id: "name", text: name, isEnabled: isEnabled, action: { .tapped($0) })
      }
      screen.numberField("Age", id: "age", value: 7, action: { .number($0) })
      screen.toggle("Active", id: "active", isOn: isOn, action: { .flag($0) })
      screen.choice("Sort", id: "sort", options: Samples.options, selected: "size") { .tapped($0) }
      screen.button("Save", id: "save", action: .tapped(""))
    }
  }

  @Test("Tab and the arrows move between controls; Enter and Space use them, each as a line")
  func controls() {
    var drawn = Drawn(form())
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

  @Test("A text is sent with Enter, and when the focus leaves it; Escape leaves the former one")
  func fields() {
    var drawn = Drawn(form(name: "Ada"))
    #expect(drawn.type(.enter) + drawn.type("!") == [])
    #expect(drawn.type(.enter) == [#"@name = "Ada!""#])
    // What is typed begins the editing, too.
    #expect(drawn.type("/?") == [])
    #expect(drawn.focused?.contains("[Ada/? ") == true)
    drawn.type(.escape)
    #expect(drawn.type("?") == [])
    #expect(drawn.focused?.contains("[Ada? ") == true)
    drawn.type(.escape)
    #expect(drawn.type("xy") == [])
    #expect(drawn.type(.tab) == [#"@name = "Adaxy""#])
    #expect(drawn.focused?.hasPrefix("Age") == true)
    drawn.type(.enter)
    #expect(drawn.type(.escape, .tab) == [])
  }

  @Test("A value that is not a number is refused, and can be corrected")
  func numbers() {
    var drawn = Drawn(form())
    drawn.type(.tab, .enter)
    drawn.type("x")
    let refusal = #"@age = "7x": the control 'Age' takes a number such as 12 or -0.5, not '7x'"#
    #expect(drawn.type(.enter) == [refusal])
    #expect(drawn.type(.tab) == [refusal])
    drawn.type(.backspace)
    #expect(drawn.type("1") + drawn.type(.enter) == ["@age = 71"])
  }

  @Test("The focus and a half-typed text stay with a control, wherever it goes")
  func identity() {
    var drawn = Drawn(form(name: "Ada"))
    drawn.type(.enter)
    drawn.type("bc")
    drawn.show(form(name: "Changed", extra: true))
    #expect(drawn.focused?.contains("[Adabc ") == true)
    // Another screen in between.
    drawn.show(form(owner: "2"))
    #expect(drawn.focused?.hasPrefix("Name: [ ") == true)
    drawn.show(form(name: "Changed", extra: true))
    #expect(drawn.focused?.contains("[Adabc ") == true)
    #expect(drawn.type(.enter) == [#"@name = "Adabc""#])
    // Without the field the next control has the focus.
    drawn.show(form(extra: true, hasName: false))
    #expect(drawn.focused?.hasPrefix("Age") == true)
  }

  @Test("However many screens there were, what is kept of one that is still there stays")
  func manyScreens() {
    var drawn = Drawn(form())
    drawn.type("half")
    for owner in 2...600 {
      drawn.view.show(form(owner: "\(owner)"), size: drawn.size) { ["1", "\(owner)"].contains($0) }
    }
    #expect(drawn.view.places.count < 300)
    drawn.show(form())
    #expect(drawn.focused?.contains("[half ") == true)
  }

  private func rows(_ range: Range<Int>) -> ShellScreen {
    screen("Rows") { screen in
      screen.rows(range, id: "rows")
      screen.button("Below", action: .tapped(""))
    }
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
    var drawn = Drawn(rows(0..<500))
    drawn.type(.down, .down)
    #expect(drawn.type(.enter) == ["@row-2"])
    drawn.show(rows(-3..<500))
    #expect(drawn.focused == "Row 2")
    drawn.type(.end)
    #expect(drawn.focused == "Row 499")
    drawn.type(.down)
    #expect(drawn.focused == "[ Below ]")
    drawn.type(.up, .home)
    #expect(drawn.focused == "Row -3")
    drawn.type(.pageDown)
    #expect(drawn.focused == "Row 16")
    drawn.show(rows(0..<3))
    #expect(drawn.type(.enter) == ["@row-2"])
  }

  @Test("A search moves the cursor as it is typed; Escape goes back")
  func finding() {
    var drawn = Drawn(rows(0..<500))
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
    var drawn = Drawn(rows(0..<9))
    let picture = drawn.view.picture(number: 1).number
    // The row that was on top has gone: its neighbor is not opened.
    drawn.show(rows(1..<9))
    #expect(drawn.press(KeyPress(.enter), typedFor: picture) == nil)
    #expect(drawn.lines.contains { $0.contains("The screen changed while you typed") })
    #expect(
      drawn.press(KeyPress(.enter), typedFor: drawn.view.picture(number: 2).number) == "@row-1")
    // Rows above it have come, which changes nothing about it, nor about the keys after it.
    drawn.show(rows(-3..<9))
    #expect(drawn.press(KeyPress(.down), typedFor: 2) == nil)
    #expect(drawn.press(KeyPress(.enter), typedFor: 2) == "@row-2")
    // The key after one that has led elsewhere.
    _ = drawn.view.picture(number: 3)
    drawn.show(form())
    #expect(drawn.press(KeyPress(.escape), typedFor: 3) == nil)
    #expect(
      drawn.press(KeyPress(.escape), typedFor: drawn.view.picture(number: 4).number) == ":back")
    // A text is continued in its field.
    #expect(drawn.press(KeyPress(.scalar("a")), typedFor: 4) == nil)
    drawn.show(form(extra: true))
    #expect(drawn.press(KeyPress(.scalar("b")), typedFor: 4) == nil)
    #expect(drawn.press(KeyPress(.enter), typedFor: 4) == #"@name = "ab""#)
  }

  @Test("A click acts on what was to be seen there")
  func clickedAhead() {
    let click = KeyPress(.pointer(.init(.press, row: 5, column: 6)))
    var drawn = Drawn(rows(0..<9))
    _ = drawn.view.picture(number: 1)
    drawn.show(rows(-1..<9))
    #expect(drawn.press(click, typedFor: 1) == nil)
    #expect(drawn.focused == "Row 0")
  }

  @Test("What is typed in a field is shown before the app has handled it, as it will be")
  func echo() {
    for (keys, begins): ([KeyPress.Code], Bool) in [
      ([.scalar("a"), .scalar("日"), .left, .scalar("b")], false),
      ([.enter, .scalar("x"), .backspace, .backspace], false),
      ([.scalar("/"), .scalar("?")], false), ([.scalar("?")], false),
      ([.scalar(":"), .scalar("q")], false), ([.tab, .scalar("q")], true),
      ([.function(1), .scalar("q")], true),
    ] {
      for isMultiline in [false, true] {
        var drawn = Drawn(
          screen { screen in
            screen.field("Notes", id: "notes", text: "one\ntwo", isMultiline: isMultiline) {
              .tapped($0)
            }
            screen.field("Next", text: "", action: { .tapped($0) })
          })
        if begins { drawn.type(.enter) }
        let before = drawn.view.picture()
        let echoed = before.echoing(keys.map { KeyPress($0) })
        let isText = keys.allSatisfy { ![.tab, .scalar(":"), .function(1)].contains($0) }
        for key in keys { drawn.type(key) }
        let after = drawn.view.picture()
        if isText {
          #expect(echoed.cursor == after.cursor)
          // The last line says which keys apply.
          #expect(echoed.grid.lines.dropLast() == after.grid.lines.dropLast())
        } else {
          #expect(echoed == before)
        }
      }
    }
  }

  @Test("Ctrl-C gives up what is typed in a field, as it gives up a line")
  func abandoned() {
    var drawn = Drawn(form(name: "Ada"))
    drawn.type("x")
    #expect(drawn.press(.control("c")) == nil)
    #expect(drawn.focused?.contains("[Ada ") == true)
    #expect(drawn.type(.tab) == [])
  }

  @Test("The keys of the screen work while a field is edited; what is typed there is not lost")
  func generalKeys() {
    let tabs = [Tab("packages", isSelected: true), Tab("updates")]
    func form(isMultiline: Bool, hasTabs: Bool = true) -> ShellScreen {
      screen(chrome: Chrome(path: ["tabs"], tabs: hasTabs ? tabs : [])) {
        $0.field("Notes", id: "notes", text: "", isMultiline: isMultiline) { .tapped($0) }
      }
    }
    let quit = KeyPress.control("q")
    for isMultiline in [false, true] {
      var drawn = Drawn(form(isMultiline: isMultiline))
      drawn.type("ab")
      drawn.type(.function(1))
      #expect(drawn.lines.last?.hasPrefix(" Help") == true)
      drawn.type(.escape)
      #expect(drawn.lines.contains { $0.contains("ab") })
      let sent = #"@notes = "ab""#
      #expect(drawn.press(.alt("2")) == sent + "\n:tab updates")
      drawn.type("ab")
      #expect(drawn.press(KeyPress(.pageDown, .control)) == sent + "\n:tab updates")
      drawn.type("ab")
      #expect(drawn.press(quit) == (isMultiline ? sent + "\n:quit" : ":quit"))
      drawn = Drawn(form(isMultiline: isMultiline, hasTabs: false))
      drawn.type("ab")
      #expect(drawn.press(.alt("2")) == nil)
      #expect(drawn.type(isMultiline ? .escape : .enter) == [sent])
    }
    for keys: [KeyPress.Code] in [[.function(1)], [.scalar(":"), .scalar("x")]] {
      var drawn = Drawn(rows(0..<9))
      for key in keys { drawn.type(key) }
      #expect(drawn.press(quit) == ":quit")
    }
  }

  @Test("A line of the shell is typed after a colon, with history and completions")
  func command() {
    var drawn = Drawn(form())
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
    var drawn = Drawn(form(), rows: 12)
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

  @Test("A click uses a control, chooses a row and then opens it; elsewhere it does nothing")
  func mouse() {
    func click(_ row: Int, _ column: Int = 6) -> KeyPress.Code {
      .pointer(.init(.press, row: row, column: column))
    }
    var drawn = Drawn(rows(0..<500))
    #expect(drawn.type(click(5)) == [])
    #expect(drawn.focused == "Row 3")
    #expect(drawn.type(click(5)) == ["@row-3"])
    #expect(drawn.type(click(0), click(1), click(23), click(500, 900)) == [])
    drawn.type(.pointer(.init(.wheelDown, row: 9, column: 9)))
    #expect(drawn.lines[2].hasPrefix(" › Row 3"))
  }

  @Test("While a text is typed, a click on another control sends it first; elsewhere it stays")
  func mouseWhileTyping() {
    var drawn = Drawn(form())
    func click(on text: String) -> KeyPress.Code {
      let row = drawn.lines.firstIndex { $0.contains(text) } ?? 0
      return .pointer(.init(.press, row: row, column: 6))
    }
    drawn.type("Ada")
    drawn.type(.pointer(.init(.wheelDown, row: 9, column: 9)))
    #expect(drawn.type(.pointer(.init(.press, row: 20, column: 9)), click(on: "Name")) == [])
    #expect(drawn.focused?.contains("[Ada ") == true)
    #expect(drawn.type(click(on: "Save")) == ["@name = \"Ada\"\n@save"])
    drawn.type(.home, .tab, .tab)
    // A value that is refused stays, and the click does nothing.
    while drawn.focused?.hasPrefix("Age") == false { drawn.type(.tab) }
    drawn.type("x")
    #expect(drawn.type(click(on: "Save")).first?.hasPrefix("@age = \"7x\": ") == true)
    #expect(drawn.focused?.hasPrefix("Age") == true)
  }

  @Test("A half-typed text stays while its field is disabled")
  func interrupted() {
    var drawn = Drawn(form())
    drawn.type("Ada")
    drawn.show(form(isEnabled: false))
    #expect(drawn.focused?.hasPrefix("Age") == true)
    drawn.show(form())
    #expect(drawn.focused?.contains("[Ada ") == true)
    // The focus that has moved meanwhile stays; the text is there when the field is edited again.
    drawn.show(form(isEnabled: false))
    drawn.type(.down)
    drawn.show(form())
    #expect(drawn.focused?.contains("Active") == true)
    drawn.type(.up, .up, .enter)
    #expect(drawn.type(.enter) == ["@name = \"Ada\""])
  }

  @Test("A half-typed text is there after a crash while its field was disabled")
  func interruptedByCrash() throws {
    for moves in [false, true] {
      var before = Drawn(form())
      before.type("Ada")
      before.show(form(isEnabled: false))
      if moves { before.type(.down) }
      let places = try before.view.savedPlaces.map { owner, place in
        let data = try JSONEncoder().encode(place)
        return (owner: owner, place: try JSONDecoder().decode(SavedPlace.self, from: data))
      }
      for isEnabled in [false, true] {
        var drawn = Drawn(screen("Nothing", owner: "2") { _ in })
        drawn.view.restore(places)
        drawn.show(form(isEnabled: isEnabled))
        #expect(
          isEnabled && !moves || drawn.focused?.contains(moves ? "Active" : "Age") == true)
        drawn.show(form())
        if moves { drawn.type(.up, .up, .enter) }
        #expect(drawn.focused?.contains("[Ada ") == true)
        #expect(drawn.type(.enter) == [#"@name = "Ada""#])
      }
    }
  }

  @Test("A secret is dots while it is typed, and in nothing that is told")
  func secrets() {
    var drawn = Drawn(screen { $0.secretField("Token", id: "token", isSet: false) { .secret($0) } })
    drawn.type("s3cret")
    #expect(drawn.lines.contains { $0.contains("[••••••") })
    let lines = drawn.type(.enter)
    #expect(lines == ["Token = <secret>"])
    #expect(!drawn.lines.joined().contains("s3cret"))
    #expect(!"\(drawn.view)".contains("s3cret"))
  }

  @Test("Several lines: Enter begins a line, Tab and Escape send, arrows move between lines")
  func multiline() {
    func form(_ text: String) -> ShellScreen {
      screen {
        $0.field("Notes", id: "notes", text: text, isMultiline: true) { .tapped($0) }
        $0.button("Below", action: .tapped(""))
      }
    }
    var drawn = Drawn(form("one\ntwo"))
    drawn.type(.enter, .enter)
    drawn.type("three")
    drawn.type(.up, .home)
    drawn.type("x")
    #expect(drawn.type(.tab) == [#"@notes = "one\nxtwo\nthree""#])
    #expect(drawn.focused == "[ Below ]")
    drawn.type(.up, .enter, .paste("a\nb"))
    #expect(drawn.type(.escape) == [#"@notes = "one\ntwoa\nb""#])
  }
}
