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
