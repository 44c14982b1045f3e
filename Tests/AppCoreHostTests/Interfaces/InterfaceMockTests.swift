@_spi(Host) import AppCore
import AppCoreHostTesting
import Foundation
import TestSupport
import Testing

@testable import AppCheck

@Suite("Mocks of interfaces")
struct InterfaceMockTests {
  private static func interface(
    delegate: Schema, arguments: Schema = .object([])
  ) -> PluginInterface {
    PluginInterface(
      PluginInfo(
        name: "Room", version: "1.4.0", configuration: .object([]),
        features: [
          FeatureInfo(
            name: "Room.Room", arguments: arguments,
            delegates: [CaseSchema(name: "left", payload: delegate)],
            inputs: [
              CaseSchema(
                name: "told",
                payload: .object([
                  .init(name: "key", schema: .secret), .init(name: "text", schema: .string),
                ]))
            ])
        ]))
  }

  private static let manifest = """
    appcore: 1
    name: mocks
    plugins: [{ name: Room, version: ">=1.4 <2" }]
    start: room
    nodes:
      room: { feature: Room.Room }
    routes:
      - { from: room, action: left, push: room, with: { size: 7 } }
    """

  private func payload(_ schema: Schema, _ entries: [String: Value] = [:]) -> Value? {
    var state = InterfaceMock.State(arguments: [:])
    state.entries = Dictionary(uniqueKeysWithValues: entries.map { ("left-\($0)", $1) })
    return MockForm(CaseSchema(name: "left", payload: schema)).payload(state)
  }

  @Test("Whatever the shape, what a form sends at first fits it")
  func samples() {
    for seed in 0..<300 {
      var random = RandomInterface(seed: UInt64(seed))
      for delegate in random.pair().old.info.features.flatMap(\.delegates) {
        guard let payload = delegate.payload, !payload.literals.isEmpty else { continue }
        let sent = MockForm(delegate).payload(InterfaceMock.State(arguments: [:]))
        let misfit = sent.map { payload.misfit(of: $0) ?? "" }
        #expect(misfit == "", "\(payload): \(sent?.json ?? "nothing")")
      }
    }
  }

  @Test("What is entered is sent, and what does not fit is not")
  func entries() {
    #expect(payload(.int, ["value": 3.0]) == 3)
    #expect(payload(.int, ["value": 3.5]) == nil)
    #expect(payload(.optional(.string), ["value": ""]) == .null)
    #expect(payload(.string, ["value": ""]) == "")
    #expect(payload(.choice(["a", "b"]), ["value": "b"]) == "b")
    #expect(payload(.optional(.bool), ["value": "true"]) == true)
    #expect(payload(.optional(.bool), ["value": ""]) == .null)
    #expect(payload(.array(.int), ["value": "[1, 2]"]) == [1, 2])
    #expect(payload(.array(.int), ["value": "[1, true]"]) == nil)
    #expect(payload(.array(.int), ["value": "[1"]) == nil)
    let fields = Schema.object([.init(name: "id", schema: .int), .init(name: "on", schema: .bool)])
    #expect(payload(fields, ["on": true]) == ["id": 1, "on": true])
  }

  @Test("Secrets are never shown: not as arguments, not as inputs, not in logs")
  func secrets() {
    let shape = Schema.object([
      .init(name: "key", schema: .optional(.secret)),
      .init(name: "list", schema: .array(.object([.init(name: "pin", schema: .secret)]))),
      .init(name: "other", schema: .opaque("Login")), .init(name: "id", schema: .int),
    ])
    let value: Value = ["key": "s3cret", "list": [["pin": "s3cret"]], "other": "s3cret", "id": 5]
    #expect(
      shape.redacted(value)
        == ["key": "<secret>", "list": [["pin": "<secret>"]], "other": "…", "id": 5])
    let call = MockCall(name: "left", payload: value)
    var text = ""
    dump(call, to: &text)
    #expect(!text.contains("s3cret") && text.contains("left"))
  }

  @Test("What may hold a secret is entered like one, and is not in the screen")
  func hiddenEntries() {
    let shape = Schema.object([.init(name: "pins", schema: .array(.secret))])
    let feature = InterfaceMock(
      info: Self.interface(delegate: shape).info.features[0], version: "1")
    var state = InterfaceMock.State(arguments: [:])
    state.secrets["left-pins"] = Secret("[\"s3cret\"]")
    #expect(
      MockForm(CaseSchema(name: "left", payload: shape)).payload(state) == ["pins": ["s3cret"]])
    var shown = ""
    dump(feature.screen(state).content, to: &shown)
    #expect(shown.contains("pins (JSON)") && !shown.contains("s3cret"))
  }

  @Test("What does not fit its shape is never sent, whatever the interface says")
  func misfits() {
    #expect(payload(.object([.init(name: "x", schema: .choice([]))])) == nil)
    #expect(payload(.object([.init(name: "n", schema: .int, defaultValue: "hello")])) == nil)
    #expect(payload(.string, ["value": 2.5]) == nil)
    #expect(payload(.object([.init(name: "n", schema: .int, defaultValue: 4)])) == ["n": 4])
  }

  @Test("The file of an interface makes the harness's mocks, with its version and configuration")
  func harness() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("room.json")
    let interface = Self.interface(
      delegate: .object([.init(name: "door", schema: .string)]),
      arguments: .object([.init(name: "size", schema: .int, defaultValue: 3)]))
    try interface.json.write(to: file, atomically: true, encoding: .utf8)
    let mocks = try MockFeature.all(interface: file.path)
    let app = try await AppHarness(text: Self.manifest, mocks: mocks)
    try await app.type("@left")
    #expect(await app.state["arguments"]?["size"] == 7)
    #expect(await app.delegates.last?.payload == ["door": "door"])
    #expect(throws: (any Error).self) { try MockFeature.all(interface: "/nowhere.json") }
  }
}
