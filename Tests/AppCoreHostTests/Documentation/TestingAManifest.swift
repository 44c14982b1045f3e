import AppCore
import AppCoreHostTesting
import Testing

@Suite("The login flow")
struct LoginFlowTests {
  let mocks = [
    MockFeature(
      "Session.Login", delegates: [MockCase("loggedIn", ["token": .string])]),
    MockFeature(
      "Devices.List", arguments: ["token": .string],
      delegates: [MockCase("deviceSelected", ["id": .string], sample: ["id": "sw1"])],
      inputs: [MockCase("renamed", ["name": .string])]),
    MockFeature(
      "Devices.Detail", arguments: ["id": .string],
      delegates: [MockCase("renamed", ["name": .string])]),
  ]

  let manifest = """
    appcore: 1
    name: console
    plugins: [Session, Devices]
    start: login
    nodes:
      login:   { feature: Session.Login }
      devices: { feature: Devices.List }
      device:  { feature: Devices.Detail }
    routes:
      - { from: login, action: loggedIn, replace: devices, with: { token: $.token } }
      - { from: devices, action: deviceSelected, push: device, with: { id: $.id } }
      - from: device
        action: renamed
        do: [ back, { notify: presenter, with: { name: $.name } } ]

    """

  @Test("Whoever logs in sees the devices, and a new name comes back to them")
  func login() async throws {
    let app = try await AppHarness(text: manifest, mocks: mocks)

    try await app.emit("login", "loggedIn", ["token": "t1"])
    #expect(await app.path == "/devices;token=t1")

    // A mock's button sends its sample; its identifier is the action's name.
    try await app.type("@deviceSelected")
    #expect(await app.path == "/devices;token=t1/device;id=sw1")

    try await app.emit("device", "renamed", ["name": "Switch 1"])
    #expect(await app.state["received"] == [["renamed": ["name": "Switch 1"]]])
    #expect(await app.screen.text.contains(#"renamed {"name":"Switch 1"}"#))
    #expect(try await app.refusal(of: ":back").code == "at-root")
  }
}
