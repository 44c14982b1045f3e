import Foundation
internal import Support
internal import TestSupport
import Testing

@testable import PluginHost

/// Damaged files, read from the end of a mapping behind which nothing can be read.
@Suite(
  "A damaged file", .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct ELFDamageTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  enum Outcome: Equatable {
    case read, truncated, malformed, otherFile
  }

  /// Reads all that a plugin's file is read for.
  static func outcome(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    do throws(Rejection) {
      _ = try PluginMetadata(try ELFFile(bytes))
      return .read
    } catch {
      switch error.rule {
      case .pluginTruncated: return .truncated
      case .pluginDamaged: return .malformed
      default: return .otherFile
      }
    }
  }

  @Test("A file that is cut off anywhere is refused as such")
  func truncation() throws {
    let bytes = try workshop.read(try workshop.plugin("Cut"))
    let memory = try #require(GuardedBytes(capacity: bytes.count))
    #expect(memory.with(bytes, Self.outcome) == .read)
    for count in 0..<bytes.count {
      let outcome = memory.with(bytes.prefix(count), Self.outcome)
      // Without the four bytes of its magic number it is no ELF file.
      #expect(outcome == (count < 4 ? .otherFile : .truncated), "cut at \(count)")
    }
  }

  @Test("A file without section headers that is cut off is refused while a segment is not whole")
  func truncationWithoutSections() throws {
    var bytes = try workshop.read(try workshop.plugin("Stripped"))
    // e_shoff: what `sstrip` leaves behind.
    bytes.replaceSubrange(40..<48, with: [UInt8](repeating: 0, count: 8))
    let memory = try #require(GuardedBytes(capacity: bytes.count))
    #expect(memory.with(bytes, Self.outcome) == .read)
    let end = try memory.with(bytes) { buffer in
      try ELFFile(buffer).segments.filter { $0.kind == .load }
        .map { $0.offset + $0.fileSize }.max()
    }
    for count in 64..<Int(try #require(end)) {
      #expect(memory.with(bytes.prefix(count), Self.outcome) == .truncated, "cut at \(count)")
    }
  }

  @Test("One byte changed in the headers and tables does not lead a reader outside the file")
  func oneByte() throws {
    let bytes = try workshop.read(try workshop.plugin("Byte"))
    let memory = try #require(GuardedBytes(capacity: bytes.count))
    var refused = 0
    for offset in 0..<min(0x600, bytes.count) {
      for flip: UInt8 in [0x01, 0x80, 0xff] {
        var damaged = bytes
        damaged[offset] ^= flip
        if memory.with(damaged, Self.outcome) != .read { refused += 1 }
      }
    }
    #expect(refused > 100)
  }

  @Test("Random damage anywhere in real libraries does not lead a reader outside the file")
  func randomDamage() throws {
    try fuzz(seed: 0x5eed, rounds: 6000, seconds: 3)
  }

  /// As long as `APPCORE_FUZZ_SECONDS` says, with a seed that the output names.
  @Test(
    "Random damage for a given time",
    .enabled(if: ProcessInfo.processInfo.environment["APPCORE_FUZZ_SECONDS"] != nil))
  func longRun() throws {
    let variables = ProcessInfo.processInfo.environment
    let seconds = try #require(Double(variables["APPCORE_FUZZ_SECONDS"] ?? ""))
    let seed = variables["APPCORE_FUZZ_SEED"].flatMap { UInt64($0) } ?? .random(in: 0 ... .max)
    print("APPCORE_FUZZ_SEED=\(seed)")
    let (rounds, counts) = try fuzz(seed: seed, rounds: .max, seconds: seconds)
    print("\(rounds) damaged files: \(counts)")
  }

  @discardableResult
  func fuzz(
    seed: UInt64, rounds: Int, seconds: Double
  ) throws -> (Int, [String: Int]) {
    var files = [try workshop.read(try workshop.plugin("Fuzz"))]
    files.append(
      try workshop.read(try workshop.plugin("Both", options: ["-Wl,--hash-style=both"])))
    files.append(
      try workshop.read(
        try workshop.plugin("Relr", options: ["-Wl,-z,pack-relative-relocs", "-fno-plt"])))
    // A Swift library, by another linker.
    for path in ELFFileTests.loadedLibraries where path.hasSuffix("/libAppCore.so") {
      files.append(try workshop.read(path))
    }
    let capacity = files.map(\.count).max() ?? 0
    let memory = try #require(GuardedBytes(capacity: capacity))
    var random = SplitMix64(seed: seed)
    let end = Date().addingTimeInterval(seconds)
    var counts: [String: Int] = [:]
    var round = 0
    while round < rounds, Date() < end {
      var bytes = files[Int(random.next() % UInt64(files.count))]
      Damage.apply(to: &bytes, &random)
      counts["\(memory.with(bytes, Self.outcome))", default: 0] += 1
      round += 1
    }
    #expect(counts["malformed", default: 0] > 0)
    return (round, counts)
  }
}
