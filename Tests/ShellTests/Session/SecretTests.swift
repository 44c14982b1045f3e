import AppCore
internal import Support
import Testing

@testable import Shell

@Suite("Secrets stay secret") struct SecretTests {
  private let login = screen { screen in
    screen.field("User", id: "user", text: "mara", action: { .tapped($0) })
    screen.secretField("Password", id: "password", isSet: true, action: { .secret($0) })
    screen.button("Sign in", id: "signin", action: .tapped("in"))
  }

  @Test("No refusal of a line with a secret repeats it")
  func refusals() {
    let lines = [
      #"2 "hunter2\n""#, "Pasword = hunter2", "Password hunter2", "Pasword hunter2",
      "@pasword hunter2", "@password\u{a0}x = hunter2 ", "9 hunter2",
      #"{"id":"password","value":["hunter2"]}"#, #"{"id":"pass","value":"hunter2"}"#,
      #"{"id":"password","value":"hunter2\n"}"#,
    ]
    for settings in [SessionSettings(), ShellSession.json] {
      for line in lines {
        var session = ShellSession.showing(login, settings)
        guard case .refused(let refusal) = session.interpret(line, on: login) else { continue }
        let output = session.lines(for: refusal).joined()
        #expect(!output.contains("hunter2"), "\(line): \(output)")
      }
    }
  }

  @Test("An activation with a secret says so")
  func activation() {
    var session = ShellSession.showing(login)
    #expect(session.interpret("2 hunter2", on: login).activation?.isSecret == true)
    #expect(session.interpret("1 mara", on: login).activation?.isSecret == false)
  }

  @Test("An intent with a secret, printed or dumped, does not show it")
  func printedIntent() {
    var session = ShellSession.showing(login)
    let intent = session.interpret("2 hunter2", on: login)
    var dumped = ""
    dump(intent, to: &dumped)
    for text in ["\(intent)", String(reflecting: intent), dumped] {
      #expect(!text.contains("hunter2"))
    }
  }

  @Test("Neither text nor JSON shows more of a secret than whether it is set")
  func frames() {
    var text = ShellSession()
    #expect(text.frame(login).contains("[2] Password: ••• set"))
    var json = ShellSession(ShellSession.json)
    #expect(
      json.frame(login)[0].contains(
        #""id":"password","label":"Password","set":true,"enabled":true,"type":"secret""#))
  }

  @Test(
    "A history keeps what holds no secret for certain",
    arguments: [
      ("2 hunter2", false), ("@password hunter2", false), ("Password = hunter2", false),
      ("Pasword = hunter2", false), ("Password hunter2", false), ("9 hunter2", false),
      ("\"x", false), ("1 mara", true), ("3", true), (":back", true), ("Sign in", true),
      ("Password", true), ("@user mara", true),
    ])
  func history(line: String, isKept: Bool) {
    let session = ShellSession.showing(login)
    #expect(session.mayRemember(line, on: login) == isKept)
  }

  @Test("Nor a line that was begun on a screen with a secret, whatever is shown when it is sent")
  func formerScreen() {
    let alone = screen {
      $0.secretField("Password", id: "password", isSet: false, action: { .secret($0) })
    }
    let without = screen { $0.field("User", id: "user", text: "", action: { .tapped($0) }) }
    for (former, now, line) in [
      // The number is that of another field now, the label that of none.
      (alone, login, "1 hunter2"), (login, without, "2 hunter2"),
      (login, without, "Password = hunter2"), (login, without, "Pasword = hunter2"),
    ] {
      var session = ShellSession.showing(former)
      _ = session.frame(now)
      #expect(!session.mayRemember(line, on: now, seenScreen: 1), "\(line)")
      #expect(!session.logged(Array(line.utf8), on: now, seenScreen: 1).contains("hunter2"))
    }
    var session = ShellSession.showing(alone)
    _ = session.frame(login)
    #expect(session.mayRemember("1 mara", on: login, seenScreen: 2))
    #expect(session.mayRemember(":back", on: login, seenScreen: 1))
  }
}
