internal import TestSupport
import Testing

@testable import LineEditor

@Suite("Bytes become keys") struct KeyDecoderTests {
  private func keys(_ text: String) -> [KeyPress] {
    var decoder = KeyDecoder()
    return decoder.keys(text.utf8) + decoder.giveUpWaiting()
  }

  @Test(
    "Keys as terminals send them",
    arguments: [
      ("a", KeyPress(.scalar("a"))), ("é", KeyPress(.scalar("é"))), ("👩", KeyPress(.scalar("👩"))),
      ("\r", KeyPress(.enter)), ("\n", KeyPress(.enter)), ("\t", KeyPress(.tab)),
      ("\u{7f}", KeyPress(.backspace)), ("\u{8}", KeyPress(.backspace)),
      ("\u{1}", .control("a")), ("\u{1a}", .control("z")), ("\u{1f}", .control("_")),
      ("\u{1c}", .control("\\")), ("\u{1b}", KeyPress(.escape)), ("\u{1b}b", .alt("b")),
      ("\u{1b}\u{7f}", KeyPress(.backspace, .alt)), ("\u{1b}[A", KeyPress(.up)),
      ("\u{1b}OA", KeyPress(.up)), ("\u{1b}[H", KeyPress(.home)), ("\u{1b}OF", KeyPress(.end)),
      ("\u{1b}[1~", KeyPress(.home)), ("\u{1b}[7~", KeyPress(.home)),
      ("\u{1b}[3~", KeyPress(.delete)), ("\u{1b}[3$", KeyPress(.delete, .shift)),
      ("\u{1b}[?2026;2$y", KeyPress(.unknown)), ("\u{1b}[3;5~", KeyPress(.delete, .control)),
      ("\u{1b}[1;5C", KeyPress(.right, .control)), ("\u{1b}[1;3D", KeyPress(.left, .alt)),
      ("\u{1b}\u{1b}[D", KeyPress(.left, .alt)), ("\u{1b}Oc", KeyPress(.right, .control)),
      ("\u{1b}[d", KeyPress(.left, .shift)), ("\u{1b}[Z", KeyPress(.tab, .shift)),
      ("\u{1b}[[A", KeyPress(.function(1))), ("\u{1b}OP", KeyPress(.function(1))),
      ("\u{1b}[15~", KeyPress(.function(5))), ("\u{1b}[24~", KeyPress(.function(12))),
      ("\u{1b}O5P", KeyPress(.function(1), .control)), ("\u{1b}Oq", KeyPress(.scalar("1"))),
      ("\u{1b}[97;5u", .control("a")), ("\u{1b}[97;2u", KeyPress(.scalar("A"))),
      ("\u{1b}[13u", KeyPress(.enter)), ("\u{1b}[27;5;97~", .control("a")),
      ("\u{1b}[27u", KeyPress(.escape)), ("\u{1b}[", .alt("[")), ("\u{1b}O", .alt("O")),
      ("\u{1b}[?1;2c", KeyPress(.unknown)), ("\u{1b}[99~", KeyPress(.unknown)),
      ("\u{85}", KeyPress(.unknown)),
    ])
  func key(bytes: String, key: KeyPress) {
    #expect(keys(bytes) == [key])
  }

  @Test("A paste is one key, its line ends are newlines, and it holds no control characters")
  func paste() {
    #expect(
      keys("\u{1b}[200~a\r\nb\rc\nd\te\u{1b}[A\u{3}\u{1b}[201~x")
        == [KeyPress(.paste("a\nb\nc\nd\te[A")), KeyPress(.scalar("x"))])
    #expect(keys("\u{1b}[200~\u{1b}[201~") == [KeyPress(.paste(""))])
  }

  @Test("A paste that never ends is given up after a while, and typing continues")
  func endlessPaste() {
    var decoder = KeyDecoder()
    #expect(decoder.keys("\u{1b}[200~abc".utf8).isEmpty)
    #expect(decoder.timeout == 10_000)
    #expect(decoder.giveUpWaiting() == [KeyPress(.paste("abc"))])
    #expect(decoder.deadline == nil)
    #expect(decoder.keys("x".utf8) == [KeyPress(.scalar("x"))])
  }

  @Test("Invalid UTF-8 is one replacement for each part, and the rest is read")
  func invalid() {
    var decoder = KeyDecoder()
    let bytes: [UInt8] = [0xff, 0x61, 0xc3, 0x28, 0xe2, 0x82, 0xed, 0xa0, 0x80, 0xf0, 0x9f, 0x0d]
    let replaced = KeyPress(.scalar("\u{fffd}"))
    #expect(
      decoder.keys(bytes)
        == [
          replaced, KeyPress(.scalar("a")), replaced, KeyPress(.scalar("(")), replaced,
          replaced, replaced, replaced, replaced, KeyPress(.enter),
        ])
    #expect(decoder.keys([0xf0, 0x9f, 0x1b, 0x5b, 0x41]) == [replaced, KeyPress(.up)])
  }

  @Test("Answers of a terminal are swallowed, strings too")
  func strings() {
    #expect(keys("\u{1b}]11;rgb:0000/0000/0000\u{7}a") == [KeyPress(.scalar("a"))])
    #expect(keys("\u{1b}P1$r0m\u{1b}\\a") == [KeyPress(.scalar("a"))])
  }

  @Test("Enter ends a string that no terminal has begun", arguments: ["_", "]", "^", "P", "X"])
  func enter(opening: String) {
    for end in ["\r", "\n", "\u{1b}\r"] {
      #expect(
        keys("\u{1b}\(opening)@add\(end)x") == [KeyPress(.enter), KeyPress(.scalar("x"))])
    }
  }

  @Test("Only an ESC, an open sequence and an open paste make the reader wait")
  func timeout() {
    let cases = [("a", false), ("\u{1b}", true), ("\u{1b}[1;", true), ("\u{1b}[A", false)]
    for (bytes, waits) in cases {
      var decoder = KeyDecoder()
      _ = decoder.keys(bytes.utf8)
      #expect((decoder.deadline != nil) == waits)
    }
  }

  @Test("Whatever the bytes are and however they are split, the keys are the same")
  func fuzz() {
    var random = SplitMix64(seed: 9)
    let pieces = [
      "\u{1b}", "[", "O", "1;5", "~", "A", "200~", "\u{1b}[200~", "\u{1b}[201~", "é", "👩‍👩‍👧",
      "x", "\r", "\u{1b}]", "\u{7}", "\u{3}", "27;5;97~", "u",
    ].map { Array($0.utf8) }
    for _ in 0..<3000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...30, using: &random) {
        if Bool.random(using: &random) {
          bytes += pieces.randomElement(using: &random) ?? []
        } else {
          bytes.append(UInt8.random(in: .min ... .max, using: &random))
        }
      }
      var whole = KeyDecoder()
      var expected = whole.keys(bytes)
      expected += whole.giveUpWaiting()
      var split = KeyDecoder()
      var keys: [KeyPress] = []
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...rest.count, using: &random)
        keys += split.keys(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      keys += split.giveUpWaiting()
      #expect(keys == expected)
      // Whatever came before, the next line is read.
      #expect(split.keys("ok\r".utf8).suffix(2).last == KeyPress(.enter))
    }
  }
}
