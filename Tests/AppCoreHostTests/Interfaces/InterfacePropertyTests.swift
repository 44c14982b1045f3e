@_spi(Host) import AppCore
import Foundation
import TestSupport
import Testing

@testable import AppCheck

/// What `appcore interface --compare` calls compatible, held against the checker.
@Suite("Comparing interfaces")
struct InterfacePropertyTests {
  /// How many pairs of interfaces are compared; `make interfaces` takes 10,000.
  private static let pairs =
    ProcessInfo.processInfo.environment["APPCORE_INTERFACE_PAIRS"].flatMap(Int.init)
    ?? (runsAllTests ? 500 : 50)

  /// Manifests that check with the old interface.
  private struct Checked {
    var manifests: [PartedManifest]
    /// How many parts are in them.
    var count: Int
  }

  private static func manifests(_ old: PluginInterface, _ new: PluginInterface) -> Checked {
    let uses = InterfaceUses(old, new)
    var parts = uses.parts
    // What is wrong with the old interface already is left out; then the rest may be right.
    while true {
      let wrong = PartedManifest(parts: parts, configuration: configuration(old)).check(old)
      if wrong.errors.isEmpty { break }
      let kept = parts.indices.filter { !wrong.wrongParts.contains($0) }.map { parts[$0] }
      guard kept.count < parts.count else { return Checked(manifests: [], count: 0) }
      parts = kept
    }
    let alone = uses.loners.map { PartedManifest(parts: [$0], configuration: configuration(old)) }
    let configured = configurations(old).map { PartedManifest(parts: [], configuration: $0) }
    let all =
      [PartedManifest(parts: parts, configuration: configuration(old))]
      + (alone + configured).filter { $0.check(old).errors.isEmpty }
    return Checked(manifests: all, count: parts.count + all.count - 1)
  }

  /// What the plugin has to be given at least.
  private static func configuration(_ interface: PluginInterface) -> String? {
    interface.info.configuration.literals.first
  }

  private static func configurations(_ interface: PluginInterface) -> [String?] {
    var all: [String?] = [nil] + interface.info.configuration.literals
    guard case .object(let fields) = interface.info.configuration else { return all }
    for field in fields {
      let others = fields.filter { $0.name != field.name && $0.isRequired }.compactMap { other in
        other.schema.literals.first.map { "\(other.name): \($0)" }
      }
      all.append("{ \((others + ["\(field.name): $dir"]).joined(separator: ", ")) }")
    }
    return all
  }

  /// The pairs in parts, so that each processor has some.
  private static let tenths = Array(0..<10)

  @Test(
    "Nothing breaks exactly where every manifest that checked before still checks",
    arguments: tenths)
  func exact(tenth: Int) {
    for seed in stride(from: tenth, to: Self.pairs, by: Self.tenths.count) {
      var random = RandomInterface(seed: UInt64(seed))
      let (old, new) = random.pair()
      let differences = new.differences(from: old)
      let checked = Self.manifests(old, new)
      #expect(checked.count > 0, "pair \(seed): no manifest checks\n\(old.text)")
      let broken = checked.manifests.first { !$0.check(new).errors.isEmpty }
      if differences.contains(where: { $0.breaks != nil }) {
        #expect(broken != nil, "pair \(seed): no manifest breaks\n\(Self.text(old, differences))")
        if let broken { Self.expectWitness(in: broken, old, new, seed) }
      } else {
        #expect(
          broken == nil,
          "pair \(seed): \(broken?.check(new).errors.prefix(3) ?? []) \(Self.text(old, differences))"
        )
      }
    }
  }

  @Test("About as many pairs are compatible as break something")
  func mixture() {
    let breaking = (0..<1_000).count { seed in
      var random = RandomInterface(seed: UInt64(seed))
      let (old, new) = random.pair()
      return new.differences(from: old).contains { $0.breaks != nil }
    }
    #expect((350...650).contains(breaking))
  }

  /// Each difference by itself: a manifest that breaks need not break by the one that is named.
  @Test("Of a pair with one difference that breaks something, that one part of a manifest breaks")
  func single() {
    var count = 0
    for seed in 1_000_000..<1_000_000 + Self.pairs / 5 {
      var random = RandomInterface(seed: UInt64(seed))
      let (old, new) = random.pair()
      let differences = new.differences(from: old)
      guard differences.count == 1, differences[0].breaks != nil else { continue }
      count += 1
      let broken = Self.manifests(old, new).manifests.first { !$0.check(new).errors.isEmpty }
      #expect(broken != nil, "pair \(seed): \(Self.text(old, differences))")
    }
    #expect(count > 0)
  }

  /// The part that breaks does so in a manifest of its own.
  private static func expectWitness(
    in manifest: PartedManifest, _ old: PluginInterface, _ new: PluginInterface, _ seed: Int
  ) {
    let result = manifest.check(new)
    let part = result.wrongParts.min()
    let witness = PartedManifest(
      parts: part.map { [manifest.parts[$0]] } ?? manifest.parts,
      configuration: manifest.configuration)
    #expect(witness.check(old).errors.isEmpty, "pair \(seed):\n\(witness.text.text)")
    #expect(!witness.check(new).errors.isEmpty, "pair \(seed):\n\(witness.text.text)")
  }

  private static func text(
    _ old: PluginInterface, _ differences: [InterfaceDifference]
  ) -> String {
    old.text
      + differences.map { "  \($0.subject) \($0.change): \($0.breaks ?? "compatible")\n" }.joined()
  }
}
