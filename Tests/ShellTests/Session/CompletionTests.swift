import AppCore
import Testing

@testable import Shell

@Suite("What Tab completes") struct CompletionTests {
  private let screen = Shell.ShellScreen(
    Screen<SampleAction>("Sample") { screen in
      screen.button("Save", id: "save", action: .tapped("save"))
      screen.button("Save all", id: "save-all", action: .tapped("all"))
      screen.button(":odd", id: "odd", action: .tapped("odd"))
      screen.button("7 days", id: "week", action: .tapped("week"))
    }.content, owner: "1", chrome: Chrome(tabs: [Tab("home"), Tab("alerts")]))

  private func completions(_ text: String) -> [String] {
    ShellSession.showing(screen, SessionSettings(commands: [.path, .page, .tab, .help]))
      .completions(of: text, on: screen)
  }

  @Test("Beginnings of labels, identifiers and commands are completed, ignoring case")
  func prefixes() {
    #expect(completions("sa") == ["Save", "Save all"])
    #expect(completions("save a") == ["Save all"])
    #expect(completions("@sav") == ["@save", "@save-all"])
    #expect(completions(":pa") == [":page", ":path"] || completions(":pa") == [":path", ":page"])
    #expect(completions(":tab a") == [":tab alerts"])
    #expect(completions(":help t") == [":help tab"])
    #expect(completions(":g") == [])
    #expect(completions("") == [])
    #expect(completions("zzz") == [])
  }

  @Test("A label that would be read as something else comes in quotes, and is read back")
  func quotes() throws {
    #expect(completions(#"":"#) == [#"":odd""#])
    #expect(completions(#""7"#) == [#""7 days""#])
    #expect(completions(#""sa"#) == [#""Save""#, #""Save all""#])
    var session = ShellSession.showing(screen)
    #expect(session.interpret(#"":odd""#, on: screen).control == ":odd")
  }
}
