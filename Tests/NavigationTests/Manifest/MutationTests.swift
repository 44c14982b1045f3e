import Foundation
import Manifest
import Support
internal import TestSupport
import Testing

@Suite(
  "ManifestLoader, given broken text", .ownThread,
  .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct MutationTests {
  /// The bytes that a mutation puts in: those that mean something to YAML, and some that are none.
  private static let material =
    Array("{}[]:,-#&*!|>'\"%@`$\\ \n\t~?<=".utf8) + [0, 0xC3, 0xE2, 0xFF]

  @Test("No mutation of a right manifest crashes it", arguments: Fixtures.names(in: "ok"))
  func survivesMutations(name: String) throws {
    let path = Fixtures.path("ok", name)
    let original = Array(try Data(contentsOf: URL(filePath: path)))
    var random = SplitMix64(seed: 0x5EED)
    var broken = 0
    for _ in 0..<1500 {
      var bytes = original
      for _ in 0...Int.random(in: 0..<4, using: &random) { Self.mutate(&bytes, &random) }
      let result = Fixtures.loader.load(bytes, path: path)
      let printed = DiagnosticRenderer(sources: result.sources).render(result.problems)
      #expect(result.problems == result.problems.sorted())
      #expect(result.problems.isEmpty == printed.isEmpty)
      for problem in result.problems {
        #expect(!problem.message.isEmpty)
        #expect(!problem.message.contains("\n"))
      }
      if result.problems.containsErrors { broken += 1 }
    }
    // A mutation that nobody notices is rare; one that breaks nothing at all would be this test's.
    #expect(broken > 750)
  }

  @Test("No beginning of a manifest crashes it", arguments: Fixtures.names(in: "ok"))
  func survivesTruncation(name: String) throws {
    let path = Fixtures.path("ok", name)
    let original = Array(try Data(contentsOf: URL(filePath: path)))
    for length in stride(from: 0, to: original.count, by: 3) {
      let result = Fixtures.loader.load(Array(original.prefix(length)), path: path)
      #expect(result.problems.containsErrors || length > original.count / 8)
    }
  }

  @Test("The same text gives the same problems every time", arguments: Fixtures.names(in: "err"))
  func isDeterministic(name: String) throws {
    let first = try Fixtures.load("err", name)
    let second = try Fixtures.load("err", name)
    #expect(first.problems == second.problems)
    #expect(Set(first.problems).count == first.problems.count)
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    guard bytes.count > 2 else { return }
    let place = Int.random(in: 0..<bytes.count, using: &random)
    let other = Int.random(in: 0..<bytes.count, using: &random)
    let end = min(bytes.count, place + Int.random(in: 1...24, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: bytes.remove(at: place)
    case 1: bytes.insert(bytes[place], at: place)
    case 2: bytes.swapAt(place, other)
    case 3: bytes[place] = material.randomElement(using: &random) ?? 0
    case 4: bytes.insert(contentsOf: bytes[place..<end], at: other)
    default: bytes.removeSubrange(place..<end)
    }
  }
}
