/// Prints a table: each row beside its baseline, measured in the same run.
///
/// `--quick` only shows that every row runs; its figures mean nothing.
@main
struct Benchmarks {
  static func main() async throws {
    let isQuick = CommandLine.arguments.contains("--quick")
    let measurement = Measurement(rounds: isQuick ? 1 : 7, divisor: isQuick ? 1000 : 1)
    let rows = try await Bench(measurement).rows()
    print("| row | ns | baseline | ns | ratio |")
    print("| --- | ---: | --- | ---: | ---: |")
    for row in rows {
      let ratio = row.nanoseconds / row.baselineNanoseconds
      print(
        "| \(row.name) | \(text(row.nanoseconds)) | \(row.baseline) "
          + "| \(text(row.baselineNanoseconds)) | \(text(ratio)) |")
    }
  }

  /// A number with one digit after the point.
  private static func text(_ number: Double) -> String {
    guard number.isFinite else { return "–" }
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
