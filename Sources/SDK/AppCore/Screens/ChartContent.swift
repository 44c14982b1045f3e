/// Numbers over time, the latest last: drawn as a small curve where that can be seen.
@_spi(Host)
public struct SeriesContent: Sendable {
  public let label: String
  /// The numbers, the latest last; those that aren't finite are gaps.
  public let values: [Double]
  /// The least and the greatest number of the scale; `nil` for those of the values.
  public let bounds: ClosedRange<Double>?
  /// What is after each number, such as `%`; empty if there is none.
  public let unit: String
}

/// Numbers side by side, each with a name.
@_spi(Host)
public struct BarsContent: Sendable {
  public let bars: [Bar]
  /// The number that a full bar stands for; `nil` for the greatest one.
  public let maximum: Double?
  /// What is after each number, such as `MB`; empty if there is none.
  public let unit: String
}

/// A name and a number, for a bar chart.
public struct Bar: Sendable {
  public let label: String
  public let value: Double

  /// Creates a bar; one that is less than zero, or not finite, is drawn empty.
  public init(_ label: String, _ value: Double) {
    self.label = label
    self.value = value
  }
}

extension ScreenBuilder {
  /// Adds numbers over time, as a curve of one line with the latest number.
  ///
  /// Where they are more than fit, the latest are drawn.
  ///
  /// - Parameters:
  ///   - label: what is measured.
  ///   - values: the numbers, the latest last.
  ///   - bounds: the least and the greatest number of the scale; those of the values unless given.
  ///   - unit: what is after each number, such as `%`.
  public mutating func sparkline(
    _ label: String, values: [Double], in bounds: ClosedRange<Double>? = nil, unit: String = ""
  ) {
    add(
      .sparkline(SeriesContent(label: label, values: values, bounds: bounds, unit: unit)))
  }

  /// Adds numbers side by side, one bar a line.
  ///
  /// - Parameters:
  ///   - bars: the numbers and their names.
  ///   - maximum: the number that a full bar stands for; the greatest one unless given.
  ///   - unit: what is after each number, such as `MB`.
  public mutating func bars(_ bars: [Bar], maximum: Double? = nil, unit: String = "") {
    add(.bars(BarsContent(bars: bars, maximum: maximum, unit: unit)))
  }
}
