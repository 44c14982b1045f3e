@_spi(Host) import AppCore
import Foundation
import Testing

@Suite("Secret")
struct SecretTests {
  struct Account: Codable, Sendable {
    var name = "ada"
    var password = Secret("hunter2")
    var pin = Secret(4711)
    var tokens: [Secret<String>] = [Secret("hunter2")]
    var spare: Secret<String>? = Secret("hunter2")
    var nothing: Secret<String>?
  }

  /// Codes the secret it holds by hand.
  struct ByHand: Encodable {
    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: Key.self)
      try Secret("hunter2").encode(to: container.superEncoder(forKey: .it))
      var list = container.nestedUnkeyedContainer(forKey: .list)
      try list.encode(Secret("hunter2"))
    }
    enum Key: CodingKey { case it, list }
  }

  @Test("It does not show in any text made of it, nor through a mirror")
  func hidden() {
    struct Login { var password = Secret("hunter2") }
    let secret = Secret("hunter2")
    var dumped = ""
    dump(Login(), to: &dumped)
    let lines = StateDump.lines(Account()).joined()
    let texts = ["\(secret)", String(reflecting: secret), "\(Login())", "\([secret])"]
    for text in texts + [dumped, lines] {
      #expect(!text.contains("hunter2"))
      #expect(!text.contains("4711"))
      #expect(text.contains("<secret>"))
    }
    #expect(secret.revealed == "hunter2")
  }

  @Test("Encoded for people, a secret is hidden; encoded for the host, it is complete")
  func redacted() throws {
    let shown = try ValueEncoder(redactsSecrets: true).encode(Account())
    #expect(
      shown == [
        "name": "ada", "password": "<secret>", "pin": "<secret>", "tokens": ["<secret>"],
        "spare": "<secret>",
      ])
    #expect(
      try ValueEncoder(redactsSecrets: true).encode(ByHand())
        == ["it": "<secret>", "list": ["<secret>"]])
    let travelling = try ValueEncoder().encode(Account())
    #expect(travelling["password"] == "hunter2")
    #expect(travelling["pin"] == 4711)
    #expect(try ValueDecoder().decode(Account.self, from: travelling).pin == Secret(4711))
  }

  @Test("Any encoder redacts when its user info says so")
  func otherEncoders() throws {
    let encoder = JSONEncoder()
    encoder.userInfo[try #require(Secret<String>.redaction)] = true
    let text = String(decoding: try encoder.encode(Account()), as: UTF8.self)
    #expect(!text.contains("hunter2") && !text.contains("4711"))
  }

  @Test("An error of what can't be decoded does not quote it")
  func errors() throws {
    enum Level: String, Codable { case low, high }
    let error = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode([Secret<Level>].self, from: ["hunter2"])
    }
    #expect(!"\(error)".contains("hunter2"))
    #expect("\(error)".contains("the secret is not a valid Level"))
    let kind = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode(Secret<String>.self, from: 5)
    }
    #expect("\(kind)".contains("expected String"))
    struct Talkative: Codable, CustomStringConvertible, Error {
      let description: String
      init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        if text.count > 3 { throw Self(description: text) }
        throw DecodingError.typeMismatch(
          Self.self, .init(codingPath: decoder.codingPath, debugDescription: text))
      }
      init(description: String) { self.description = description }
      func encode(to encoder: any Encoder) throws { throw self }
    }
    for text in ["hunter2", "hu2"] {
      let own = try #require(throws: DecodingError.self) {
        try ValueDecoder().decode(Secret<Talkative>.self, from: .string(text))
      }
      #expect(!"\(own)".contains(text))
    }
    let encoding = try #require(throws: EncodingError.self) {
      try ValueEncoder().encode(Secret(Talkative(description: "hunter2")))
    }
    #expect(!"\(encoding)".contains("hunter2"))
  }

  @Test("A feature's state is dumped without its secrets, and carried over with them")
  func feature() throws {
    let witness = try #require(LoadedPlugin(VaultPlugin.self).instantiate(configuration: [:]).first)
    let state = try witness.makeState(["key": "hunter2"])
    #expect(try witness.dump(state) == ["key": "<secret>"])
    #expect(try witness.encode(state) == ["key": "hunter2"])
    #expect(try witness.encode(witness.decode(witness.encode(state))) == ["key": "hunter2"])
  }

  @Test("A schema says that a secret has a default, not which one; the default still stands")
  func defaults() throws {
    let info = try #require(LoadedPlugin(VaultPlugin.self).features.first)
    guard case .object(let fields) = info.arguments else {
      Issue.record("\(info.arguments)")
      return
    }
    #expect(fields == [Schema.Field(name: "key", schema: .secret, defaultValue: "<secret>")])
    #expect(fields.allSatisfy { !$0.isRequired })
    let witness = try #require(LoadedPlugin(VaultPlugin.self).instantiate(configuration: [:]).first)
    #expect(try witness.encode(witness.makeState([:])) == ["key": "changeme"])
  }
}

private struct VaultPlugin: Plugin {
  static let name = "Vault"
  static let version = "1.0.0"
  init(configuration: NoConfiguration) {}
  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Vault.self) { _ in Vault() }
  }
}

private struct Vault: Feature {
  struct Arguments: Codable, Sendable, Defaulted { var key = Secret("changeme") }
  struct State: Codable, Sendable { var key: Secret<String> }
  enum Action: FeatureAction {}
  func initialState(_ arguments: Arguments) -> State { State(key: arguments.key) }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {}
  func screen(_ state: State) -> Screen<Action> { Screen("Vault") { _ in } }
}
