@_spi(Host) internal import AppCore
internal import Support

/// Draws sparklines and bar charts, with their numbers.
struct ChartDrawing {
  let width: Int
  private static let levels = Array("▁▂▃▄▅▆▇█")
  /// Partially filled cells, from 1/8 to 7/8.
  private static let parts = Array("▏▎▍▌▋▊▉")
  private static let longestCurve = 60
  private static let longestBar = 40

  /// A sparkline: `LABEL  ▁▂▅█  42 %`, with the latest number; a label that leaves too little room
  /// goes above.
  func lines(_ series: SeriesContent) -> [StyledLine] {
    let label = SafeText.line(series.label)
    let latest = series.values.last.map { NumberText.of($0, unit: series.unit) } ?? "(no values)"
    let needed = min(series.values.count, Self.longestCurve)
    let beside = width - DisplayWidth.of(label) - DisplayWidth.of(latest) - 4
    if beside >= min(needed, 8) {
      var line = StyledLine(label + "  ")
      line.append(curve(series, cells: min(needed, beside)), .success)
      line.append((series.values.isEmpty ? "" : "  ") + latest)
      return [line]
    }
    let below = max(width - DisplayWidth.of(latest) - 4, 1)
    var line = StyledLine("  ")
    line.append(curve(series, cells: min(needed, below)), .success)
    line.append("  " + latest)
    return StyledLine.wrap(label, to: width) + [line]
  }

  /// The curve of the latest values, one value per cell.
  private func curve(_ series: SeriesContent, cells: Int) -> String {
    let finite = series.values.filter(\.isFinite)
    // Nothing can be drawn up to an infinite bound: the scale ends with the values.
    let bounds = [series.bounds?.lowerBound, series.bounds?.upperBound].map { bound in
      bound.flatMap { $0.isFinite ? $0 : nil }
    }
    let low = bounds[0] ?? finite.min() ?? 0
    let high = bounds[1] ?? finite.max() ?? 0
    let top = Double(Self.levels.count - 1)
    return String(
      series.values.suffix(max(cells, 0)).map { value -> Character in
        guard value.isFinite else { return " " }
        // Halved, so that the range does not overflow to infinity.
        let range = high / 2 - low / 2
        let share = range > 0 ? (value / 2 - low / 2) / range : 0.5
        return Self.levels[Int((min(max(share, 0), 1) * top).rounded())]
      })
  }

  /// One line for each bar: the label, the bar and the number.
  func lines(_ chart: BarsContent) -> [StyledLine] {
    guard !chart.bars.isEmpty else { return [StyledLine("(no values)", .dim)] }
    let labels = chart.bars.map { SafeText.line($0.label) }
    let numbers = chart.bars.map { NumberText.of($0.value, unit: chart.unit) }
    let numberWidth = numbers.map(DisplayWidth.of).max() ?? 0
    let labelWidth = min(labels.map(DisplayWidth.of).max() ?? 0, max(width * 2 / 5, 6))
    let cells = min(width - labelWidth - numberWidth - 4, Self.longestBar)
    let finite = chart.bars.map(\.value).filter(\.isFinite)
    let full = chart.maximum ?? finite.max() ?? 0
    return zip(chart.bars, zip(labels, numbers)).map { bar, texts in
      var line = StyledLine(
        TextLayout.pad(TextLayout.truncate(texts.0, to: labelWidth), to: labelWidth))
      if cells >= 4 {
        let drawn = Self.bar(bar.value, of: full, cells: cells)
        line.append("  ")
        line.append(TextLayout.pad(drawn, to: cells), .success)
      }
      line.append("  " + TextLayout.pad(texts.1, to: numberWidth, trailing: true))
      return line
    }
  }

  private static func bar(_ value: Double, of full: Double, cells: Int) -> String {
    guard value.isFinite, full.isFinite, full > 0, value > 0 else { return "" }
    let eighths = Int((min(value / full, 1) * Double(cells * 8)).rounded())
    // A positive value always has a visible bar.
    guard eighths > 0 else { return String(parts[0]) }
    let part = eighths % 8
    return String(repeating: "█", count: eighths / 8)
      + (part > 0 ? String(parts[part - 1]) : "")
  }
}

/// Formats numbers with their units for users.
enum NumberText {
  /// The number with at most two decimals, a space and its unit.
  static func of(_ number: Double, unit: String = "") -> String {
    guard number.isFinite else { return "–" }
    let suffix = unit.isEmpty ? "" : " " + SafeText.line(unit)
    let hundredths = (number * 100).rounded()
    // Above this a `Double` can't represent hundredths exactly.
    guard abs(hundredths) < 1e15 else { return "\(number)" + suffix }
    let rounded = hundredths / 100
    return (Int(exactly: rounded).map(String.init) ?? String(rounded)) + suffix
  }

  /// A duration: in whole microseconds, or from 1 ms on in milliseconds.
  static func time(microseconds: Double) -> String {
    microseconds.rounded() < 1000
      ? "\(Int(microseconds.rounded())) µs" : of(microseconds / 1000, unit: "ms")
  }
}
