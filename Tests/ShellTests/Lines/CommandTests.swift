import Testing

@testable import Shell
@testable internal import Support

@Suite struct CommandTests {
  private func refusal(
    _ text: String, supported: Set<ShellCommand> = Set(ShellCommand.all)
  ) -> Rejection? {
    do { _ = try LineParser(supported: supported).parse(text) } catch { return error }
    return nil
  }

  @Test(
    "Every command is read",
    arguments: [
      (":back", .back), (":dismiss", .dismiss), (":tab Home page", .tab("Home page")),
      (":open /a/b?c=d", .open(link: "/a/b?c=d")), (":graph", .graph),
      (":path", .path(full: false)), (":path --full", .path(full: true)), (":state", .state),
      (":log", .log(.latest)), (":plugins", .plugins),
      (":reload Packages", .reload(plugin: "Packages")),
      (":log --times", .log(.times)), (":log  --slow  5ms ", .log(.slow(.milliseconds(5)))),
      (":press 7", .press(7)), (":next", .next), (":prev", .previous), (":page 3", .page(3)),
      (":find a  b", .find("a  b")), (#":find " ""#, .find(" ")), (":wait", .wait(seconds: nil)),
      (":wait 0.5", .wait(seconds: 0.5)), (":expect Saved", .expect("Saved", within: nil)),
      (":expect Saved in within 2.5", .expect("Saved in", within: 2.5)),
      (":expect within 2", .expect("within 2", within: nil)),
      (#":expect "is within 2""#, .expect("is within 2", within: nil)),
      (#":expect " a " within 2"#, .expect(" a ", within: 2)),
      (":expect made within reach", .expect("made within reach", within: nil)),
      (":goto 0", .goto(0)),
      (":sleep 0.5", .sleep(seconds: 0.5)),
      (":expect-path /home", .expectPath(link: "/home")), (":explain", .explain(code: nil)),
      (":explain stale", .explain(code: "stale")),
      (":help", .help(nil)), (":help path", .help(.path)), (":help :path", .help(.path)),
      (":quit", .quit), ("  :quit\t", .quit),
    ] as [(String, Command)])
  func read(text: String, command: Command) throws {
    #expect(try LineParser().parse(text) == .command(command))
  }

  @Test("Every command is written as its usage says")
  func usages() {
    for name in ShellCommand.all {
      #expect(name.usage.hasPrefix(":\(name.name)"))
      #expect(!name.summary.isEmpty && !name.details.isEmpty)
    }
  }

  @Test(
    "An unknown command offers the nearest one",
    arguments: [
      (":bakc", "':back'"), (":exit", nil), (":Quit", "':quit'"), (":expectpath", "':expect-path'"),
      (":qu", "':quit'"),
    ] as [(String, String?)])
  func nearest(text: String, nearest: String?) throws {
    let refusal = try #require(self.refusal(text))
    #expect(refusal.code == "unknown-command")
    if let nearest {
      #expect(refusal.message.contains("did you mean \(nearest)?"))
    } else {
      #expect(refusal.message.contains("there are :back, :dismiss"))
    }
  }

  @Test("A command that the app can't carry out is refused as such, and not offered")
  func unsupported() throws {
    let supported: Set<ShellCommand> = [.back, .quit]
    #expect(refusal(":graph", supported: supported)?.code == "unsupported-command")
    #expect(
      refusal(":graph", supported: supported)?.message
        == "':graph' is not available here; there are :back, :quit")
    #expect(refusal(":grph", supported: supported)?.message.contains(":graph") == false)
    #expect(refusal(":help graph", supported: supported)?.code == "unsupported-command")
    let help = Help.lines(commands: supported, width: 80).joined(separator: "\n")
    #expect(help.contains(":quit") && !help.contains(":graph"))
  }

  @Test(
    "A command's argument must be one that it takes",
    arguments: [
      (":back now", "argument-unexpected"), (":tab", "argument-missing"),
      (":open", "argument-missing"), (#":find """#, "argument-missing"),
      (":press", "argument-missing"), (":press x", "bad-argument"), (":press 7 x", "bad-argument"),
      (":press -1", "bad-argument"), (":page 99999999999999999999", "bad-argument"),
      (":path full", "bad-argument"), (":wait -1", "bad-argument"), (":wait nan", "bad-argument"),
      (":wait 1e9", "bad-argument"), (":sleep", "argument-missing"), (":sleep x", "bad-argument"),
      (":expect a within -1", "bad-argument"), (":wait 0x1", "bad-argument"),
      (":expect x within 5s", "bad-argument"), (":expect x within 1e", "bad-argument"),
      (":rewind 0", "bad-argument"), (":forward 0", "bad-argument"), (":rewind x", "bad-argument"),
      (":log 5", "bad-argument"), (":log --slow", "argument-missing"),
      (":log --slow 5", "bad-argument"), (":log --slow 5ms 6ms", "bad-argument"),
      (":log --times 5ms", "bad-argument"), (":help nope", "unknown-command"),
      (":", "unknown-command"), (": back", "unknown-command"),
    ])
  func badArguments(text: String, code: String) {
    #expect(refusal(text)?.code == code)
  }

  @Test(
    "A time is a number with its unit",
    arguments: [
      ("5ms", .milliseconds(5)), ("250us", .microseconds(250)), ("250\u{b5}s", .microseconds(250)),
      ("250\u{3bc}s", .microseconds(250)), ("1s", .seconds(1)), ("1.5ms", .microseconds(1500)),
      ("0.25us", .nanoseconds(250)), ("0ms", .zero), ("86400s", .seconds(86_400)), ("", nil),
      ("5", nil), ("ms", nil), ("5 ms", nil), ("-5ms", nil), ("+5ms", nil), ("5m", nil),
      ("5MS", nil), ("5ns", nil), ("1e3ms", nil), ("1..5ms", nil), (".ms", nil), ("5ms5", nil),
      ("86401s", nil), ("99999999999999999999s", nil), ("٥ms", nil), ("nans", nil),
    ] as [(String, Duration?)])
  func durations(text: String, duration: Duration?) {
    #expect(Scanner.duration(text) == duration)
    if text == "5" {
      #expect(
        refusal(":log --slow \(text)")?.message
          == "':log' can't take '5': expected a time with its unit, such as 250us, 5ms or 1s")
    }
  }

  @Test("A text that ends like a time says what a time is when it is not shown")
  func withinWord() {
    #expect(Rejection.notShown("Saved").message == "the screen does not show 'Saved'")
    #expect(
      Rejection.notShown("x within abc").message
        == "the screen does not show 'x within abc'; 'abc' is not a number of seconds, so it is part "
        + "of the text")
    #expect(Rejection.notShown("within abc").message.hasSuffix("'within abc'"))
  }

  @Test("Help looks well in columns", arguments: [40, 80])
  func help(width: Int) throws {
    var lines = Help.lines(commands: Set(ShellCommand.all), width: width)
    lines += [""] + Help.lines(.find, commands: Set(ShellCommand.all), width: width)
    for line in lines { #expect(DisplayWidth.of(line) <= width) }
    try expectGolden("help-\(width)", lines)
  }

  @Test("A script that asks for past steps is told from one that does not")
  func timeline() {
    for line in [
      ":rewind", "@add\n  :record a.recording", ":now\r\n", "\u{feff}:goto 3", ":diff", ":continue",
      #"{"line": ":rewind"}"#, #" {"id": "a"}"# + "\n" + #"{"screen":1,"line":":record a"}"#,
    ] { #expect(ShellCommand.mayNeedTimeline(line.utf8), "\(line)") }
    for line in [
      "", "@add\n:back", "@text :rewind", ":recording", ":log --times", "rewind",
      #"{"id": "rewind"}"#,
    ] {
      #expect(!ShellCommand.mayNeedTimeline(line.utf8), "\(line)")
    }
  }
}
