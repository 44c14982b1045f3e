@_spi(Host) import AppCore
import Foundation
import Support
import TestSupport
import Testing

@testable import AppCheck

@Suite("PluginInterface")
struct PluginInterfaceTests {
  private static let shop = PluginInterface(
    PluginInfo(
      name: "Shop", version: "1.2.0",
      configuration: .object([.init(name: "limit", schema: .int, defaultValue: 10)]),
      features: [
        FeatureInfo(
          name: "Shop.List", arguments: .object([]),
          delegates: [
            CaseSchema(
              name: "selected",
              payload: .object([
                .init(name: "title", schema: .optional(.string)), .init(name: "id", schema: .int),
              ])),
            CaseSchema(name: "closed", payload: nil),
          ],
          inputs: [CaseSchema(name: "found", payload: .array(.string))]),
        FeatureInfo(name: "Shop.Cart", defect: "its action type is not an enum"),
      ]))

  @Test("Its text has one fact a line, in the order of names")
  func text() {
    #expect(
      Self.shop.text == """
        plugin Shop 1.2.0
        configuration limit: integer = 10
        feature Shop.Cart
        Shop.Cart can't be used: its action type is not an enum
        feature Shop.List
        Shop.List delegate closed
        Shop.List delegate selected
        Shop.List delegate selected.id: integer
        Shop.List delegate selected.title: string?
        Shop.List input found: list of string

        """)
  }

  private func read(_ text: String) throws -> PluginInterface {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("x.json")
    try Data(text.utf8).write(to: file)
    return try PluginInterface(file: file.path)
  }

  /// The code and the message of what is wrong with a file.
  private func problem(_ text: String) -> String? {
    do {
      _ = try read(text)
      return nil
    } catch let error as InterfaceError {
      return "\(error.cause.message) [\(error.cause.code)]"
    } catch {
      return "\(error)"
    }
  }

  @Test("What is written is read back, whatever the shapes")
  func roundTrip() throws {
    #expect(try read(Self.shop.json) == Self.shop)
    for seed in 0..<200 {
      var random = RandomInterface(seed: UInt64(seed))
      let (old, new) = random.pair()
      for interface in [old, new] {
        let again = try read(interface.json)
        #expect(again == interface, "\(interface.json)")
        #expect(again.json == interface.json && again.text == interface.text)
        #expect(again.differences(from: interface).isEmpty)
      }
    }
  }

  @Test("A scan's states are read, without those whose shape can't be")
  func states() {
    let states = #""states": { "Shop.Cart": { "type": "int" }, "Shop.List": { "type": "new" } }, "#
    let bytes = Array(Self.shop.json.replacing("\"plugin\"", with: states + "\"plugin\"").utf8)
    #expect(PluginInfo(bytes: bytes[...])?.states == ["Shop.Cart": .int])
    let none = Array(Self.shop.json.replacing("\"plugin\"", with: "\"states\": 1, \"plugin\"").utf8)
    #expect(PluginInfo(bytes: none[...])?.states == [:])
  }

  @Test("No damage ends the program: every prefix and every changed byte is read or refused")
  func everyByte() throws {
    let bytes = Array(Self.shop.json.utf8)
    for end in bytes.indices {
      #expect(
        problem(String(decoding: bytes[..<end], as: UTF8.self)) != nil || end >= bytes.count - 1)
    }
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
          in: 32..<127, using: &random)
      }
      if let problem = problem(String(decoding: damaged, as: UTF8.self)) {
        #expect(problem.hasSuffix("]") && !problem.contains("\n"), "\(problem)")
      }
    }
  }

  @Test("Size and depth have limits, which are named")
  func limits() {
    func nested(_ depth: Int) -> String {
      let shape =
        String(repeating: "{\"type\":\"array\",\"of\":", count: depth - 1) + "{\"type\":\"int\"}"
        + String(repeating: "}", count: depth - 1)
      return "{\"interface\":1,\"plugin\":\"P\",\"version\":\"1\",\"configuration\":\(shape),"
        + "\"features\":[]}"
    }
    #expect(problem(nested(64)) == nil)
    #expect(
      problem(nested(65))?.hasSuffix("nests shapes deeper than 64 [interface-too-large]") == true)
    #expect(problem(nested(100_000))?.hasSuffix("[interface-not-json]") == true)
    let large = nested(2) + String(repeating: " ", count: 4 << 20)
    #expect(problem(large) == "it has more than 4 MiB [interface-too-large]")
  }

  @Test("Names that would do something to a terminal are shown as text")
  func hostileText() {
    let interface = PluginInterface(
      PluginInfo(
        name: "Shop", version: "1\u{1b}[2J", configuration: .opaque("a\nplugin Other 1.0.0"),
        features: [
          FeatureInfo(
            name: "Shop.List", delegates: [CaseSchema(name: "a\u{202e}b\r", payload: .string)])
        ]))
    let changed = PluginInterface(
      PluginInfo(name: "Shop", version: "2\u{7}", configuration: .object([]), features: []))
    let comparison = InterfaceComparison(from: interface, to: changed)
    for text in [interface.text, interface.json, comparison.text, comparison.json] {
      #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || !$0.properties.isBidiControl })
      #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "\(text)")
      #expect(!text.contains("\nplugin Other"))
    }
  }

  @Test("As many fields, cases and names are compared as a file may have")
  func large() {
    func interface(_ suffix: String) -> PluginInterface {
      let names = (0..<20_000).map { "n\($0)\($0 % 2 == 0 ? suffix : "")" }
      let fields = Schema.object(names.map { .init(name: $0, schema: .optional(.any)) })
      return PluginInterface(
        PluginInfo(
          name: "Shop", version: "1.0.0", configuration: fields,
          features: [
            FeatureInfo(
              name: "Shop.List", arguments: fields,
              delegates: [
                CaseSchema(name: "a", payload: fields),
                CaseSchema(name: "b", payload: .choice(names)),
              ], inputs: names.map { CaseSchema(name: $0, payload: nil) })
          ]))
    }
    let differences = interface("new").differences(from: interface("old"))
    #expect(differences.count == 4 * 20_000 + 2)
  }

  @Test("A file that can't be read has status 66, a damaged one 65")
  func status() throws {
    #expect(throws: InterfaceError.self) { try PluginInterface(file: "/nowhere.json") }
    for (path, status) in [("/nowhere.json", Int32(66)), ("/", 66), ("/dev/null", 65)] {
      do throws(InterfaceError) {
        _ = try PluginInterface(file: path)
      } catch {
        #expect(error.exitStatus == status, "\(error)")
        #expect("\(error)".hasPrefix("\(path): error: ") && "\(error)".contains("\n  help: "))
      }
    }
  }
}
