import Testing

@testable import Shell
@testable import Support

@Suite struct TimesDrawingTests {
  @Test("Times from 999.5 µs on are in milliseconds")
  func border() {
    #expect(NumberText.time(microseconds: 999.4) == "999 µs")
    #expect(NumberText.time(microseconds: 999.6) == "1 ms")
    #expect(NumberText.time(microseconds: 1500) == "1.5 ms")
  }

  private let drawing = TimesDrawing([
    .init(
      action: "Packages.List.view.rowTapped", count: 3, total: 12_340, mean: 4113, longest: 9000),
    .init(
      action: "Dialogs.Confirm.view.yes\u{1b}[31m", count: 120, total: 240, mean: 2, longest: 7.4),
  ])

  @Test("Numbers are in columns, the actions beside them")
  func columns() {
    #expect(
      drawing.lines(width: 70, style: .plain) == [
        "count     total     mean  longest  action",
        "    3  12.34 ms  4.11 ms     9 ms  Packages.List.view.rowTapped",
        "  120    240 µs     2 µs     7 µs  Dialogs.Confirm.view.yes␛[31m",
      ])
  }

  @Test("Where there is no room for columns they are below the action")
  func narrow() {
    #expect(
      drawing.lines(width: 44, style: .plain)[0...2] == [
        "Packages.List.view.rowTapped", "  3×, total 12.34 ms, mean 4.11 ms, longest", "  9 ms",
      ])
  }

  @Test("In plain mode they are described in words")
  func words() {
    #expect(
      drawing.lines(width: 40, style: .linear).first
        == "Packages.List.view.rowTapped: 3×, total 12.34 ms, mean 4.11 ms, longest 9 ms")
  }

  @Test("No line is wider than the screen, at any width", arguments: [20, 33, 44, 60, 80])
  func fits(width: Int) {
    for line in drawing.lines(width: width, style: .plain) {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
    }
  }
}
