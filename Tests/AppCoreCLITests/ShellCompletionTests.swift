import Foundation
import TestSupport
import Testing

/// The scripts that are installed for shells, by the shells themselves.
///
/// zsh and fish are not on every machine; what they would show is tested where they are. A transcript
/// has what bash completes.
@Suite("Completing in shells", .ownThread)
struct ShellCompletionTests {
  private static let manifest = "Tests/Fixtures/manifests/console/console.yaml"
  private static let search = ["PATH": "\(buildFolder.path):/usr/bin:/bin"]

  private static let fish = "/usr/bin/fish"
  private static let zsh = "/usr/bin/zsh"

  @Test("fish does", .enabled(if: FileManager.default.isExecutableFile(atPath: fish)))
  func fishCompletes() async throws {
    let scratch = try TemporaryFolder()
    func complete(_ line: String) async throws -> [String] {
      let result = try await Program.run(
        Self.fish,
        [
          "--no-config", "-c",
          "appcore --generate-completion-script fish | source; complete -C '\(line)'",
        ],
        environment: Self.search.merging(["HOME": scratch.url.path]) { $1 })
      #expect(result.errors == "")
      return result.lines
    }
    /// Without the description, which for an option's value is that of the option.
    func values(_ line: String) async throws -> [Substring] {
      try await complete(line).map { $0.prefix { $0 != "\t" } }
    }
    #expect(
      try await complete("appcore che") == ["check\tCheck manifests and print their problems."])
    #expect(try await complete("appcore check manifests/pa") == ["manifests/packages.yaml"])
    #expect(try await values("appcore run \(Self.manifest) --set in") == ["interval="])
    #expect(try await values("appcore run manifests/notes.yaml --open no") == ["note/"])
    // Without a word that is begun, each is a candidate.
    #expect(try await values("appcore run \(Self.manifest) --set ") == ["interval="])
  }

  @Test("zsh does", .enabled(if: FileManager.default.isExecutableFile(atPath: zsh)))
  func zshCompletes() throws {
    let terminal = try TypedTerminal(Self.zsh, ["-f"], environment: Self.search)
    let scratch = try TemporaryFolder()
    terminal.type(
      "PS1='> '; fpath=(\(scratch.path) $fpath); "
        + "appcore --generate-completion-script zsh >\(scratch.path)/_appcore\r")
    try terminal.wait { $0.line == ">" }
    // Without a check of who owns the folders: a clone may be anybody's.
    terminal.type("autoload -Uz compinit; compinit -u -D; echo rea''dy\r")
    try terminal.wait { $0.text.contains("ready") && $0.line == ">" }
    func expect(_ typed: String, _ line: String) throws {
      terminal.type("\u{15}")
      try terminal.wait { $0.line == ">" }
      terminal.type(typed + "\t")
      try terminal.wait(forLine: line)
    }
    try expect("appcore che", "> appcore check")
    try expect("appcore check manifests/pa", "> appcore check manifests/packages.yaml")
    try expect(
      "appcore run manifests/notes.yaml --set sav",
      "> appcore run manifests/notes.yaml --set saveAfter=")
    try expect(
      "appcore run manifests/notes.yaml --open no",
      "> appcore run manifests/notes.yaml --open note/")
    terminal.type("\u{15}exit\r")
    #expect(terminal.finish() == 0)
  }
}
