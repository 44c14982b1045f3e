internal import TestSupport
import Testing

@testable import Shell
@testable internal import Support

@Suite struct LineParserTests {
  private func parse(_ text: String) throws(Rejection) -> Line { try LineParser().parse(text) }

  private func code(_ text: String) -> String? {
    do { _ = try parse(LineParser.text(Array(text.utf8))) } catch { return error.code }
    return nil
  }

  @Test("Blank lines and comments are nothing", arguments: ["", " ", "\t", "#", "# 3 x", "  # x"])
  func nothing(text: String) throws {
    #expect(try parse(text) == .nothing)
  }

  @Test("A number comes alone or with a value, which is trimmed")
  func number() throws {
    #expect(try parse("3") == .number(3, value: nil, text: "3"))
    #expect(try parse(" 3\t ") == .number(3, value: nil, text: "3"))
    #expect(try parse("3   a  b ") == .number(3, value: .text("a  b"), text: "3   a  b"))
    #expect(try parse("3 :back") == .number(3, value: .text(":back"), text: "3 :back"))
    #expect(try parse("3 #1") == .number(3, value: .text("#1"), text: "3 #1"))
  }

  @Test("People also write '=' after a number or an identifier, with a space on both sides")
  func assigned() throws {
    #expect(try parse("1 = ssl") == .number(1, value: .text("ssl"), text: "1 = ssl"))
    #expect(
      try parse("1  =\tssl = x ") == .number(1, value: .text("ssl = x"), text: "1  =\tssl = x"))
    #expect(try parse("@name = Ada") == .identifier("name", value: .text("Ada")))
    #expect(try parse("@name = \"\"") == .identifier("name", value: .text("")))
    #expect(try parse("@name = <<END") == .identifier("name", value: .lines(end: "END")))
    // Without the spaces, and quoted, it is part of the value.
    #expect(try parse("1 =ssl") == .number(1, value: .text("=ssl"), text: "1 =ssl"))
    #expect(try parse("1 \"=\"") == .number(1, value: .text("="), text: "1 \"=\""))
    #expect(try parse("1 \"= ssl\"") == .number(1, value: .text("= ssl"), text: "1 \"= ssl\""))
    #expect(try parse("@a=b") == .identifier("a=b", value: nil))
  }

  @Test("A number that no screen can have is still a number")
  func hugeNumber() throws {
    let digits = String(repeating: "9", count: 400)
    #expect(try parse(digits) == .number(.max, value: nil, text: digits))
  }

  @Test("Digits of other scripts, and words that begin with digits, are labels")
  func noNumbers() throws {
    #expect(try parse("٣") == .label("٣", value: nil))
    #expect(try parse("3rd party") == .label("3rd party", value: nil))
    #expect(try parse("-3") == .label("-3", value: nil))
  }

  @Test("A value that is wholly one JSON string is decoded")
  func decodedValues() throws {
    func value(_ text: String) throws -> LineValue? {
      guard case .number(_, let value, _) = try parse("3 " + text) else { return nil }
      return value
    }
    #expect(try value(#""""#) == .text(""))
    #expect(try value(#""   ""#) == .text("   "))
    #expect(try value(#""a\nb""#) == .text("a\nb"))
    #expect(try value(#""\ud83d\ude00""#) == .text("😀"))
    #expect(try value(#""<<END""#) == .text("<<END"))
    #expect(try value(#""a" b"#) == .text(#""a" b"#))
    #expect(try value(#"a "b""#) == .text(#"a "b""#))
    #expect(try value(#""C:\path""#) == .text(#""C:\path""#))
    #expect(try value(#"""#) == .text(#"""#))
  }

  @Test("An identifier runs to the first space")
  func identifier() throws {
    #expect(try parse("@filter") == .identifier("filter", value: nil))
    #expect(try parse("@filter a = b") == .identifier("filter", value: .text("a = b")))
    #expect(try parse("@a.b:c é") == .identifier("a.b:c", value: .text("é")))
    #expect(code("@") == "identifier-missing")
    #expect(code("@ filter") == "identifier-missing")
  }

  @Test("A '=' without a value is as none")
  func assignedNothing() throws {
    #expect(try parse("1 =") == .number(1, value: nil, text: "1 ="))
    #expect(try parse("@name = ") == .identifier("name", value: nil))
    #expect(try parse("Filter =") == .label("Filter", value: nil))
    #expect(try parse("\"Filter\" =") == .label("Filter", value: nil))
    // Written in quotes, it is a part of the label.
    #expect(try parse("\"Filter =\"") == .label("Filter =", value: nil))
    #expect(try parse("=") == .label("=", value: nil))
  }

  @Test("An identifier that a word can't hold is written as a JSON string")
  func quotedIdentifier() throws {
    #expect(try parse(#"@"97 80""#) == .identifier("97 80", value: nil))
    #expect(try parse(#"@"97 80" on"#) == .identifier("97 80", value: .text("on")))
    #expect(try parse(#"@"97 80" = "on""#) == .identifier("97 80", value: .text("on")))
    #expect(try parse(#"@"a\"b""#) == .identifier("a\"b", value: nil))
    #expect(try parse(#"@"plain""#) == .identifier("plain", value: nil))
    #expect(try parse(#"@a"b"#) == .identifier("a\"b", value: nil))
    #expect(code(#"@"97 80"#) == "bad-string")
    #expect(code(#"@"97"80"#) == "text-after-identifier")
    #expect(code(#"@"""#) == "identifier-missing")
    #expect(code(#"@"a\u0000""#) == "nul")
    for id in ["a", "97 80", "", "\"a", "a\"", "tab\there", "new\nline", "=", "é"] where !id.isEmpty
    {
      #expect(try parse(Scanner.line(identifier: id)) == .identifier(id, value: nil))
    }
    #expect(Scanner.line(identifier: "a.b:c") == "@a.b:c")
  }

  @Test("The first ' = ' parts label and value")
  func label() throws {
    #expect(try parse("Save all") == .label("Save all", value: nil))
    #expect(try parse("Filter = a = b") == .label("Filter", value: .text("a = b")))
    #expect(try parse("Filter =  \"\" ") == .label("Filter", value: .text("")))
    #expect(try parse("a=b") == .label("a=b", value: nil))
    #expect(try parse("Note = :back") == .label("Note", value: .text(":back")))
  }

  @Test("A label that looks like something else is quoted")
  func quotedLabel() throws {
    #expect(try parse(#"":back""#) == .label(":back", value: nil))
    #expect(try parse(##""#1" = 2"##) == .label("#1", value: .text("2")))
    #expect(try parse(#""@me""#) == .label("@me", value: nil))
    #expect(try parse(#""say \"a\"""#) == .label(#"say "a""#, value: nil))
    #expect(try parse(#""a = b" = c = d"#) == .label("a = b", value: .text("c = d")))
    #expect(try parse(#""7""#) == .label("7", value: nil))
    #expect(try parse(#""7" = <<END"#) == .label("7", value: .lines(end: "END")))
  }

  @Test("A quoted label that goes wrong is refused")
  func badQuotedLabel() {
    #expect(code(#""open"#) == "bad-string")
    #expect(code(#""a" b"#) == "text-after-label")
    #expect(code(#""a"= b"#) == "text-after-label")
    #expect(code(#""a" =b"#) == "text-after-label")
    #expect(code(#""\ud800""#) == "bad-string")
    #expect(code(#"3 "\ud800""#) == "bad-string")
  }

  @Test("'<<END' asks for lines, whatever the word is; other '<<' are text")
  func lines() throws {
    #expect(try parse("3 <<END") == .number(3, value: .lines(end: "END"), text: "3 <<END"))
    #expect(try parse("@a <<_x1") == .identifier("a", value: .lines(end: "_x1")))
    #expect(try parse("A = <<E") == .label("A", value: .lines(end: "E")))
    #expect(try parse("A = << E") == .label("A", value: .text("<< E")))
    #expect(try parse("A = <<1") == .label("A", value: .text("<<1")))
    #expect(try parse("A = <<") == .label("A", value: .text("<<")))
  }

  @Test("One trailing CR is dropped, and no more")
  func carriageReturn() throws {
    #expect(try LineParser.text(Array("3\r".utf8)) == "3")
    #expect(try LineParser.text(Array("3\r\r".utf8)) == "3\r")
    #expect(try LineParser.text([0x0d]) == "")
  }

  @Test("NUL is refused, written as it is or as an escape")
  func nul() {
    #expect(code("3 a\0b") == "nul")
    #expect(code(#"3 "a\u0000b""#) == "nul")
    #expect(code(#""a\u0000b""#) == "nul")
    #expect(code(#":find "\u0000""#) == "nul")
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
