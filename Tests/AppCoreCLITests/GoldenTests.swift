import Foundation
import TestSupport
import Testing

/// Every kind of screen of the apps that ship, as people and programs get it.
@Suite("The shipped apps' screens")
struct GoldenTests {
  @Test("In a pipe, at any width", arguments: ShippedApp.all, [40, 80, 200])
  func widths(_ app: ShippedApp, _ width: Int) async throws {
    try await expectGolden("\(app)-\(width)", app.screens([], ["COLUMNS": "\(width)"]))
  }

  @Test("In colour", arguments: ShippedApp.all)
  func color(_ app: ShippedApp) async throws {
    let text = try await app.screens([], ["NO_COLOR": "", "CLICOLOR_FORCE": "1"])
    #expect(text.contains("␛["))
    try expectGolden("\(app)-color", text)
  }

  @Test("In plain mode, by option or variable", arguments: ShippedApp.all)
  func plain(_ app: ShippedApp) async throws {
    let text = try await app.screens(["--plain"], ["NO_COLOR": "", "CLICOLOR_FORCE": "1"])
    try expectGolden("\(app)-plain", text)
    #expect(try await app.screens([], ["APPCORE_PLAIN": "1"]) == text)
    let drawing = Set("─│┌┐└┘├┤┬┴┼═║█░●○▶▪✓✗␛")
    #expect(!text.contains { drawing.contains($0) })
  }

  @Test("As JSON", arguments: ShippedApp.all)
  func json(_ app: ShippedApp) async throws {
    let text = try await app.screens(["--json"], [:])
    for line in text.split(separator: "\n") {
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }
    try expectGolden("\(app)-json", text)
  }

  private func expectGolden(_ name: String, _ text: String) throws {
    let file = packageFolder.appendingPathComponent("Tests/AppCoreCLITests/Golden/\(name).txt")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try text.write(to: file, atomically: true, encoding: .utf8)
      return
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8), "differs from \(name).txt")
  }
}
