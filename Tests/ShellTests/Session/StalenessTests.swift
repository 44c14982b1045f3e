@_spi(Host) import AppCore
import Testing

@testable import Shell

@Suite("Numbers after the screen has changed") struct StalenessTests {
  private func buttons(_ names: [String], owner: String = "1", ids: Bool = true) -> ShellScreen {
    screen(owner: owner) { screen in
      for name in names { screen.button(name, id: ids ? name : nil, action: .tapped(name)) }
    }
  }

  @Test("A number means the control that bore it, wherever that is now")
  func moved() {
    var session = ShellSession.showing(buttons(["a", "b"]))
    let now = buttons(["new", "a", "b"])
    #expect(session.interpret("2", on: now).control == "b")
    #expect(session.interpret("3", on: now).code == "no-such-control")
  }

  @Test("A number whose control is gone is stale")
  func gone() {
    var session = ShellSession.showing(buttons(["a", "b"]))
    let intent = session.interpret("1", on: buttons(["b", "c"]))
    #expect(intent.code == "stale")
    #expect(
      intent.text
        == "control 1, 'a', of screen 1 is gone or does something else now; "
        + "look at the screen again")
  }

  @Test("The same label on another feature's screen is another control")
  func otherOwner() {
    var session = ShellSession.showing(buttons(["a"]))
    #expect(session.interpret("1", on: buttons(["a"], owner: "2")).code == "stale")
    #expect(session.interpret("a", on: buttons(["a"], owner: "2")).control == "a")
  }

  @Test("A control that became one of another kind is stale")
  func otherKind() {
    let before = screen { $0.button("a", id: "a", action: .tapped("a")) }
    let after = screen { $0.toggle("a", id: "a", isOn: true, action: { .flag($0) }) }
    var session = ShellSession.showing(before)
    #expect(session.interpret("1", on: after).code == "stale")
  }

  @Test("Without identifiers, one of several equal labels gone makes all of them stale")
  func equalLabels() {
    let before = buttons(["Delete", "Delete", "Keep"], ids: false)
    let after = buttons(["Delete", "Keep"], ids: false)
    var session = ShellSession.showing(before)
    #expect(session.interpret("1", on: after).code == "stale")
    #expect(session.interpret("3", on: after).control == "Keep")
  }

  @Test("Of several controls with one identifier, a number means the one that was seen")
  func equalIdentifiers() {
    func buttons(_ names: [String]) -> ShellScreen {
      screen { screen in
        for name in names { screen.button(name, id: "same", action: .tapped(name)) }
      }
    }
    var session = ShellSession.showing(buttons(["One", "Two"]))
    #expect(session.interpret("2", on: buttons(["Two", "One"])).control == "Two")
    #expect(session.interpret("2", on: buttons(["New", "One", "Two"])).control == "Two")
    #expect(session.interpret("2", on: buttons(["One", "Other"])).code == "stale")
    var equal = ShellSession.showing(buttons(["Delete", "Delete", "Keep"]))
    #expect(equal.interpret("2", on: buttons(["Delete", "Delete"])).activation?.control == 1)
    #expect(equal.interpret("1", on: buttons(["Delete", "Keep"])).code == "stale")
  }

  @Test("A row with an identifier is found where it moved; one without must be where it was")
  func rows() {
    func list(_ names: [String], ids: Bool) -> ShellScreen {
      screen { screen in
        screen.list(names, id: "l") { Row($0, id: ids ? $0 : nil, action: .tapped($0)) }
      }
    }
    var named = ShellSession.showing(list(["a", "b"], ids: true))
    #expect(named.interpret("2", on: list(["x", "a", "b"], ids: true)).input == .row(2))
    #expect(named.interpret("2", on: list(["a"], ids: true)).code == "stale")
    var unnamed = ShellSession.showing(list(["a", "b"], ids: false))
    #expect(unnamed.interpret("2", on: list(["x", "a", "b"], ids: false)).code == "stale")
    #expect(unnamed.interpret("2", on: list(["a", "b", "c"], ids: false)).input == .row(1))
  }

  @Test("A line begun on an earlier screen means that screen")
  func seenScreen() {
    var session = ShellSession.showing(buttons(["a", "b"]))
    let now = buttons(["b", "a"])
    _ = session.frame(now)
    #expect(session.interpret("1", on: now, seenScreen: 1).control == "a")
    #expect(session.interpret("1", on: now).control == "b")
    #expect(session.interpret("1", on: now, seenScreen: 9).code == "stale")
  }

  @Test("JSON input may name its screen")
  func jsonScreen() {
    var session = ShellSession.showing(buttons(["a", "b"]), ShellSession.json)
    let now = buttons(["b", "a"])
    _ = session.frame(now)
    #expect(session.interpret(#"{"press": 1, "screen": 1}"#, on: now).control == "a")
    #expect(session.interpret(#"{"press": 1}"#, on: now).control == "b")
    #expect(session.interpret(#"{"press": 1, "screen": 3}"#, on: now).code == "no-such-screen")
    let other = buttons(["a"], owner: "2")
    #expect(session.interpret(#"{"id": "a", "screen": 1}"#, on: other).code == "stale")
    #expect(session.interpret(#"{"id": "a"}"#, on: other).control == "a")
  }

  @Test("A disabled control is refused, also one that was enabled when it was seen")
  func disabled() {
    func one(_ isEnabled: Bool) -> ShellScreen {
      screen { $0.button("a", id: "a", isEnabled: isEnabled, action: .tapped("a")) }
    }
    var session = ShellSession.showing(one(true))
    #expect(session.interpret("1", on: one(false)).code == "disabled")
  }

  @Test("Before the first screen no number means anything")
  func nothingShown() {
    var session = ShellSession()
    #expect(session.interpret("1", on: buttons(["a"])).code == "no-such-control")
  }

  @Test("A screen that only counts seconds does not make a slowly typed line stale")
  func ticking() {
    var session = ShellSession()
    for second in 0..<500 {
      _ = session.frame(
        screen { screen in
          screen.text("\(second) s")
          screen.button("Stop", id: "stop", action: .tapped("stop"))
        })
    }
    let now = screen { $0.button("Stop", id: "stop", action: .tapped("stop")) }
    #expect(session.interpret("1", on: now, seenScreen: 2).control == "Stop")
    #expect(session.screenNumber == 500)
  }

  @Test("However often the screen has changed, a line without a number is taken")
  func forgotten() {
    var session = ShellSession()
    for lap in 0..<70 { _ = session.frame(buttons(["Stop \(lap)"])) }
    let now = buttons(["Stop 70"])
    #expect(session.interpret(":back", on: now, seenScreen: 1) == .command(.back))
    #expect(session.interpret("", on: now, seenScreen: 1) == .nothing)
    #expect(session.interpret("@Stop 70", on: now, seenScreen: 1).code != "stale")
    #expect(session.interpret("Stop 70", on: now, seenScreen: 1).control == "Stop 70")
    #expect(session.interpret("1", on: now, seenScreen: 1).code == "stale")
    #expect(session.interpret(":press 1", on: now, seenScreen: 1).code == "stale")
    #expect(session.interpret("1", on: now, seenScreen: 0).code == "stale")
  }
}
