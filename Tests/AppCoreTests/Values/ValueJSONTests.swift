import AppCore
import Foundation
import Testing

@Suite("Value as JSON")
struct ValueJSONTests {
  @Test("Objects are written in the order of their names, on one line")
  func order() {
    let value: Value = ["b": [1, nil, true, false], "a": ["z": -1, "y": [:]], "c": []]
    #expect(value.json == #"{"a":{"y":{},"z":-1},"b":[1,null,true,false],"c":[]}"#)
  }

  @Test(
    "Characters that would end a string or a line are escaped",
    arguments: [
      ("\"\\/", #""\"\\/""#),
      ("a\nb\r\t", #""a\nb\r\t""#),
      ("\u{0}\u{1b}[2J\u{7f}\u{9b}", #""\u0000\u001b[2J\u007f\u009b""#),
      ("\u{2028}\u{2029}", #""\u2028\u2029""#),
      ("é👨‍👩‍👧\u{301}", "\"é👨‍👩‍👧\u{301}\""),
      ("\r\n", #""\r\n""#),
    ])
  func escapes(text: String, json: String) {
    #expect(Value.string(text).json == json)
    #expect(Value.object([text: nil]).json == "{\(json):null}")
  }

  @Test("Values that JSON can't express are null")
  func numbers() {
    let numbers: Value = [.double(.infinity), .double(.nan), .double(-.infinity)]
    #expect(numbers.json == "[null,null,null]")
    #expect(Value.int(.min).json == "-9223372036854775808")
  }

  @Test("Its description reads as JSON does, with blanks, and shows every number")
  func description() {
    let value: Value = [
      "items": [["name": "a\"b\u{1b}"], 1, 2.5, nil, true], "empty": [], "none": [:],
      "far": .double(.infinity),
    ]
    let text = """
      {"empty": [], "far": inf, "items": [{"name": "a\\"b\\u001b"}, 1, 2.5, null, true], "none": {}}
      """
    #expect(value.description == text)
    #expect("\(value)" == text)
    #expect(value["items"].debugDescription.hasPrefix(#"Optional([{"name": "a\"b"#))
    #expect(String(reflecting: Value.string("x")) == #""x""#)
  }

  @Test("Foundation reads every scalar back as it was written")
  func foundation() throws {
    let scalars = (0...0x1ffff).compactMap(Unicode.Scalar.init)
    var text = ""
    text.unicodeScalars.append(contentsOf: scalars)
    let value: Value = ["text": .string(text), "numbers": [1e300, 2.5e-308, -0.0, 0.1, 1e21]]
    let read = try JSONDecoder().decode(Value.self, from: Data(value.json.utf8))
    guard case .string(let back)? = read["text"] else {
      Issue.record("no text came back")
      return
    }
    #expect(Array(back.unicodeScalars) == scalars)
    guard case .array(let numbers)? = read["numbers"] else { return }
    #expect(numbers.count == 5)
    #expect(numbers[1] == 2.5e-308)
    #expect(numbers[3] == 0.1)
  }
}
