@_spi(Host) import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite("Completion by Tab") struct CompletionTests {
  private let screen = Shell.ShellScreen(
    Screen<SampleAction>("Sample") { screen in
      screen.button("Save", id: "save", action: .tapped("save"))
      screen.button("Save all", id: "save-all", action: .tapped("all"))
      screen.button(":odd", id: "odd", action: .tapped("odd"))
      screen.button("7 days", id: "week", action: .tapped("week"))
    }.content, owner: "1", chrome: Chrome(tabs: [Tab("home"), Tab("alerts")]))

  private func completions(_ text: String) -> [String] {
    ShellSession.showing(screen, SessionSettings(commands: [.path, .page, .tab, .help]))
      .completions(of: text, on: screen, nouns: nouns).completions.map(\.line)
  }

  private let nouns = CompletionNouns(
    links: [("device/{id}", "link with id"), ("alerts", "")], plugins: [("Packages", "")],
    codes: [("stale", "It has gone."), ("gone", "")])

  @Test("Beginnings of labels, identifiers and commands are completed, ignoring case")
  func prefixes() {
    #expect(completions("sa") == ["Save", "Save all"])
    #expect(completions("save a") == ["Save all"])
    #expect(completions("@sav") == ["@save", "@save-all"])
    #expect(completions(":pa") == [":page", ":path"] || completions(":pa") == [":path", ":page"])
    #expect(completions(":tab a") == [":tab alerts"])
    #expect(completions(":help t") == [":help tab"])
    #expect(completions(":log --") == [":log --slow", ":log --times"])
    #expect(completions(":g") == [])
    #expect(completions("").contains("Save") && completions("").contains("@save"))
    #expect(completions("zzz") == [])
  }

  @Test("Links are completed up to their first parameter, plugins by name")
  func names() {
    let session = ShellSession.showing(screen, SessionSettings(commands: [.open, .reload]))
    func list(_ text: String) -> [Completion] {
      session.completions(of: text, on: screen, nouns: nouns).completions
    }
    #expect(
      list(":open d")
        == [Completion(":open device/", label: "device/{id}", detail: "link with id")])
    #expect(list(":reload P").map(\.line) == [":reload Packages"])
    #expect(list(":o").first?.continues == true)
    #expect(
      list(":explain s")
        == [Completion(":explain stale", label: "stale", detail: "It has gone.")])
  }

  @Test("The options of a choice follow its number, identifier or label; so do on and off")
  func options() {
    let session = ShellSession.showing(Samples.everything)
    func lines(_ text: String) -> [String] {
      session.completions(of: text, on: Samples.everything).completions.map(\.line)
    }
    #expect(lines("@sort d") == ["@sort Date changed"])
    #expect(lines("Sort = ") == ["Sort = Name", "Sort = Size", "Sort = Date changed"])
    #expect(lines("sort = s") == ["sort = Size"])
    #expect(lines("@direct o") == ["@direct on", "@direct off"])
    #expect(lines("7 ") == ["7 on", "7 off"])
    #expect(lines("Sor") == ["Sort = "])
    let all = session.completions(of: "@", on: Samples.everything).completions
    let token = all.first { $0.line == "@token" }
    #expect(token?.detail == "Token · secret field")
    #expect(token?.continues == true)
  }

  @Test("An option is offered so that the line is read back", arguments: ["Size", "a=b", "a = b"])
  func optionLines(label: String) throws {
    let options = ["small", "two words", "<<END", #""quoted""#, "= 1"]
    let screen = choice(label, options)
    var session = ShellSession.showing(screen)
    func lines(_ text: String) -> [String] {
      session.completions(of: text, on: screen).completions.map(\.line)
    }
    let quoted = "\"\(label)\""
    let heads =
      ["@size ", "@size = ", "1 ", "1 = ", quoted, quoted + " = "]
      + (label.contains(" = ") ? [] : [label, label + " ", label + " =", label + " = "])
    for head in heads {
      let found = lines(head).filter { $0 != "Sizes" }
      #expect(found.count == options.count, "\(head): \(found)")
      for (line, option) in zip(found, options) {
        #expect(session.interpret(line, on: screen).input == .choice("id-" + option), "\(line)")
      }
    }
    if label == "Size" {
      #expect(lines("Size").first == "Size = small")
      #expect(lines("size = t") == ["size = two words"])
      #expect(lines("@size = s") == ["@size = small"])
    }
  }

  @Test("A command whose first argument is required continues with a space")
  func requiredArguments() {
    let session = ShellSession.showing(screen)
    let names = session.completions(of: ":", on: screen).completions.filter(\.continues).map(\.line)
    #expect(
      names == [
        ":tab", ":open", ":press", ":page", ":find", ":sort", ":resume", ":goto",
        ":record", ":screenshot", ":sleep", ":expect", ":expect-path", ":again",
      ])
  }

  @Test("Identifiers of rows on other pages are completed, and those of several words in quotes")
  func pagedIdentifiers() throws {
    let screen = phones()
    var session = ShellSession.showing(screen)
    func lines(_ text: String) -> [String] {
      session.completions(of: text, on: screen).completions.map(\.line)
    }
    #expect(lines("@phone-4321") == ["@phone-4321"])
    #expect(lines("@phone-432") == ["@phone-432"] + (4320...4329).map { "@phone-\($0)" })
    #expect(lines("@97") == [#"@"97 80""#])
    #expect(lines(#"@"97 8"#) == [#"@"97 80""#])
    #expect(lines("@").count == 200)
    #expect(session.interpret(#"@"97 80""#, on: screen).input == .row(400))
    #expect(
      session.interpret("@97 80", on: screen).text
        == #"no control has the identifier '@97'; did you mean '@"97 80"'?"#)
    let activation = try #require(session.interpret(#"@"97 80""#, on: screen).activation)
    #expect(screen.scriptLine(for: activation) == #"@"97 80""#)
  }

  @Test("An answer to a question about a choice is completed by its options")
  func answers() throws {
    var session = ShellSession.showing(Samples.everything, ShellSession.terminal)
    let screen = Samples.everything
    guard case .prompt(let prompt) = session.interpret("@sort", on: screen) else {
      Issue.record("nothing was asked")
      return
    }
    let list = session.completions(of: "n", answering: prompt, on: screen)
    #expect(list.completions.map(\.line) == ["Name"])
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

/// A screen with a choice whose options have these labels.
private func choice(_ label: String, _ options: [String]) -> Shell.ShellScreen {
  screen { screen in
    screen.choice(
      label, id: "size", options: options.map { ChoiceOption("id-" + $0, label: $0) },
      selected: nil, action: { .tapped($0) })
    screen.button("Sizes", action: .tapped("sizes"))
  }
}

/// A screen with a long list, in which one row's identifier is of two words.
private func phones() -> Shell.ShellScreen {
  screen { screen in
    screen.list(0..<5000, id: "phones") { index in
      Row("Phone \(index)", id: index == 400 ? "97 80" : "phone-\(index)", action: .tapped("x"))
    }
  }
}
