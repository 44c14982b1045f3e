@_spi(Host) import AppCore
import Foundation
internal import TestSupport
import Testing

@testable import Support

@Suite struct JSONReaderTests {
  private func value(_ text: String) -> Value? { try? JSONReader.value(text.utf8) }

  @Test("Values of every kind are read")
  func kinds() {
    #expect(value(" null ") == .null)
    #expect(value("[true,false]") == [true, false])
    #expect(value("[0,-0,12,-5]") == [0, 0, 12, -5])
    #expect(value("[1.5,1e2,-2E-1]") == [1.5, 100.0, -0.2])
    #expect(value("9223372036854775807") == .int(.max))
    #expect(value("9223372036854775808") == .double(9_223_372_036_854_775_808))
    #expect(value(#""\"\\\/\b\f\n\r\té""#) == .string("\"\\/\u{8}\u{c}\n\r\té"))
    #expect(value(#""plain, then \n, é and \#u{7f}""#) == .string("plain, then \n, é and \u{7f}"))
    #expect(value(#"{"a":{"b":[]}}"#) == ["a": ["b": []]])
    #expect(value(" { } ") == [:])
    #expect(value(" { \"a\" : [ ] ,\n\t\"b\" : [ 1 , 2 ]\r\n} ") == ["a": [], "b": [1, 2]])
    #expect(
      value(#"{"a":{"b":1,"c":{}},"d":[{"a":2},{"b":3}],"b":4}"#)
        == ["a": ["b": 1, "c": [:]], "d": [["a": 2], ["b": 3]], "b": 4])
  }

  @Test("Values with space between them are read one after another")
  func several() throws {
    var reader = JSONReader(Array("{\"a\":1}\n null\n\"b\" ".utf8))
    let all: [Value] = [["a": 1], .null, "b"]
    for value in all { #expect(try reader.nextValue() == .some(value)) }
    #expect(try reader.nextValue() == .none)
    var broken = JSONReader(Array("1\n}".utf8))
    #expect(try broken.nextValue() == .some(1))
    #expect(throws: JSONReader.Failure.self) { try broken.nextValue() }
  }

  @Test(
    "Malformed JSON is refused",
    arguments: [
      "", " ", "nul", "truee", "01", "-", "+1", ".5", "1.", "1e", "0x1", "NaN", "[1,]", "[,1]",
      "[1 2]", "[", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "'a'", "\"a", "\"\u{1}\"",
      "\"\t\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"", "\"\\ud800\"", "\"\\udc00\"",
      "\"\\ud800\\u0041\"", "1 1", "1e999", "// c\n1", "{\"a\":1,\"a\":2}",
      "{\"a\":1,\"\\u0061\":2}",
    ])
  func refused(text: String) {
    #expect(value(text) == nil)
  }

  @Test("Nesting is bounded, in the reader's own stack too")
  func depth() {
    func nested(_ depth: Int) -> String {
      String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }
    #expect(value(nested(32)) != nil)
    #expect(value(nested(33)) == nil)
    #expect(value(String(repeating: "[", count: 1_000_000)) == nil)
    #expect(value(String(repeating: "{\"a\":", count: 100_000)) == nil)
  }

  @Test("No bytes make the reader trap, and what it takes Foundation takes too")
  func fuzz() throws {
    var random = SplitMix64(seed: 7)
    let pieces = [
      "{", "}", "[", "]", ",", ":", "\"", "\"a\"", "\\", "\\u", "d800", "0", "1", "-", ".", "e",
      "true", "null", " ", "é", "\u{7f}",
    ]
    for _ in 0..<20_000 {
      let count = Int.random(in: 0..<12, using: &random)
      var text = ""
      for _ in 0..<count { text += pieces.randomElement(using: &random) ?? "" }
      guard value(text) != nil else { continue }
      #expect(
        throws: Never.self, "\(text)",
        performing: {
          _ = try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
        })
    }
    for _ in 0..<5000 {
      let count = Int.random(in: 0..<40, using: &random)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? JSONReader.value(bytes)
    }
  }

  @Test("The reader reads every name that the writer quotes")
  func roundTrip() throws {
    let texts = [
      "", "a\"b\\c", "\u{0}\u{1f}\u{7f}\u{9b}\u{202e}\u{2028}", "👩‍👩‍👧é\n\r\t", "\u{10ffff}",
    ]
    for text in texts {
      let quoted = JSONTree.quote(text)
      #expect(value(quoted) == .string(text))
      #expect(!quoted.unicodeScalars.contains(where: SafeText.isHazard))
    }
  }
}
