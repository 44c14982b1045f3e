import AppCore
import Testing

@testable import FullScreen
@testable import Shell
@testable import Support

@Suite("The colors of an app full screen") struct ThemeTests {
  private static func theme(_ colors: [Role: String]) -> Theme {
    var theme = Theme()
    theme.colors = colors.compactMapValues { TerminalColor($0) }
    return theme
  }

  @Test(
    "A color has the nearest code that the terminal can show",
    arguments: [
      ("blue", "34", "34", "34"), ("bright-white", "97", "97", "97"),
      ("#1e90ff", "38;2;30;144;255", "38;5;33", "94"), ("#000000", "38;2;0;0;0", "38;5;16", "30"),
      ("#FFFFFF", "38;2;255;255;255", "38;5;231", "97"),
      ("#808080", "38;2;128;128;128", "38;5;244", "90"),
      ("#c00000", "38;2;192;0;0", "38;5;124", "31"),
    ])
  func codes(name: String, full: String, many: String, few: String) throws {
    let color = try #require(TerminalColor(name))
    #expect(color.code(.full) == full)
    #expect(color.code(.twoHundredFiftySix) == many)
    #expect(color.code(.sixteen) == few)
  }

  @Test(
    "What is not a color is none",
    arguments: ["", "#", "#12345", "#1234567", "#12345g", "#+12345", "Blue", "brightblue", "#１２３"])
  func noColors(text: String) { #expect(TerminalColor(text) == nil) }

  @Test(
    "The environment says how many colors a terminal has",
    arguments: [
      ("xterm", nil, TerminalColor.Depth.sixteen), ("xterm-256color", nil, .twoHundredFiftySix),
      ("xterm-256color", "truecolor", .full), ("xterm", "24bit", .full),
      ("xterm-direct", nil, .full),
      ("xterm", "yes", .sixteen), (nil, nil, .sixteen),
    ] as [(String?, String?, TerminalColor.Depth)])
  func depth(terminal: String?, color: String?, expected: TerminalColor.Depth) {
    let variables = ["TERM": terminal, "COLORTERM": color]
    #expect(TerminalColor.Depth { variables[$0] ?? nil } == expected)
  }

  @Test("A role has its color, with its weight, and NO_COLOR wins")
  func roles() {
    let theme = Self.theme([
      .strong: "blue", .dim: "cyan", .focus: "#1e90ff", .selection: "red", .accent: "green",
      .border: "white", .disabled: "black",
    ])
    let palette = Palette(hasColor: true, depth: .full)
    let codes: [(Role, String)] = [
      (.plain, ""), (.strong, "1;34"), (.dim, "36"), (.focus, "7;38;2;30;144;255"),
      (.selection, "4;31"), (.accent, "1;32"), (.border, "37"), (.disabled, "30"), (.error, "31"),
    ]
    for (role, code) in codes { #expect(palette.code(role, theme) == code, "\(role)") }
    for role in Role.allCases {
      #expect(Palette(hasColor: false).code(role, theme) == Palette(hasColor: false).code(role))
    }
  }

  @Test("Another theme draws everything again, the same one nothing")
  func changes() {
    var drawn = Drawn(.form())
    let palette = Palette(hasColor: true)
    let former = drawn.view.picture()
    var picture = former
    picture.theme = Self.theme([.border: "blue"])
    let text = picture.text(after: former, palette)
    #expect(text.contains("\u{1b}[2J") && text.contains("\u{1b}[0;34m"))
    #expect(picture.text(after: picture, palette) == "")
    #expect(picture.svg.contains(".border { fill: #83a598 }"))
    picture.theme = Self.theme([.focus: "#0a0B0c"])
    #expect(picture.svg.contains("rect.focus { fill: #0a0b0c }"))
  }
}
