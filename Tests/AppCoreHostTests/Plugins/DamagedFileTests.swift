import Foundation
internal import PluginHost
import TestSupport
import Testing

@testable import AppCoreCLI
@testable internal import AppCoreHost

/// Files that are cut off or changed at random, through the whole life of a plugin up to its
/// registration: in a host, which lives.
///
/// 30 files, 100 where all tests run, unless `APPCORE_FAULT_FILES` says how many; the seeds are fixed. Each has a process of
/// its own, as a user's would: what one damaged file does to the Swift runtime's tables must not be
/// taken for another's doing.
@Suite(
  "Damaged plugin files", .serialized,
  .notSanitized("loads plugins that trap, which only a scan survives"))
struct DamagedFileTests {
  private static let fileCount =
    ProcessInfo.processInfo.environment["APPCORE_FAULT_FILES"].flatMap { Int($0) }
    ?? (runsAllTests ? 100 : 30)

  /// An app with a plugin that is loaded before it begins, and shown nowhere.
  private static let manifest = """
    appcore: 1
    name: damaged
    plugins: [MockGood, { path: plugins/damaged.so, load: eager }]
    start: ask
    nodes:
      ask:  { feature: MockGood.Ask, with: { question: why } }
      page: { feature: MockFaults.Page }
    routes:
      - { from: ask, action: [answered, cancelled], push: page }
      - { from: page, action: left, do: back }

    """

  /// What became of a file: the code of what was said, or `fine`; and how the process ended.
  private func outcome(
    of bytes: [UInt8], _ bench: Workbench
  ) async throws -> (code: String, status: Int32) {
    try Data(bytes).write(to: URL(fileURLWithPath: bench.folder + "/plugins/damaged.so"))
    let path = try bench.write(Self.manifest, to: "app.yaml")
    let result = try await bench.run("MockHost", [path])
    #expect(result.status != 0 || result.output.contains("MockFaults loaded"))
    Self.removeCopies(bench)
    guard result.status != 0 else { return ("fine", 0) }
    // What was refused is explained by `inspect`, by its code.
    let report = PluginReport(
      [bench.folder + "/plugins/damaged.so"], options: bench.options, scans: true)
    Self.removeCopies(bench)
    return (report.entries[0].problem?.code ?? "none", result.status)
  }

  /// Thousands of them would fill the disk.
  private static func removeCopies(_ bench: Workbench) {
    let folder = bench.folder + "/cache/appcore/plugins"
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    where name.hasPrefix("MockFaults") {
      try? FileManager.default.removeItem(atPath: folder + "/" + name)
    }
  }

  private func original() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Project.build + "/libMockFaults.so")))
  }

  @Test("Cut off at every kilobyte: refused each time, for being cut off")
  func truncated() throws {
    let bench = try Workbench()
    let whole = try original()
    let path = bench.folder + "/plugins/cut.so"
    for size in stride(from: 1024, to: whole.count, by: 1024) {
      try Data(whole.prefix(size)).write(to: URL(fileURLWithPath: path))
      let problem = try #require(PluginReport([path], options: bench.options).entries[0].problem)
      #expect(problem.code == "plugin-truncated", "at \(size): \(problem)")
    }
  }

  @Test("Changed in a byte, in several, or cut off: refused, quarantined or fine, and nothing else")
  func changed() async throws {
    let bench = try Workbench()
    let whole = try original()
    var random = SplitMix64(seed: 20_260_301)
    var total: [String: Int] = [:]
    for index in 0..<Self.fileCount {
      var bytes = whole
      switch Int.random(in: 0..<8, using: &random) {
      case 0: bytes.removeLast(1 + Int.random(in: 0..<bytes.count - 1, using: &random))
      // Most of what the loader reads is at the front.
      case 1...4:
        bytes[Int.random(in: 0..<0x600, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      case 5...6:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: .min ... .max, using: &random)
      default:
        for _ in 0..<8 {
          bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
            in: .min ... .max, using: &random)
        }
      }
      let (code, status) = try await outcome(of: bytes, bench)
      total[code, default: 0] += 1
      #expect(status == 0 || status == 69 || status == 65, "file \(index): \(code), \(status)")
      if status >= 128 {
        let kept = NSTemporaryDirectory() + "appcore-damaged-\(index).so"
        try Data(bytes).write(to: URL(fileURLWithPath: kept))
        Issue.record("file \(index) ended the host; it is kept as \(kept)")
      }
    }
    // Of damage at random some is harmless and most is not.
    #expect(total["fine", default: 0] > 0)
    #expect(total["fine", default: 0] < Self.fileCount)
    print("damaged files:", total.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
  }
}
