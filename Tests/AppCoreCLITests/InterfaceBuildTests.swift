import Foundation
import TestSupport
import Testing

/// Two builds of one plugin, compiled by the real compiler.
@Suite("appcore interface of real builds", .long, .ownThread)
struct InterfaceBuildTests {
  @Test("Builds with the same interface are the same, and one with another is found by check")
  func builds() async throws {
    let folder = try TemporaryFolder()
    func appcore(_ arguments: String...) async throws -> ProgramResult {
      try await Program.run(
        buildFolder.appendingPathComponent("appcore").path, arguments,
        environment: ["XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path],
        folder: folder.url)
    }
    let made = try await appcore("plugin", "new", "Visitors")
    #expect(made.status == 0, "\(made.errors)")
    let source = folder.url.appendingPathComponent("Visitors/Sources/Visitors/Counter.swift")
    /// Builds what the sources are now, and keeps it.
    func build(_ name: String, replacing text: String, with other: String) async throws {
      let former = try String(contentsOf: source, encoding: .utf8)
      #expect(text.isEmpty || former.contains(text))
      try former.replacingOccurrences(of: text, with: other)
        .write(to: source, atomically: true, encoding: .utf8)
      let built = try await appcore("plugin", "build", "Visitors")
      #expect(built.status == 0, "\(built.errors)")
      let library = try #require(built.output.split(separator: "\n").last)
      let kept = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: kept, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        at: folder.url.appendingPathComponent(String(library)),
        to: kept.appendingPathComponent("libVisitors.so"))
    }
    try await build("first", replacing: "", with: "")
    try await build("same", replacing: "state.count += 1", with: "state.count += 2")
    try await build("other", replacing: "limitReached(count:", with: "limitReached(number:")
    let same = try await appcore(
      "interface", "--compare", "first/libVisitors.so", "same/libVisitors.so")
    #expect(same.status == 0 && same.output.contains("the interfaces are the same"))
    let other = try await appcore(
      "interface", "--compare", "first/libVisitors.so", "other/libVisitors.so")
    #expect(other.status == 65)
    #expect(
      other.output.contains(
        "  breaking for routes that use it: Visitors.Counter delegate limitReached.count is gone\n"),
      "\(other.output)")
    let manifest = try String(
      contentsOf: folder.url.appendingPathComponent("Visitors/visitors.yaml"), encoding: .utf8)
    try manifest.replacingOccurrences(of: "path: .", with: "name: Visitors")
      .write(
        to: folder.url.appendingPathComponent("app.yaml"), atomically: true, encoding: .utf8)
    let harmless = try await appcore(
      "check", "app.yaml", "--plugin-path", "first", "--plugin-path", "same")
    #expect(harmless.status == 0 && harmless.output.isEmpty, "\(harmless.output)")
    let warned = try await appcore(
      "check", "app.yaml", "--plugin-path", "first", "--plugin-path", "other")
    #expect(warned.status == 0)
    #expect(
      warned.output.contains(
        "warning: 'other/libVisitors.so' is version 0.1.0 of 'Visitors' too, and has another "
          + "interface, in which Visitors.Counter delegate limitReached.count is gone; and 1 more "
          + "[builds-differ]"), "\(warned.output)")
  }
}
