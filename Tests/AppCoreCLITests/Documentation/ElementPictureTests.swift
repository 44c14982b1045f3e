import Foundation
import TestSupport
import Testing

/// The pictures of elements in docs/features.md are of what the case studies show full screen.
@Suite("The pictures of elements") struct ElementPictureTests {
  @Test(
    "Each is what a person sees; RECORD=1 makes it anew",
    arguments: [
      ("browsing", ["@browsing", ":sort Thousands", ":sort Thousands"]),
      ("selecting", ["@selecting", "@cities add Bergen", "@cities add Oslo"]),
      ("columns", ["@columns", "@Oslo"]),
    ])
  func picture(name: String, lines: [String]) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("\(name).svg")
    let result = try await Program.appcore(
      ["run", "manifests/casestudies.yaml", "--screenshot", file.path]
        + lines.flatMap { ["-c", $0] })
    #expect(result.status == 0, "\(result.errors)")
    let picture = try String(contentsOf: file, encoding: .utf8)
    let kept = packageFolder.appendingPathComponent("docs/images/\(name).svg")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try picture.write(to: kept, atomically: true, encoding: .utf8)
    }
    #expect(
      (try? String(contentsOf: kept, encoding: .utf8)) == picture,
      "differs from docs/images/\(name).svg")
  }
}
