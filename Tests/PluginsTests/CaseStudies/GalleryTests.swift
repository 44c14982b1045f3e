import Foundation
import TestSupport
import Testing

/// The whole gallery, as `appcore run` shows it with the plugins' files.
@Suite("The gallery of case studies")
struct GalleryTests {
  private static let manifest = "manifests/casestudies.yaml"
  private static let folder = packageFolder.appendingPathComponent("Tests/PluginsTests/CaseStudies")
  /// Scripts that lead through studies, and those with studies in which time passes.
  private static let scripts = ["basics", "sharing"]
  private static let timedScripts = ["effects", "navigation", "readers", "higherOrder"]

  @Test("The manifest has neither an error nor a warning")
  func check() async throws {
    let result = try await Program.appcore(["check", Self.manifest])
    #expect(result.errors == "\(Self.manifest): no problems\n")
    #expect(result.status == 0)
  }

  @Test("Every screen looks as it did", arguments: scripts)
  func screens(_ script: String) async throws {
    let result = try await run(script)
    let golden = Self.folder.appendingPathComponent("Golden/\(script).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try result.output.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(
      try result.output == String(contentsOf: golden, encoding: .utf8),
      "differs from \(script).txt; RECORD=1 writes it")
  }

  @Test("Where time passes, everything shows what is expected in the end", arguments: timedScripts)
  func results(_ script: String) async throws {
    let result = try await run(script)
    #expect(result.errors.isEmpty)
  }

  private func run(_ script: String) async throws -> ProgramResult {
    let scratch = try TemporaryFolder()
    let result = try await Program.appcore(
      [
        "run", Self.manifest, "--script",
        Self.folder.appendingPathComponent("Scripts/\(script).script").path,
      ],
      environment: [
        "HOME": scratch.url.path, "XDG_CONFIG_HOME": scratch.url.path,
        "XDG_STATE_HOME": scratch.url.path, "COLUMNS": "80",
      ])
    #expect(result.status == 0, "\(result.errors)")
    return result
  }

  @Test("The scripts open every study")
  func coverage() async throws {
    let lines = try (Self.scripts + Self.timedScripts).map { script in
      try String(
        contentsOf: Self.folder.appendingPathComponent("Scripts/\(script).script"),
        encoding: .utf8)
    }
    let opened = lines.joined()
    for study in try await Study.all() {
      #expect(
        ["@\(study.node)\n", "/\(study.node)", "!\(study.node)"].contains { opened.contains($0) },
        "no script opens \(study.feature)")
    }
  }
}
