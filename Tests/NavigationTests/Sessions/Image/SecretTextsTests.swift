import AppCore
import Testing

@testable import Sessions

@Suite("Secrets in texts")
struct SecretTextsTests {
  @Test("Those of a manifest are found, however many others come after them")
  func given() {
    let secrets = SecretTexts()
    secrets.add(given: ["hunter2", "abc"])
    secrets.add((0..<100).map { "token-\($0)" })
    #expect(secrets.redact("hunter2 and token-99") == "<secret> and <secret>")
    // Too short to be searched for, and too long ago.
    #expect(secrets.redact("abc and token-9.") == "abc and token-9.")
    // One that is used again is not the oldest any more.
    secrets.add(["token-40"])
    secrets.add((200..<260).map { "token-\($0)" })
    #expect(secrets.redact("token-40") == "<secret>")
    #expect(secrets.redact("token-41.") == "token-41.")
    // The word of a Boolean may be part of any text.
    secrets.add(["true", "false"])
    #expect(secrets.redact(["falsePositives": "true"] as Value) == ["falsePositives": "true"])
  }

  @Test("A half-typed text has no copy of a secret in a session's file")
  func halfTyped() {
    let secrets = SecretTexts()
    secrets.add(["hunter2"])
    var conversation = SavedConversation()
    conversation.places = [
      .init(instance: 7, state: ["text": "my hunter2", "interrupted": ["text": "hunter2!"]])
    ]
    let open = ImageChange(conversation: conversation).open(without: secrets)
    #expect(
      open.conversation?.places == [
        .init(instance: 7, state: ["text": "my <secret>", "interrupted": ["text": "<secret>!"]])
      ])
  }

  @Test("Numbers, and the parts of lists and objects, are secret texts, too")
  func kinds() {
    let value: Value = [
      "pin": 123_456, "keys": ["alpha", "beta"], "account": ["name": "ada", "word": "hunter2"],
      "open": "shown",
    ]
    let shown: Value = [
      "pin": "<secret>", "keys": "<secret>", "account": "<secret>", "open": "shown",
    ]
    #expect(
      Set(value.secretTexts(shownAs: shown)) == ["123456", "alpha", "beta", "ada", "hunter2"])
  }
}
