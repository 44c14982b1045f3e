import Foundation
import TestSupport
import Testing

/// The whole gallery, as `appcore run` shows it with the plugins' files.
@Suite("The gallery of case studies")
struct GalleryTests {
  private static let manifest = "manifests/casestudies.yaml"
  private static let folder = packageFolder.appendingPathComponent("Tests/CaseStudiesTests")
  private static let chapters = ["basics"]

  @Test("The manifest has neither an error nor a warning")
  func check() async throws {
    let result = try await Program.appcore(["check", Self.manifest])
    #expect(result.errors == "\(Self.manifest): no problems\n")
    #expect(result.status == 0)
  }

  @Test("Every screen of a chapter looks as it did", arguments: chapters)
  func screens(_ chapter: String) async throws {
    let scratch = try TemporaryFolder()
    let script = Self.folder.appendingPathComponent("Scripts/\(chapter).script").path
    let result = try await Program.appcore(
      ["run", Self.manifest, "--script", script],
      environment: [
        "XDG_CONFIG_HOME": scratch.url.path, "XDG_STATE_HOME": scratch.url.path, "COLUMNS": "80",
      ])
    #expect(result.status == 0, "\(result.errors)")
    let golden = Self.folder.appendingPathComponent("Golden/\(chapter).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try result.output.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(
      try result.output == String(contentsOf: golden, encoding: .utf8),
      "differs from \(chapter).txt; RECORD=1 writes it")
  }

  @Test("The scripts open every study")
  func coverage() async throws {
    let scripts = try Self.chapters.map { chapter in
      try String(
        contentsOf: Self.folder.appendingPathComponent("Scripts/\(chapter).script"),
        encoding: .utf8)
    }
    let opened = Set(scripts.joined().split(separator: "\n"))
    for study in try await Study.all() {
      #expect(opened.contains("@\(study.node)"), "no script opens \(study.feature)")
    }
  }
}
