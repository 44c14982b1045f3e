import AppCore
import Testing

@testable import Sessions

@Suite("Values without their secrets")
struct ValueSecretsTests {
  @Test("Each secret has a placeholder, an empty one stays, and others are null")
  func placeholders() {
    let value: Value = ["name": "ada", "word": "hunter2", "none": "", "pin": 1234, "keys": ["a"]]
    let shown: Value = [
      "name": "ada", "word": "<secret>", "none": "<secret>", "pin": "<secret>",
      "keys": "<secret>",
    ]
    let copy: Value = ["name": "ada", "word": "", "none": "", "pin": .null, "keys": .null]
    #expect(value.withoutSecrets(shownAs: shown) == copy)
    #expect(value.withoutSecrets(shownAs: shown, placeholder: "x")?["word"] == "x")
    #expect(value.withoutSecrets(shownAs: shown, placeholder: "x")?["none"] == "")
  }

  @Test("A shared value keeps what it is found by")
  func shared() {
    let value: Value = ["edition": 3, "key": "a", "value": ["name": "ada", "word": "hunter2"]]
    #expect(
      value.withoutSecrets(shownAs: ["name": "ada", "word": "<secret>"])
        == ["edition": 3, "key": "a", "value": ["name": "ada", "word": ""]])
  }

  @Test("Where it is not certain what is secret, there is no copy")
  func uncertain() {
    #expect(Value.array(["a", "b"]).withoutSecrets(shownAs: ["<secret>"]) == nil)
    #expect(Value.object(["a": 1]).withoutSecrets(shownAs: ["b": "<secret>"]) == nil)
    #expect(Value.string("a").withoutSecrets(shownAs: "b") == nil)
  }

  @Test("A line that may be a secret stays one until it is emptied")
  func typedLine() {
    var change = ImageChange()
    func kept(_ line: String, isPrivate: Bool) -> String? {
      var conversation = change.conversation ?? SavedConversation()
      conversation.type(line, cursor: line.count, isPrivate: isPrivate)
      change.conversation = conversation
      return change.open(without: SecretTexts()).conversation?.line
    }
    #expect(kept("@add", isPrivate: false) == "@add")
    #expect(kept("@password = h", isPrivate: true) == "")
    // The screen that asked for it is gone.
    #expect(kept("@password = hunter2", isPrivate: false) == "")
    #expect(kept("", isPrivate: false) == "")
    #expect(kept("@add", isPrivate: false) == "@add")
  }
}
