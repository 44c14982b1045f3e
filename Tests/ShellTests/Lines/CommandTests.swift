internal import TestSupport
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

  @Test("Each command is read, and its argument must be one that it takes")
  func commands() throws {
    try expectTable("commands") { text in
      do throws(Rejection) {
        guard case .command(let command) = try LineParser().parse(text) else { return "no command" }
        if case .help(let subject?) = command { return "help(\(subject.name))" }
        return "\(command)"
      } catch { return "✗ \(error.code): \(error.message)" }
    }
  }

  @Test("Every command is written as its usage says")
  func usages() {
    for name in ShellCommand.all {
      #expect(name.usage.hasPrefix(":\(name.name)"))
      #expect(!name.summary.isEmpty && !name.details.isEmpty)
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

  @Test("A time is a number with its unit")
  func durations() throws {
    try expectTable("durations") { Scanner.duration($0).map { "\($0)" } ?? "none" }
    #expect(
      refusal(":log --slow 5")?.message
        == "':log' can't take '5': expected a time with its unit, such as 250us, 5ms or 1s")
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
