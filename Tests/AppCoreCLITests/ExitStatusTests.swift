import Foundation
import TestSupport
import Testing

@Suite("appcore's exit status and messages")
struct ExitStatusTests {
  private func run(_ manifest: String, _ options: [String] = []) async throws -> ProgramResult {
    let folder = try TemporaryFolder()
    let file = try folder.write("app.yaml", manifest)
    let result = try await Program.appcore(["run", file.path] + options)
    #expect(!result.wasSignalled)
    for trace in ["Fatal error", "Crash", "Backtrace"] { #expect(!result.errors.contains(trace)) }
    return result
  }

  private var packages: String {
    get throws {
      try String(
        contentsOf: packageFolder.appendingPathComponent("manifests/packages.yaml"),
        encoding: .utf8)
    }
  }

  @Test("A manifest that does not exist ends with 66")
  func missingManifest() async throws {
    let result = try await Program.appcore(["run", "/nowhere/app.yaml"])
    #expect(result.status == 66)
    #expect(
      result.errors
        == "appcore: can't read '/nowhere/app.yaml': No such file or directory; "
        + "name a manifest that exists\n")
  }

  @Test("Broken YAML ends with 65, with line, column and caret")
  func brokenYAML() async throws {
    let result = try await run("appcore: 1\nnodes:\n  a: { feature: A.B\nstart: a\n")
    #expect(result.status == 65)
    #expect(result.errors.contains("app.yaml:3:6: error: the '{' here is never closed"))
    #expect(result.errors.contains("\n  a: { feature: A.B\n"))
    #expect(result.errors.contains("^"))
  }

  @Test("An unknown feature ends with 65 and the name that was probably meant")
  func unknownFeature() async throws {
    let text = try packages.replacingOccurrences(of: "Packages.List", with: "Packages.Lst")
    let result = try await run(text)
    #expect(result.status == 65)
    #expect(
      result.errors.contains(
        "app.yaml:13:27: error: unknown feature 'Packages.Lst'; did you mean 'Packages.List'? "
          + "[unknown-feature]"))
  }

  @Test("A plugin that is not there ends with 69 and every path that was tried")
  func missingPlugin() async throws {
    let text = try packages.replacingOccurrences(of: "Dialogs", with: "Dialogues")
    let result = try await run(text, ["--plugin-path", "/nowhere/plugins"])
    #expect(result.status == 69)
    #expect(result.errors.contains("tried: /nowhere/plugins/libDialogues.so"))
    #expect(result.errors.contains("tried: \(buildFolder.path)/libDialogues.so"))
    #expect(result.errors.contains("--plugin-path"))
    #expect(!result.errors.contains("unknown-feature"))
  }

  @Test("A truncated plugin ends with 69 and says where it is cut off")
  func truncatedPlugin() async throws {
    let folder = try TemporaryFolder()
    let whole = try Data(contentsOf: buildFolder.appendingPathComponent("libDialogs.so"))
    let copy = folder.url.appendingPathComponent("libDialogs.so")
    try whole.prefix(whole.count / 2).write(to: copy)
    let result = try await run(try packages, ["--plugin-path", folder.url.path])
    #expect(result.status == 69)
    #expect(result.errors.contains("\(copy.path): cut off"))
  }

  @Test("A plugin of another version than the manifest asks for ends with 69, both sides shown")
  func otherVersion() async throws {
    let text = try packages.replacingOccurrences(
      of: "  - Dialogs\n", with: "  - { name: Dialogs, version: \">=2.0 <3\" }\n")
    let result = try await run(text)
    #expect(result.status == 69)
    #expect(
      result.errors.contains("it is version '1.0.0', and the manifest asks for '>=2.0 <3'"))
    let accepted = text.replacingOccurrences(of: ">=2.0 <3", with: ">=1.0 <2")
    #expect(try await run(accepted).status == 0)
  }

  @Test("Wrong arguments end with 64")
  func usage() async throws {
    #expect(try await Program.appcore(["run"]).status == 64)
    #expect(try await Program.appcore(["rnu"]).status == 64)
    #expect(try await Program.appcore(["run", "a.yaml", "--set", "x"]).status == 64)
  }

  @Test("A manifest without errors checks clean, with 0")
  func check() async throws {
    let result = try await Program.appcore(["check", "manifests/packages.yaml"])
    #expect(result.status == 0)
    #expect(!result.output.contains("error"))
  }
}
