import Foundation
import Support
import TestSupport
import Testing

@testable import PluginHost

/// Locks whose lines were edited by people and by merges.
@Suite("Locks whose text was edited")
struct LockEditTests {
  private static let architectures = ["aarch64", "riscv64", "s390x", "x86_64"]

  private static func target(_ architecture: String) -> AppLock.Target {
    AppLock.Target(architecture: architecture, contract: "1_swift_6_3_1")
  }

  private static func digest(_ random: inout SplitMix64) -> SHA256 {
    func word() -> UInt64 { UInt64.random(in: 0 ... .max, using: &random) }
    return SHA256(words: [word(), word(), word(), word()])
  }

  private static func build(_ random: inout SplitMix64) -> PluginDigests {
    var build = PluginDigests(file: digest(&random))
    for name in ["liba.so", "libb c.so"] where Bool.random(using: &random) {
      build.libraries[name] = digest(&random)
    }
    return build
  }

  /// A lock of some plugins and includes, built for one architecture.
  private static func lock(_ random: inout SplitMix64) -> AppLock {
    var lock = AppLock(
      app: "my app", version: Bool.random(using: &random) ? "1.0" : nil,
      manifest: "app.yaml",
      files: ["app.yaml": digest(&random)])
    for path in ["a.yaml", "parts/b c.yaml", "ü.yaml"] where Bool.random(using: &random) {
      lock.files[path] = digest(&random)
    }
    for name in ["A", "Bb", "C_1"].prefix(Int.random(in: 0...3, using: &random)) {
      lock.plugins[name] = AppLock.Plugin(
        version: "1 beta", builds: [target("x86_64"): build(&random)],
        isFolder: Bool.random(using: &random),
        path: Bool.random(using: &random) ? "lib/\(name).so" : nil)
    }
    return lock
  }

  /// Drops, doubles, moves, joins, splits and changes lines.
  private static func edit(_ text: String, _ random: inout SplitMix64) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !lines.isEmpty {
      let index = Int.random(in: 0..<lines.count, using: &random)
      let other = Int.random(in: 0..<lines.count, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: lines.remove(at: index)
      case 1: lines.insert(lines[index], at: other)
      case 2: lines.swapAt(index, other)
      case 3: lines[index] += lines[other]
      case 4: lines[index] += " " + lines[other]
      case 5: lines[index] += "\r"
      case 6:
        lines[index] = lines[index].replacing(
          "x86_64", with: architectures.randomElement(using: &random) ?? "")
      case 7:
        let end = lines[index].index(
          lines[index].startIndex,
          offsetBy: Int.random(in: 0...lines[index].count, using: &random))
        lines.replaceSubrange(
          index...index, with: [String(lines[index][..<end]), String(lines[index][end...])])
      case 8: lines.insert("<<<<<<< ours", at: index)
      default: lines[index] = String(lines[index].reversed())
      }
    }
    return lines.joined(separator: "\n")
  }

  @Test("No edit of lines has other bytes accepted, and what is read is written as it is")
  func edits() {
    var random = SplitMix64(seed: 17)
    var readable = 0
    for _ in 0..<(runsAllTests ? 100_000 : 4000) {
      let lock = Self.lock(&random)
      let text = Self.edit(lock.text, &random)
      let (edited, problems) = LockReader.read(Array(text.utf8))
      #expect((edited == nil) == !problems.isEmpty)
      guard let edited else { continue }
      readable += 1
      let again = LockReader.read(Array(edited.text.utf8)).lock
      #expect(again == edited && again?.text == edited.text, "\(text)")
      for (name, plugin) in lock.plugins {
        for build in plugin.builds.values {
          let other = Self.digest(&random)
          var all = [PluginDigests(file: other, libraries: build.libraries)]
          for name in build.libraries.keys {
            var changed = build
            changed.libraries[name] = other
            all.append(changed)
          }
          for (requirement, digests) in all.flatMap({ [(nil, $0), (LockRequirement.option, $0)] }) {
            let held = LockEnforcement(
              edited, in: ".", requirement: requirement, target: Self.target("x86_64"))
            let result = Result { () throws(Rejection) in
              try held.check(name, digests)
            }
            guard case .success(let warning) = result else { continue }
            #expect(warning?.rule == .pluginUnlocked, "\(name) is accepted by \(text)")
            #expect(requirement == nil && edited.plugins[name]?.builds[held.target] == nil)
          }
        }
      }
    }
    // Otherwise nothing was tried.
    #expect(readable > 100)
  }

  @Test("What two machines add to one lock, git's union merge brings together")
  func union() async throws {
    guard let git = Program.find("git") else { return }
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 23)
    for _ in 0..<(runsAllTests ? 200 : 12) {
      let base = Self.lock(&random)
      // Both have a new file and a new plugin, too.
      var common = base
      if Bool.random(using: &random) { common.files["new.yaml"] = Self.digest(&random) }
      if Bool.random(using: &random) { common.plugins["New"] = AppLock.Plugin(version: "2") }
      let sums = ["aarch64", "s390x"].map { architecture in
        var found = common
        for name in found.plugins.keys {
          found.plugins[name]?.builds = [Self.target(architecture): Self.build(&random)]
        }
        return base.adding(found).sum
      }
      for (name, lock) in zip(["base", "ours", "theirs"], [base] + sums) {
        try folder.write(name, lock.text)
      }
      let merged = try await Program.run(
        git, ["merge-file", "-p", "--union", "ours", "base", "theirs"], folder: folder.url)
      #expect(merged.status == 0)
      let (lock, problems) = LockReader.read(Array(merged.output.utf8))
      #expect(problems.isEmpty, "\(problems) in \(merged.output)")
      #expect(lock == sums[0].adding(sums[1]).sum)
    }
  }
}
