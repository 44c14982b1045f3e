internal import AppCore
import AppCoreHostTesting
import Testing

@Suite("MockFeature")
struct MockFeatureTests {
  /// An app that begins with a door, and opens one mock from it.
  func app(_ mock: MockFeature, with: String = "{}") async throws -> AppHarness {
    let call = "- { from: door, action: called, notify: room, with: $ }"
    return try await AppHarness(
      text: """
        appcore: 1
        name: mocks
        plugins: [Door, Room]
        start: door
        nodes:
          door: { feature: Door.Door }
          room: { feature: Room.Room }
        routes:
          - { from: door, action: opened, push: room, with: \(with) }
          \(mock.inputs.isEmpty ? "" : call)

        """,
      mocks: [
        MockFeature(
          "Door.Door",
          delegates: [MockCase("opened", ["with": .any])]
            + (mock.inputs.isEmpty ? [] : [MockCase("called", value: .string)])),
        mock,
      ])
  }

  @Test("It shows its arguments, secrets hidden, with the defaults of those left out")
  func arguments() async throws {
    let app = try await app(
      MockFeature(
        "Room.Room",
        arguments: ["key": .secret, "size": .int, "name": .optional(.string), "tags": .any],
        defaults: ["size": 12]),
      with: "{ key: $.with.key, tags: $.with.tags }")
    try await app.emit("door", "opened", ["with": ["key": "s3cret", "tags": ["a", 1]]])
    let text = await app.screen.text
    #expect(!text.contains("s3cret"))
    #expect(text.contains("<secret>"))
    #expect(text.contains(#"["a",1]"#))
    #expect(await app.state["arguments"]?["size"] == 12)
    #expect(await app.state["arguments"]?["name"] == .null)
  }

  @Test("Arguments that do not fit keep an instance from being made, as they would a feature's")
  func misfit() async throws {
    let app = try await app(
      MockFeature("Room.Room", arguments: ["size": .int]), with: "{ size: $.with }")
    try await app.emit("door", "opened", ["with": "large"])
    #expect(await app.nodes == ["door"])
    #expect(
      await app.refusedRoutes.map(\.reason) == [
        "'room' can't be shown: 'size' should be integer, and is a string"
      ])
  }

  @Test("A failure keeps its instances from being made")
  func failure() async throws {
    let app = try await app(MockFeature("Room.Room", failure: "the lock is frozen"))
    try await app.emit("door", "opened", ["with": true])
    #expect(
      await app.refusedRoutes == [
        RefusedRoute(
          node: "door", action: "opened", code: "unavailable",
          reason: "'room' can't be shown: the lock is frozen")
      ])
  }

  @Test("A value without a label arrives as itself")
  func unlabelled() async throws {
    let app = try await app(
      MockFeature("Room.Room", inputs: [MockCase("called", value: .string)]))
    try await app.emit("door", "opened", ["with": true])
    try await app.emit("door", "called", "hello")
    #expect(await app.state["received"] == [["called": "hello"]])
    #expect(await app.screen.text.contains(#"called "hello""#))
    #expect(
      await app.delegates.last == EmittedDelegate(node: "door", action: "called", payload: "hello"))
  }
}
