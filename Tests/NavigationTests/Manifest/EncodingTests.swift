import Foundation
import Glibc
import Manifest
import Support
import TestSupport
import Testing

/// What a file's bytes are, before YAML.
@Suite("Encodings, line breaks and control characters")
struct EncodingTests {
  private static let text = "appcore: 1\nstart: a\nnodes: { a: { feature: A.A, title: é🙂 } }\n"

  private func problems(_ bytes: some Sequence<UInt8>) -> [String] {
    ManifestLoader(options: .init(environment: { _ in nil })).load(Array(bytes), path: "a.yaml")
      .problems.map { "\($0.range.start.line):\($0.range.start.column) \($0.code)" }
  }

  @Test("UTF-32 is read, with a mark or without, in either order", arguments: [true, false])
  func utf32(isBig: Bool) {
    for mark in ["\u{FEFF}", ""] {
      let bytes = (mark + Self.text).unicodeScalars.flatMap { scalar in
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: scalar.value >> ($0 * 8)) }
        return isBig ? bytes.reversed() : bytes
      }
      #expect(problems(bytes) == [])
    }
  }

  @Test("A long line that has nothing but the later bytes of characters is no text")
  func continuations() {
    #expect(problems([UInt8](repeating: 0x80, count: 1025)) == ["1:1 bad-encoding"])
    #expect(
      problems(Array("appcore: 1\n".utf8) + [UInt8](repeating: 0xBF, count: 3000))
        == ["2:1 bad-encoding"])
  }

  @Test("Only a line feed and a carriage return break lines", arguments: ["\u{85}", "\u{2028}"])
  func lineBreaks(character: String) throws {
    let text =
      "appcore: 1 # a\(character)b\nname: a\(character)b\nstart: x\nnodes: { a: { feature: A.A } }\n"
    #expect(problems(text.utf8) == ["3:8 unknown-node"])
    let manifest = try #require(ManifestLoader().load(Array(text.utf8), path: "a.yaml").manifest)
    #expect(manifest.name?.value == "a\(character)b")
    let folded = text.replacing("name: a", with: "name: \"\\x61\\\n  ")
      .replacing("b\nstart", with: "b\"\nstart")
    #expect(
      ManifestLoader().load(Array(folded.utf8), path: "a.yaml").manifest?.name?.value
        == "a\(character)b")
  }

  @Test(
    "A control character may be in a comment, and nowhere else",
    arguments: [0, 7, 0x7F, 0x80, 0xFEFF, 0xFFFE] as [UInt32])
  func controls(value: UInt32) throws {
    let character = Character(try #require(Unicode.Scalar(value)))
    #expect(
      problems("appcore: 1 # \(character)\n#\(character)\n\(Self.text.dropFirst(11))".utf8) == [])
    #expect(
      problems("appcore: 1\ntitle: a\(character)\n\(Self.text.dropFirst(11))".utf8)
        == ["2:9 control-character"])
    #expect(
      problems("appcore: 1\ntitle: '#\(character)'\n\(Self.text.dropFirst(11))".utf8)
        == ["2:10 control-character"])
    #expect(
      problems("appcore: 1\n\(character)\n\(Self.text.dropFirst(11))".utf8)
        == ["2:1 control-character"])
  }

  @Test("A text with every character that could stand in for a break is read, or refused")
  func noStandIn() {
    let scalars = (0xA0...0x7FF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init)
    let letters = String(String.UnicodeScalarView(scalars))
    for breaks in ["\u{85}", "\u{2028}\u{85}"] {
      let comment = "# \(letters)\(breaks)\n"
      #expect(problems((comment + Self.text).utf8) == [])
      #expect(
        problems((comment + "name: a\u{85}b\n" + Self.text).utf8) == ["2:8 control-character"])
    }
  }

  @Test(
    "A line of a million control characters or ignored codes is read in no time",
    .notSanitized("a sanitizer takes longer than the time that is allowed"))
  func longComments() {
    let start = Self.now()
    let controls = "# " + String(repeating: "\u{1}", count: 1 << 20) + "\n"
    #expect(problems((controls + Self.text).utf8) == [])
    let codes = "# appcore: ignore" + String(repeating: " a", count: 1 << 19)
    var sources = SourceMap()
    _ = sources.add(SourceFile(path: "a.yaml", bytes: Array(codes.utf8)))
    #expect(IgnoreComments(sources).words.last?.range.start.column == (1 << 20) + 17)
    // Where each goes back to the beginning of the line, they take minutes.
    #expect(Self.now() - start < 30)
  }

  @Test("Comments that ignore codes are found in a large file in no time")
  func comments() {
    var sources = SourceMap()
    _ = sources.add(
      SourceFile(path: "a.yaml", bytes: [UInt8](repeating: UInt8(ascii: "x"), count: 8 << 20)))
    let start = Self.now()
    let comments = IgnoreComments(sources)
    #expect(Self.now() - start < 0.4)
    #expect(comments.words.isEmpty)
  }

  /// The thread's processor time, in seconds.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
