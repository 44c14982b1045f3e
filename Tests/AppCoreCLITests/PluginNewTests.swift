import Foundation
import TestSupport
import Testing

@Suite("appcore plugin new")
struct PluginNewTests {
  @Test("Its tests run, those of Swift Testing and those of XCTest", .long)
  func tests() async throws {
    let folder = try TemporaryFolder()
    let made = try await Program.appcore(["plugin", "new", "Lamps", "--into", folder.path])
    try #require(made.status == 0, "\(made.errors)")
    try folder.write(
      "Lamps/Tests/LampsTests/OlderTests.swift",
      """
      import AppCore
      import XCTest
      @testable import Lamps

      final class OlderTests: XCTestCase {
        func testCounter() {
          let state = Counter().initialState(Counter.Arguments(limit: 3))
          XCTAssertEqual(state.limit, 3)
        }
      }
      """)
    let run = try await Program.run(
      "/usr/bin/env", ["swift", "test", "--scratch-path", ".build"],
      folder: folder.url.appendingPathComponent("Lamps"))
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    #expect(run.output.contains("Executed 1 test"), "\(run.output)")
    #expect(run.output.contains("Test run with"), "\(run.output)")
  }
}
