import AppCore
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

  @Test("No line is wider than the screen, at any width", arguments: [20, 33, 44, 60, 80])
  func fits(width: Int) {
    let lines = drawing.lines(width: width, style: .plain)
    for line in lines + TimesDrawingTests.drawing.lines(width: width, style: .plain) {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
  }
}

@Suite struct TimesDrawingTests {
  @Test("Times from 999.5 µs on are in milliseconds")
  func border() {
    #expect(NumberText.time(microseconds: 999.4) == "999 µs")
    #expect(NumberText.time(microseconds: 999.6) == "1 ms")
    #expect(NumberText.time(microseconds: 1500) == "1.5 ms")
  }

  static let drawing = TimesDrawing([
    (
      action: "Packages.List.view.rowTapped", count: 3, total: 12_340, mean: 4113, longest: 9000
    ),
    (
      action: "Dialogs.Confirm.view.yes\u{1b}[31m", count: 120, total: 240, mean: 2, longest: 7.4
    ),
  ])

  @Test("Numbers are in columns, the actions beside them")
  func columns() {
    #expect(
      Self.drawing.lines(width: 70, style: .plain) == [
        "count     total     mean  longest  action",
        "    3  12.34 ms  4.11 ms     9 ms  Packages.List.view.rowTapped",
        "  120    240 µs     2 µs     7 µs  Dialogs.Confirm.view.yes␛[31m",
      ])
  }

  @Test("Where there is no room for columns they are below the action")
  func narrow() {
    #expect(
      Self.drawing.lines(width: 44, style: .plain)[0...2] == [
        "Packages.List.view.rowTapped", "  3×, total 12.34 ms, mean 4.11 ms, longest", "  9 ms",
      ])
  }

  @Test("In plain mode they are described in words")
  func words() {
    #expect(
      Self.drawing.lines(width: 40, style: .linear).first
        == "Packages.List.view.rowTapped: 3×, total 12.34 ms, mean 4.11 ms, longest 9 ms")
  }
}

@Suite struct StateDrawingTests {
  private func lines(_ value: Value, before: Value? = nil, style: Style = .plain) -> [String] {
    StateDrawing(value, before: before).lines(width: 60, style: style)
  }

  @Test("A state is a tree, its fields by name")
  func tree() {
    #expect(
      lines(["name": "Ada", "tags": ["a", "b"], "none": [], "at": ["x": 1]]) == [
        "  at: {…}", "    x: 1", "  name: \"Ada\"", "  none: []", "  tags: (2)", "    0: \"a\"",
        "    1: \"b\"",
      ])
    #expect(lines(4) == ["  4"])
  }

  @Test("Changed values are marked with what they were; added and removed ones are marked too")
  func changes() {
    let before: Value = ["name": "", "old": 1, "tags": ["a"], "same": true]
    let after: Value = ["name": "Ada", "new": 2, "tags": ["a", "b"], "same": true]
    #expect(
      lines(after, before: before) == [
        "* name: \"Ada\"   ← was \"\"", "* new: 2   ← new", "  same: true",
        "* tags: (2)   ← was 1 long", "    0: \"a\"", "*   1: \"b\"   ← new",
        "* old: gone   ← was 1",
      ])
    #expect(
      lines(["a": 1], before: ["a": 2], style: .linear) == ["a: 1 (changed, was 2)"])
  }

  @Test("Of a long list the first are shown, and deep values come to an end")
  func limits() {
    let long = lines(.array((0..<1000).map { .int($0) }))
    #expect(long.count == 51 && long.last == "  … 950 more")
    var deep: Value = 1
    for _ in 0..<500 { deep = ["a": deep] }
    #expect(lines(deep).count < 40)
  }

  @Test("Text in a state can't move the cursor")
  func safe() {
    for line in lines(["\u{1b}[2J": "\u{1b}[2J\n"]) { #expect(!line.contains("\u{1b}")) }
  }
}
