import Foundation
import Testing

/// Every kind of screen of the app that ships, as people and programs get it.
@Suite("The shipped app's screens")
struct GoldenTests {
  private static let lines = """
    @filter libgcc
    @filter ""
    @libgcc-s1
    @depends.libc6
    @homepage
    :help open
    :graph
    :path --full
    :back
    :state
    :explain

    """

  private func screens(_ options: [String], _ environment: [String: String]) throws -> String {
    let variables = ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status"]
    let result = try Program.appcore(
      ["run", "manifests/packages.yaml"] + options, input: Self.lines,
      environment: variables.merging(environment) { $1 })
    #expect(result.status == 0, "\(result.errors)")
    return result.output.replacingOccurrences(of: buildFolder.path, with: "BUILD")
      .replacingOccurrences(of: "\u{1b}", with: "␛")
  }

  private func expectGolden(_ name: String, _ text: String) throws {
    let file = packageFolder.appendingPathComponent("Tests/AppCoreCLITests/Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8), "differs from \(name).txt")
  }

  @Test("In a pipe, at any width", arguments: [40, 80, 200])
  func widths(_ width: Int) throws {
    let text = try screens([], ["COLUMNS": "\(width)"])
    try expectGolden("packages-\(width)", text)
  }

  @Test("In colour")
  func color() throws {
    try expectGolden("packages-color", screens([], ["NO_COLOR": "", "CLICOLOR_FORCE": "1"]))
  }

  @Test("In plain mode, by option or variable")
  func plain() throws {
    let text = try screens(["--plain"], ["NO_COLOR": "", "CLICOLOR_FORCE": "1"])
    try expectGolden("packages-plain", text)
    #expect(try screens([], ["APPCORE_PLAIN": "1"]) == text)
    let drawing = Set("─│┌┐└┘├┤┬┴┼═║█░●○▶▪✓✗␛")
    #expect(!text.contains { drawing.contains($0) })
  }

  @Test("As JSON")
  func json() throws { try expectGolden("packages-json", screens(["--json"], [:])) }
}
