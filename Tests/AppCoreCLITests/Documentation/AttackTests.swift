import Foundation
import TestSupport
import Testing

/// The attacks of docs/security.md, each tried a few times.
@Suite("Attacks")
struct AttackTests {
  /// How often each is tried, where a few times would say nothing.
  private static let tries = [
    "damaged-files": 400, "scan-reach": 6, "loader-search": 10, "fuzzed-lines": 2000, "signals": 20,
    "reload-growth": 12, "killed-shared": 8, "locked-bits": 10, "ways-out": 8,
    "damaged-sessions": 12,
  ]
  /// How often some are tried where all tests run: locks more often, and each way out once.
  private static let allTries = [
    "locked-bits": 200, "locked-search": 60, "locked-swap": 60, "ways-out": 26,
    "ways-out-300ms": 26, "ways-out-1s": 26, "ways-out-3s": 26,
  ]

  static let attacks: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: packageFolder.appendingPathComponent("scripts/attack").path)
    return (files ?? []).filter { $0.hasSuffix(".sh") }.map { String($0.dropLast(3)) }.sorted()
  }()

  @Test("None gets through", arguments: attacks)
  func attack(_ name: String) async throws {
    let all = runsAllTests ? Self.allTries[name] : nil
    let tries = all ?? Self.tries[name] ?? 4
    let output = try await TranscriptFolder().run(
      "scripts/attack.sh --build $APPCORE_BUILD --tries \(tries) \(name); echo status $?")
    #expect(output.contains("| \(tries) | 0 |\nstatus 0\n"), "\(output)")
  }

  @Test("An unknown attack and a wrong number are reported")
  func usage() async throws {
    let folder = try TranscriptFolder()
    #expect(
      try await folder.run("scripts/attack.sh --build . nothing; echo status $?")
        == "attack: there is no attack 'nothing'\nstatus 64\n")
    #expect(
      try await folder.run("scripts/attack.sh --tries some; echo status $?")
        == "attack: --tries is 'some'; it must be a number\nstatus 64\n")
  }
}
