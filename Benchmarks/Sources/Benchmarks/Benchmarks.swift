import AppCore
import Glibc
import PluginHost

/// Prints a table of rows, each with a baseline that is measured in the same run.
///
/// `--quick` only shows that every row runs; its figures mean nothing. `--only TEXT` measures the
/// rows whose names contain the text.
@main
struct Benchmarks {
  static func main() async throws {
    switch CommandLine.arguments.dropFirst().first {
    case "--load": return try loadOnly()
    case "--scan":
      let arguments = CommandLine.arguments.dropFirst(2)
      return try Scans.scan(Array(arguments.dropFirst()), cache: arguments.first ?? "")
    case "--serve": exit(Scans.serve())
    default: break
    }
    let isQuick = CommandLine.arguments.contains("--quick")
    var measurement = Measurement(rounds: isQuick ? 1 : 7, divisor: isQuick ? 1000 : 1)
    if let index = CommandLine.arguments.firstIndex(of: "--only") {
      measurement.only = CommandLine.arguments.dropFirst(index + 1).first ?? ""
    }
    let bench = Bench(measurement)
    var rows = try await bench.rows()
    rows += CollectionRows(measurement: measurement).rows()
    if measurement.includes("plugin: load") {
      rows += try PluginLoads(count: isQuick ? 3 : 50).rows()
    }
    if measurement.includes("plugin: scan") {
      rows += try Scans(count: isQuick ? 20 : 200).rows()
    }
    print("| row | ns | baseline | ns | ratio |")
    print("| --- | ---: | --- | ---: | ---: |")
    for row in rows {
      let ratio = row.nanoseconds / row.baselineNanoseconds
      print(
        "| \(row.name) | \(text(row.nanoseconds)) | \(row.baseline) "
          + "| \(text(row.baselineNanoseconds)) | \(text(ratio)) |")
    }
    print("\n| allocations for each | |\n| --- | ---: |")
    for (name, count) in try await bench.allocations() { print("| \(name) | \(text(count)) |") }
  }

  /// `--load FILE CACHE` loads one plugin, which creates its private copy for another process.
  private static func loadOnly() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4 else {
      throw BenchError.noPlugin("--load takes a file and a cache")
    }
    let loader = PluginLoader(environment: ["XDG_CACHE_HOME": arguments[3]])
    _ = try loader.load(loader.open(path: arguments[2]))
  }

  /// A number with one decimal.
  private static func text(_ number: Double) -> String {
    guard number.isFinite else { return "–" }
    let tenths = Int((number * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }
}
