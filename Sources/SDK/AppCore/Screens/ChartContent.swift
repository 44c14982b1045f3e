/// Numbers over time, drawn as a small curve if the output allows it.
@_spi(Host)
public struct SeriesContent: Sendable {
  public let label: String
  /// The numbers, the latest last; those that aren't finite are gaps.
  public let values: [Double]
  /// The bounds of the scale; `nil` for the least and the greatest of the values.
  public let bounds: ClosedRange<Double>?
  /// The suffix of each number, such as `%`; empty for none.
  public let unit: String
}

/// Numbers side by side, each with a name.
@_spi(Host)
public struct BarsContent: Sendable {
  public let bars: [Bar]
  /// The number that a full bar represents; `nil` for the greatest one.
  public let maximum: Double?
  /// The suffix of each number, such as `MB`; empty for none.
  public let unit: String
}

/// A name and a number, for a bar chart.
public struct Bar: Sendable {
  public let label: String
  public let value: Double

  /// Creates a bar; a value that is negative or not finite is drawn as an empty bar.
  public init(_ label: String, _ value: Double) {
    self.label = label
    self.value = value
  }
}

extension ScreenBuilder {
  /// Adds numbers over time, the latest last, as a curve of one line with as many as fit, between
  /// bounds that are by default the least and the greatest of them.
  public mutating func sparkline(
    _ label: String, values: [Double], in bounds: ClosedRange<Double>? = nil, unit: String = ""
  ) {
    add(
      .sparkline(SeriesContent(label: label, values: values, bounds: bounds, unit: unit)))
  }

  /// Adds numbers as bars, one per line; a full bar represents `maximum`, by default the greatest.
  public mutating func bars(_ bars: [Bar], maximum: Double? = nil, unit: String = "") {
    add(.bars(BarsContent(bars: bars, maximum: maximum, unit: unit)))
  }
}
