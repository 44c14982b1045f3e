internal import AppCore
import AppCoreHostTesting
import Testing

/// The example that explains the manifest, run without one line of its features.
@Suite("The network console, of mocks alone")
struct NetconsoleTests {
  static let mocks = [
    MockFeature(
      "Session.Login", arguments: ["server": .string],
      delegates: [MockCase("loggedIn", ["token": .string])]),
    MockFeature(
      "Session.Settings",
      delegates: [MockCase("intervalChanged", ["seconds": .int]), "logoutRequested"]),
    MockFeature(
      "Devices.List",
      delegates: [MockCase("deviceSelected", ["id": .string], sample: ["id": "sw1"]), "listed"],
      inputs: [MockCase("alertRaised", ["text": .string])]),
    MockFeature("Devices.Overview", arguments: ["id": .string], delegates: ["sessionExpired"]),
    MockFeature("Devices.Ports", arguments: ["id": .string]),
    MockFeature(
      "Monitor.Watch", arguments: ["server": .string, "token": .string],
      delegates: [
        MockCase("raised", ["text": .string]),
        MockCase("critical", ["text": .string, "id": .string]),
      ],
      inputs: [MockCase("intervalChosen", ["seconds": .int])]),
    MockFeature(
      "Monitor.AlertList", delegates: [MockCase("alertSelected", ["id": .string])],
      inputs: [MockCase("alertRaised", ["text": .string])]),
    MockFeature(
      "Monitor.AlertDetail", arguments: ["id": .string],
      delegates: [MockCase("deviceRequested", ["id": .string])]),
    MockFeature(
      "Dialogs.Notice", arguments: ["text": .string, "id": .string],
      delegates: [MockCase("opened", ["id": .string]), "closed"]),
    MockFeature(
      "Dialogs.Confirm", arguments: ["question": .string], delegates: ["confirmed", "declined"]),
  ]

  func app() async throws -> AppHarness {
    try await AppHarness(
      manifest: Project.path("Tests/Fixtures/manifests/ok/netconsole/netconsole.yaml"),
      mocks: Self.mocks)
  }

  /// The app with somebody logged in.
  func home() async throws -> AppHarness {
    let app = try await app()
    try await app.emit("login", "loggedIn", ["token": "t1"])
    return app
  }

  @Test("It begins with the login, which gets its variable's default")
  func start() async throws {
    let app = try await app()
    #expect(await app.nodes == ["login"])
    #expect(await app.state["arguments"] == ["server": "https://127.0.0.1:8443"])
    #expect(await app.screen.control("loggedIn")?.isEnabled == false)
  }

  @Test("Logging in replaces the login by three tabs and a monitor that gets the token")
  func login() async throws {
    let app = try await home()
    #expect(await app.nodes == ["home", "devices"])
    #expect(await app.screen.tabs == ["devices", "alerts", "settings"])
    #expect(
      try await app.state(of: "monitor")["arguments"]
        == ["server": "https://127.0.0.1:8443", "token": "t1"])
    #expect(try await app.refusal(of: ":back").code == "at-root")
  }

  @Test("A button with a sample payload pushes a container of two tabs")
  func device() async throws {
    let app = try await home()
    try await app.type("@deviceSelected")
    #expect(await app.nodes == ["home", "devices", "device", "overview"])
    #expect(await app.state["arguments"] == ["id": "sw1"])
    try await app.type(":tab ports")
    #expect(await app.state["arguments"] == ["id": "sw1"])
    #expect(await app.screen.selectedTab == "ports")
  }

  @Test("The monitor notifies whatever is current, and what has no such input drops it")
  func notify() async throws {
    let app = try await home()
    try await app.emit("monitor", "raised", ["text": "Link down"])
    #expect(await app.state["received"] == [["alertRaised": ["text": "Link down"]]])
    #expect(await app.screen.text.contains(#"alertRaised {"text":"Link down"}"#))
    try await app.type(":tab settings")
    try await app.emit("monitor", "raised", ["text": "Link up"])
    #expect(
      await app.lostNotifications == [
        LostNotification(node: "monitor", action: "raised", input: "alertRaised")
      ])
  }

  @Test("A setting reaches the monitor in the background")
  func interval() async throws {
    let app = try await home()
    try await app.type(":tab settings")
    try await app.emit("settings", "intervalChanged", ["seconds": 30])
    #expect(
      try await app.state(of: "monitor")["received"] == [["intervalChosen": ["seconds": 30]]])
  }

  @Test("A critical alert opens over everything, and leads to the alert")
  func critical() async throws {
    let app = try await home()
    try await app.emit("monitor", "critical", ["text": "Fan failed", "id": "a7"])
    #expect(await app.screen.isModal)
    #expect(
      await app.state["arguments"] == ["text": "Critical: Fan failed", "id": "a7"])
    try await app.emit("banner", "opened", ["id": "a7"])
    #expect(await app.nodes == ["home", "alerts", "alert"])
    try await app.emit("alert", "deviceRequested", ["id": "sw2"])
    #expect(await app.nodes == ["home", "devices", "device", "overview"])
    try await app.type(":tab alerts")
    #expect(await app.nodes == ["home", "alerts", "alert"])
  }

  @Test("The second of two emissions finds its emitter covered, and changes nothing")
  func doubleTap() async throws {
    let app = try await home()
    try await app.type("@deviceSelected")
    let path = await app.path
    try await app.emit("devices", "deviceSelected", ["id": "sw9"])
    #expect(await app.path == path)
    #expect(await app.refusedRoutes.map(\.code) == ["not-current"])
    #expect(await app.screen.notices.count == 1)
    #expect(await app.screen.json.json.contains("\"code\":\"not-current\""))
  }

  @Test("Logging out asks first; an expired session does not")
  func logout() async throws {
    let app = try await home()
    try await app.type(":tab settings", "@logoutRequested", "@declined")
    #expect(await app.nodes == ["home", "settings"])
    try await app.type("@logoutRequested", "@confirmed")
    #expect(await app.nodes == ["login"])
    #expect(await app.instanceCount == 1)

    try await app.emit("login", "loggedIn", ["token": "t2"])
    try await app.type("@deviceSelected", "@sessionExpired")
    #expect(await app.nodes == ["login"])
  }
}
