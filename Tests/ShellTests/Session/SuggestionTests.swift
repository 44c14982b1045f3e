@_spi(Host) import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite("Fields that suggest, and progress that is cancelled") struct SuggestionTests {
  @Test("Tab completes the suggestions of a field, and others can be written")
  func completion() {
    let city = screen { screen in
      screen.field(
        "City", id: "city", text: "", suggestions: ["Oslo", "Ås \"x\"", "two\nlines"]
      ) { .tapped($0) }
    }
    var session = ShellSession.showing(city)
    func lines(_ head: String) -> [String] {
      session.completions(of: head, on: city).completions.map(\.line)
    }
    #expect(lines("@city o") == ["@city Oslo"])
    #expect(lines("City = å") == [#"City = Ås "x""#])
    for line in lines("@city ") {
      #expect(session.interpret(line, on: city).code == nil, "\(line)")
    }
    #expect(session.interpret("@city Bergen", on: city).input == .text("Bergen"))
    session.settings.format = .json
    let json = session.frame(city).joined()
    #expect(json.contains(#""suggestions":["Oslo","Ås \"x\""]"#))
  }

  @Test("A progress that can be cancelled has a button in lines, and in JSON its label")
  func cancelling() {
    let copying = screen { screen in
      screen.progress("Reading", fraction: 0.5, id: "stop", cancelAction: .tapped("stop"))
    }
    var session = ShellSession.showing(copying)
    #expect(session.frame(copying).contains("[1] Cancel"))
    #expect(session.interpret("@stop", on: copying).input == .press)
    session.settings.format = .json
    #expect(session.frame(copying).joined().contains(#""enabled":true,"cancels":"Reading""#))
  }
}
