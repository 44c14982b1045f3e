@_spi(Host) import AppCore
import Foundation
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("Texts in fields full screen")
struct TypedFieldTests {
  @Test("A text is sent with Enter, and when the focus leaves it; Escape leaves the former one")
  func fields() {
    var drawn = Drawn(.form(name: "Ada"))
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

  @Test("A live field sends each change, and nothing again when it is left")
  func live() {
    var drawn = Drawn(Samples.products())
    #expect(drawn.type("sw") == [#"@filter = "s""#, #"@filter = "sw""#])
    // What the feature makes of it does not overwrite what is typed.
    drawn.show(Samples.products(filter: "SW"))
    #expect(drawn.focused?.contains("[sw ") == true)
    #expect(drawn.type(.left) == [])
    #expect(drawn.type(.backspace) == [#"@filter = "w""#])
    #expect(drawn.type(.enter) == [])
    #expect(drawn.focused?.contains("[SW ") == true)
    #expect(drawn.type("x") == [#"@filter = "SWx""#])
    #expect(drawn.type(.tab) == [])
    #expect(drawn.focused?.contains("swift-nio") == true)
    // Escape ends the editing; what was sent stays.
    drawn = Drawn(Samples.products())
    #expect(drawn.type("s") + drawn.type(.escape) == [#"@filter = "s""#])
    #expect(drawn.type(.escape) == [":back"])
    #expect(drawn.press(KeyPress(.paste("a\nb\u{85}"))) != nil)
  }

  @Test("The digits sort the table in focus, and its line does the same")
  func sorting() {
    var drawn = Drawn(Samples.products(sort: TableSort("Uses")))
    drawn.type(.tab)
    #expect(drawn.type("2") == [":sort @products Version"])
    #expect(drawn.type("3") == [":sort @products Uses"])
    #expect(drawn.type("490") == [])
    #expect(drawn.lines.contains { $0.contains("Uses ▲") })
    drawn.show(Samples.products(sort: TableSort("Uses", isDescending: true)))
    #expect(drawn.lines.contains { $0.contains("Uses ▼") })
    #expect(drawn.type("\u{31}") == [":sort @products Name"])
    #expect(drawn.lines.contains { $0.contains("1-3 sort") })
    // Where ':sort' is not allowed, the shell says so.
    drawn = Drawn(Samples.products())
    drawn.view.commands = ShellCommand.ofControls
    drawn.type(.tab)
    #expect(drawn.type("2") == [":sort"])
    #expect(drawn.type("4") == [])
    #expect(!drawn.lines.contains { $0.contains("sort") })
    // A table that can't be sorted has no such keys.
    drawn = Drawn(.rows(0..<3))
    #expect(drawn.type("1") == [])
  }

  @Test("Space selects the row with the cursor, and its line does the same")
  func selecting() {
    var drawn = Drawn(Samples.files(selection: ["b"]))
    #expect(drawn.focused == "[ ] a")
    #expect(drawn.type(" ") == ["@files add a"])
    drawn.show(Samples.files(selection: ["a", "b"]))
    #expect(drawn.focused == "[x] a")
    #expect(drawn.type(.down, .scalar(" ")) == ["@files remove b"])
    #expect(drawn.type(.enter) == ["@b"])
    #expect(drawn.type(.down, .scalar(" ")) == [#"@files add "two words""#])
    // A row without an identifier is opened only.
    #expect(drawn.type(.down, .scalar(" ")) == [])
    #expect(drawn.type(.enter) == [#""no identifier""#])
    // A click on the mark is like Space, one beside it chooses the row.
    let row = drawn.lines.firstIndex { $0.contains("[x] b") } ?? 0
    #expect(drawn.type(.pointer(.init(.press, row: row, column: 4))) == ["@files remove b"])
    #expect(drawn.type(.pointer(.init(.press, row: row - 1, column: 9))) == [])
    #expect(drawn.focused == "[x] a")
    #expect(drawn.type(.pointer(.init(.press, row: row - 1, column: 9))) == ["@a"])
  }

  private func suggesting(isLive: Bool = false, _ suggestions: [String]) -> ShellScreen {
    screen("City") { screen in
      screen.field(
        "City", id: "city", text: "", isLive: isLive, suggestions: suggestions,
        action: { .tapped($0) })
      screen.button("Next", action: .tapped(""))
    }
  }

  @Test("Suggestions for what is typed are below the field, and Enter takes the one that is chosen")
  func suggestions() {
    let cities = ["Bergen", "Oslo", "Molde", "Stavanger", "Bodø", "Hamar", "Moss"]
    var drawn = Drawn(suggesting(cities))
    #expect(!drawn.lines.contains { $0.contains("Bergen") })
    drawn.type(.enter)
    #expect(drawn.lines.contains { $0.contains("Bodø") })
    #expect(!drawn.lines.contains { $0.contains("Hamar") })
    #expect(drawn.type("O") == [])
    #expect(drawn.type(.down, .down, .up, .down, .enter) == [#"@city = "Molde""#])
    #expect(!drawn.lines.contains { $0.contains("Bodø") })
    // Without a choice the text is sent, and what leads above the list is the text again.
    drawn.type("mo")
    #expect(drawn.type(.down, .up, .enter) == [#"@city = "mo""#])
    drawn.type("mo")
    #expect(drawn.type(.down, .down, .down, .down, .enter) == [#"@city = "Moss""#])
    // Where nothing is suggested, the arrow leads to the next control.
    drawn.type("xyz")
    #expect(drawn.type(.down) == [#"@city = "xyz""#])
    #expect(drawn.focused == "[ Next ]")
    drawn = Drawn(suggesting(isLive: true, cities))
    #expect(drawn.type("h") == [#"@city = "h""#])
    #expect(drawn.type(.down, .enter) == [#"@city = "Hamar""#])
  }

  @Test("Enter takes the suggestion that was seen, wherever it is now, or none")
  func changedSuggestions() {
    for (now, sent) in [
      (["Bergen", "Molde", "Oslo"], #"@city = "Oslo""#), (["Bergen", "Molde"], nil),
    ] {
      var drawn = Drawn(suggesting(["Bergen", "Oslo"]))
      drawn.type(.enter)
      drawn.type(.down, .down)
      _ = drawn.view.picture(number: 1)
      drawn.show(suggesting(now))
      #expect(drawn.press(KeyPress(.enter), typedFor: 1) == sent)
    }
  }

  @Test("Hostile suggestions stay in their lines, and those of several lines are left out")
  func hostileSuggestions() {
    let suggestions = [
      "two\nlines", "\u{1b}[2J", "a\u{202e}b", "", String(repeating: "長", count: 500), "\u{301}",
    ]
    var drawn = Drawn(suggesting(suggestions), columns: 20, rows: 8)
    drawn.type(.enter)
    for _ in 0..<8 {
      for line in drawn.lines {
        #expect(DisplayWidth.of(line) <= 20)
        #expect(!line.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
        #expect(!line.contains("two"))
      }
      drawn.type(.down)
    }
    let many = Drawn(suggesting((0..<1_000_000).map { "\($0)" }))
    #expect(many.screen.content.elements.count < 3)
  }

  @Test("Ctrl-C cancels what makes progress, unless something is typed")
  func cancelling() {
    var drawn = Drawn(
      screen("Copying") { screen in
        screen.field("Name", id: "name", text: "", action: { .tapped($0) })
        screen.progress("Copying", id: "stop", cancelLabel: "Stop", cancelAction: .tapped(""))
        screen.progress("Moving", id: "other", cancelAction: .tapped(""))
      })
    #expect(drawn.press(.control("c")) == "@stop")
    drawn.type("x")
    #expect(drawn.press(.control("c")) == nil)
    #expect(drawn.press(.control("c")) == "@stop")
    drawn = Drawn(.form())
    #expect(drawn.press(.control("c")) == nil)
  }

  @Test("A value that is not a number is refused, and can be corrected")
  func numbers() {
    var drawn = Drawn(.form())
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
    var drawn = Drawn(.form(name: "Ada"))
    drawn.type(.enter)
    drawn.type("bc")
    drawn.show(.form(name: "Changed", extra: true))
    #expect(drawn.focused?.contains("[Adabc ") == true)
    // Another screen in between.
    drawn.show(.form(owner: "2"))
    #expect(drawn.focused?.hasPrefix("Name: [ ") == true)
    drawn.show(.form(name: "Changed", extra: true))
    #expect(drawn.focused?.contains("[Adabc ") == true)
    #expect(drawn.type(.enter) == [#"@name = "Adabc""#])
    // Without the field the next control has the focus.
    drawn.show(.form(extra: true, hasName: false))
    #expect(drawn.focused?.hasPrefix("Age") == true)
  }

  @Test("However many screens there were, what is kept of one that is still there stays")
  func manyScreens() {
    var drawn = Drawn(.form())
    drawn.type("half")
    for owner in 2...600 {
      drawn.view.show(.form(owner: "\(owner)"), size: drawn.size) {
        ["1", "\(owner)"].contains($0)
      }
    }
    #expect(drawn.view.places.count < 300)
    drawn.show(.form())
    #expect(drawn.focused?.contains("[half ") == true)
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
    var drawn = Drawn(.form(name: "Ada"))
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
      var drawn = Drawn(.rows(0..<9))
      for key in keys { drawn.type(key) }
      #expect(drawn.press(quit) == ":quit")
    }
  }

  @Test("While a text is typed, a click on another control sends it first; elsewhere it stays")
  func mouseWhileTyping() {
    var drawn = Drawn(.form())
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
    var drawn = Drawn(.form())
    drawn.type("Ada")
    drawn.show(.form(isEnabled: false))
    #expect(drawn.focused?.hasPrefix("Age") == true)
    drawn.show(.form())
    #expect(drawn.focused?.contains("[Ada ") == true)
    // The focus that has moved meanwhile stays; the text is there when the field is edited again.
    drawn.show(.form(isEnabled: false))
    drawn.type(.down)
    drawn.show(.form())
    #expect(drawn.focused?.contains("Active") == true)
    drawn.type(.up, .up, .enter)
    #expect(drawn.type(.enter) == ["@name = \"Ada\""])
  }

  @Test("A half-typed text that another one replaces is said to be gone")
  func interruptedTwice() {
    func form(_ enabled: Set<String>) -> ShellScreen {
      screen { screen in
        for id in ["one", "two"] {
          screen.field(
            id, id: id, text: "", isEnabled: enabled.contains(id), action: { .tapped($0) })
        }
        screen.button("Save", id: "save", action: .tapped(""))
      }
    }
    let notice = "What was typed in '@one' is gone."
    var drawn = Drawn(form(["one", "two"]))
    drawn.type("first")
    drawn.show(form(["two"]))
    drawn.type("second")
    #expect(!drawn.view.notices.contains { $0.text == notice })
    drawn.show(form([]))
    #expect(drawn.view.notices.contains { $0.text == notice })
  }

  @Test("A half-typed text is there after a crash while its field was disabled")
  func interruptedByCrash() throws {
    for moves in [false, true] {
      var before = Drawn(.form())
      before.type("Ada")
      before.show(.form(isEnabled: false))
      if moves { before.type(.down) }
      let places = try before.view.savedPlaces.map { owner, place in
        let data = try JSONEncoder().encode(place)
        return (owner: owner, place: try JSONDecoder().decode(SavedPlace.self, from: data))
      }
      for isEnabled in [false, true] {
        var drawn = Drawn(screen("Nothing", owner: "2") { _ in })
        drawn.view.restore(places)
        drawn.show(.form(isEnabled: isEnabled))
        #expect(
          isEnabled && !moves || drawn.focused?.contains(moves ? "Active" : "Age") == true)
        drawn.show(.form())
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
}
