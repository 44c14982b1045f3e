import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite struct TextFrameTests {
  private func frame(
    _ screen: ShellScreen, width: Int, style: Style = .plain
  ) -> [String] {
    var session = ShellSession(SessionSettings(format: .text(style), width: width))
    return session.frame(screen)
  }

  @Test("A screen with everything looks well in columns", arguments: [40, 80, 200])
  func everything(width: Int) throws {
    try expectGolden("everything-\(width)", frame(Samples.everything, width: width))
  }

  @Test("On a terminal there are colours and a bar")
  func terminal() throws {
    let lines = frame(Samples.everything, width: 80, style: .terminal)
    try expectGolden(
      "everything-terminal", lines.map { $0.replacing("\u{1b}", with: "␛") })
  }

  @Test("In plain mode everything is described in words, a line each")
  func linear() throws {
    let lines = frame(Samples.everything, width: 40, style: .linear)
    try expectGolden("everything-linear", lines)
    let drawing = Set("─│┌┐└┘├┤┬┴┼═║█░▁▂▃▄▅▆▇▏▎▍▌▋▊▉●○▶▪✓✗•…\u{1b}")
    for line in lines { #expect(!line.contains { drawing.contains($0) }, "\(line)") }
  }

  @Test("As JSON a screen is one object on one line")
  func json() throws {
    var session = ShellSession(SessionSettings(format: .json))
    let lines = session.frame(Samples.everything)
    #expect(lines.count == 1)
    try expectGolden("everything-json", lines)
  }

  @Test("No line is wider than the screen, at any width", arguments: [24, 33, 40, 57, 80, 132])
  func fits(width: Int) {
    for line in frame(Samples.everything, width: width) {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
  }
}
