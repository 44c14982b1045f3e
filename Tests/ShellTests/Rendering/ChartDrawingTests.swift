import AppCore
import Testing

@testable import Shell
@testable import Support

@Suite struct ChartDrawingTests {
  private func lines(
    width: Int = 60, style: Style = .plain, _ build: (inout ScreenBuilder<SampleAction>) -> Void
  ) -> [String] {
    var session = ShellSession(SessionSettings(format: .text(style), width: width))
    return Array(session.frame(screen(build: build)).dropFirst(2))
  }

  @Test("A curve rises with its values, and tells the latest")
  func curve() {
    #expect(
      lines { $0.sparkline("Load", values: [0, 1, 2, 3, 4, 5, 6, 7], unit: "%") }
        == ["Load  ▁▂▃▄▅▆▇█  7 %"])
  }

  @Test("The scale is the one that is given, and what is beyond it stays at its edge")
  func bounds() {
    #expect(lines { $0.sparkline("L", values: [5, 50, 500], in: 0...100) } == ["L  ▁▅█  500"])
  }

  @Test("Equal values are in the middle, those that aren't finite are gaps")
  func odd() {
    #expect(lines { $0.sparkline("L", values: [2, .nan, 2]) } == ["L  ▅ ▅  2"])
    #expect(lines { $0.sparkline("L", values: []) } == ["L  (no values)"])
    #expect(
      lines { $0.sparkline("L", values: [-.greatestFiniteMagnitude, .greatestFiniteMagnitude]) }
        .first?.hasPrefix("L  ▁█") == true)
  }

  @Test(
    "An infinite bound is that of the values",
    arguments: [
      (-.infinity...10, "▁▅█"), (0 ... .infinity, "▁▅█"), (-.infinity ... .infinity, "▁▅█"),
      (0 ... .greatestFiniteMagnitude, "▁▁▁"), (10...10, "▅▅▅"),
    ] as [(ClosedRange<Double>, String)])
  func infiniteBounds(bounds: ClosedRange<Double>, curve: String) {
    #expect(lines { $0.sparkline("L", values: [0, 5, 10], in: bounds) } == ["L  \(curve)  10"])
  }

  @Test(
    "No number traps",
    arguments: [
      -.infinity, -.greatestFiniteMagnitude, -1, -.leastNonzeroMagnitude, 0,
      .leastNonzeroMagnitude, 1, 1e15, .greatestFiniteMagnitude, .infinity, .nan,
    ])
  func extremes(number: Double) {
    for style in [Style.plain, .linear, Style(hasColor: false, drawsBars: true)] {
      for other in [-Double.greatestFiniteMagnitude, 0, .leastNonzeroMagnitude, .infinity, .nan] {
        let shown = lines(width: 0, style: style) { screen in
          screen.bars([Bar("a", number), Bar("b", other)], maximum: number)
          screen.bars([Bar("a", other)], maximum: number)
          screen.progress("p", fraction: number)
          let bounds = other <= number ? other...number : nil
          screen.sparkline("s", values: [number, 1, other], in: bounds)
        }
        #expect(!shown.isEmpty)
      }
    }
  }

  @Test("Where all values do not fit, the latest are drawn")
  func latest() {
    let values = (0..<500).map(Double.init)
    let line = lines(width: 40) { $0.sparkline("Load", values: values, in: 0...499) }[0]
    #expect(DisplayWidth.of(line) <= 40)
    #expect(line.hasSuffix("█  499"))
  }

  @Test("Bars are as long as their numbers, in eighths of a cell")
  func bars() {
    #expect(
      lines(width: 24) {
        $0.bars([Bar("a", 8), Bar("bc", 4.5), Bar("none", 0), Bar("odd", -.infinity)])
      } == [
        "a     █████████████    8",
        "bc    ███████▍       4.5",
        "none                   0",
        "odd                    –",
      ])
  }

  @Test("A value above zero shows as more than nothing")
  func least() {
    let shown = lines { $0.bars([Bar("a", 1e6), Bar("b", 1)]) }
    #expect(shown[1].contains("▏"))
  }

  @Test("In plain mode a curve is described in words")
  func words() {
    #expect(
      lines(style: .linear) { $0.sparkline("Load", values: [1, 9, 4], unit: "%") }
        == ["Load: 4 %; from 1 % to 9 % in 3 values"])
  }
}
