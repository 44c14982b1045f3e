import Foundation
internal import TestSupport
import Testing

@testable import Shell
@testable internal import Support

@Suite struct LineParserTests {
  /// What a line is read as, or `✗` and why it is refused.
  private func said(of text: String) -> String {
    do throws(Rejection) {
      let text = try LineParser.text(Array(text.utf8))
      switch try LineParser().parse(text) {
      case .nothing: return "nothing"
      case .number(let number, let value, let whole):
        // The whole line might be a control's label.
        #expect(whole == text.trimmingCharacters(in: .whitespaces))
        return "number \(number)\(said(of: value))"
      case .identifier(let id, let value):
        return "identifier \(id.debugDescription)\(said(of: value))"
      case .label(let label, let value): return "label \(label.debugDescription)\(said(of: value))"
      case .command(let command): return "command \(command)"
      }
    } catch { return "✗ \(error.code): \(error.message)" }
  }

  private func said(of value: LineValue?) -> String {
    switch value {
    case nil: ""
    case .lines(let end): ", lines up to \(end)"
    case .text(let text): ", \(text.debugDescription)"
    case .number(let number): ", \(number)"
    case .bool(let bool): ", \(bool)"
    }
  }

  @Test("Each kind of line is read")
  func lines() throws { try expectTable("lines") { said(of: $0) } }

  @Test("An identifier is written so that it is read again")
  func identifiers() throws {
    for id in ["a", "97 80", "\"a", "a\"", "tab\there", "new\nline", "=", "é"] {
      #expect(try LineParser().parse(Scanner.line(identifier: id)) == .identifier(id, value: nil))
    }
    #expect(Scanner.line(identifier: "a.b:c") == "@a.b:c")
  }

  @Test(
    "Bytes that are no UTF-8 are refused, with the place",
    arguments: [
      ([0x61, 0xff], 1), ([0x80], 0), ([0x61, 0xc3], 1), ([0xed, 0xa0, 0x80], 0),
      ([0xc0, 0x80], 0), ([0xc3, 0xa9, 0xf8], 2),
    ] as [([UInt8], Int)])
  func badUTF8(bytes: [UInt8], offset: Int) {
    let rejection = #expect(throws: Rejection.self) { try LineParser.text(bytes) }
    #expect(rejection?.code == "bad-utf8")
    #expect(rejection?.message.contains(": byte \(offset + 1) does not belong there") == true)
  }

  @Test("No line makes the parser trap, and what it quotes it reads again")
  func fuzz() throws {
    var random = SplitMix64(seed: 20_260_101)
    let alphabet = Array(
      "3@#:\"\\=<>E _aé\u{301}😀{}[],ud80n/-.\t\r\u{1b}\u{202e}END press find wait 9 = ")
    for _ in 0..<20_000 {
      let length = Int.random(in: 0..<24, using: &random)
      let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) })
      if let line = try? LineParser().parse(text), case .label(let label, _) = line {
        let again = try LineParser().parse(JSONTree.quote(label))
        #expect(again == .label(label, value: nil))
      }
      let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
      _ = try? LineParser().parse(LineParser.text(bytes))
    }
  }
}
