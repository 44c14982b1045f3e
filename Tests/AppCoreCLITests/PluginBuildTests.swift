import Foundation
import TestSupport
import Testing

@Suite("appcore plugin build, on a terminal", .ownThread)
struct PluginBuildTests {
  @Test("The compiler's words keep their colors, and nothing else of what they hold")
  func colored() throws {
    let folder = try TemporaryFolder()
    let transcript = "Tests/Transcripts/plugins/plugin-build.md"
    let lamps = try #require(CodeBlock.all(in: transcript).first { $0.language == "swift" })
    let warned = lamps.lines + ["func unused() { let x = \"\u{202e}gnp\" }", ""]
    try folder.write(try #require(lamps.fileName), warned.joined(separator: "\n"))
    let terminal = try TypedTerminal(
      ["plugin", "build", folder.path + "/Lamps"], environment: ["NO_COLOR": ""])
    #expect(terminal.finish() == 0)
    #expect(terminal.received.contains("\u{1b}["), "\(terminal.received)")
    #expect(terminal.received.contains("warning: "))
    #expect(!terminal.received.contains("␛"))
    #expect(!terminal.received.unicodeScalars.contains("\u{202e}"))
  }
}
