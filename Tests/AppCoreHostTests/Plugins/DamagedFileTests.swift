import Foundation
internal import PluginHost
import Testing

@testable internal import AppCoreHost

/// Files that are cut off or changed at random, through the whole life of a plugin up to its
/// registration in this process: which lives.
///
/// 250 files unless `APPCORE_FAULT_FILES` says how many; the seeds are fixed.
@Suite("Damaged plugin files", .serialized)
struct DamagedFileTests {
  private static let fileCount =
    ProcessInfo.processInfo.environment["APPCORE_FAULT_FILES"].flatMap { Int($0) } ?? 250

  /// What became of files, by the code of what was said; `fine` for what was registered.
  private func outcomes(
    of files: [[UInt8]], _ bench: Workbench, start: Int
  ) throws -> [String: Int] {
    var options = bench.options
    options.scanLimit = .seconds(5)
    let loading = PluginLoading(locator: PluginLocator(), options: options)
    let found = try files.enumerated().map { index, bytes in
      let path = "\(bench.folder)/plugins/\(start + index).so"
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      return Result { () throws(PluginProblem) in try loading.get(path: path) }
    }
    loading.finish()
    var counts: [String: Int] = [:]
    for found in found {
      do throws(PluginProblem) {
        let member = try loading.member(of: found.get())
        _ = try member.witness()
        #expect(member.info.name == "MockFaults")
        counts["fine", default: 0] += 1
      } catch {
        #expect(!error.message.isEmpty)
        counts[error.code, default: 0] += 1
      }
    }
    try bench.shell("rm -rf plugins/*.so cache/appcore/plugins")
    return counts
  }

  private func original() throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Project.build + "/libMockFaults.so")))
  }

  @Test("Cut off at every kilobyte: refused each time, for being cut off")
  func truncated() throws {
    let bench = try Workbench()
    let whole = try original()
    let cuts = stride(from: 1024, to: whole.count, by: 1024).map { Array(whole.prefix($0)) }
    #expect(try outcomes(of: cuts, bench, start: 0) == ["plugin-truncated": cuts.count])
  }

  @Test("Changed in a byte, in several, or cut off: refused, quarantined or fine, and nothing else")
  func changed() throws {
    let bench = try Workbench()
    let whole = try original()
    var random = Numbers(state: 20_260_301)
    var total: [String: Int] = [:]
    var made = 0
    while made < Self.fileCount {
      let files = (0..<min(100, Self.fileCount - made)).map { _ -> [UInt8] in
        var bytes = whole
        switch random.next() % 8 {
        case 0: bytes.removeLast(1 + random.below(bytes.count - 1))
        // Most of what the loader reads is at the front.
        case 1...4: bytes[random.below(0x600)] = UInt8(truncatingIfNeeded: random.next())
        case 5...6: bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
        default:
          for _ in 0..<8 {
            bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.next())
          }
        }
        return bytes
      }
      for (code, count) in try outcomes(of: files, bench, start: made) {
        total[code, default: 0] += count
      }
      made += files.count
    }
    #expect(total.values.reduce(0, +) == Self.fileCount)
    // Of damage at random some is harmless and most is not.
    #expect(total["fine", default: 0] > 0)
    #expect(total["fine", default: 0] < Self.fileCount)
    print("damaged files:", total.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
  }
}

/// A generator whose numbers follow from its seed.
private struct Numbers {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }
}
