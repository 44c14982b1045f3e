import Testing

@testable import Shell
@testable import Support

@Suite struct LogDrawingTests {
  private let drawing = LogDrawing([
    .init(origin: "line", text: "line 1: Start"),
    .init(
      origin: "delegate", owner: "work #0.0", text: ".delegate(.left)", microseconds: 12.4,
      notes: [.init("emitted 'left'"), .init("refused: at the start [at-root]", isFailure: true)]),
    .init(origin: "effect", owner: "work #0.0", text: "slow", microseconds: 2500),
  ])

  @Test("Entries stand in columns, what came of them beneath")
  func columns() {
    #expect(
      drawing.lines(width: 60, style: .plain) == [
        "line                          line 1: Start",
        "delegate  work #0.0    12 µs  .delegate(.left)",
        "  → emitted 'left'",
        "  ✗ refused: at the start [at-root]",
        "effect    work #0.0   2.5 ms  slow",
      ])
  }

  @Test("In plain mode they are described in words")
  func words() {
    #expect(
      drawing.lines(width: 60, style: .linear)[1...3] == [
        "delegate, work #0.0, .delegate(.left), 12 µs", "  Then: emitted 'left'",
        "  Failed: refused: at the start [at-root]",
      ])
  }

  @Test("No line is wider than the screen, at any width", arguments: [20, 33, 80])
  func fits(width: Int) {
    for line in drawing.lines(width: width, style: .plain) {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
  }
}
