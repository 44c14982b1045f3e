internal import AppCore
internal import AppCoreHost
import AppCoreHostTesting
import Testing

/// What a test does to the rows of an app that ships, with its real plugins.
@Suite("Tests that act on rows")
struct RowActionTests {
  private func labels(_ screen: ShownScreen) -> [String] {
    screen.controls.filter { $0.kind == "row" }.map(\.label)
  }

  @Test("A table is sorted by a column, and back")
  func sorting() async throws {
    let app = try await AppHarness(
      manifest: Project.path("manifests/packages.yaml"), options: Project.smallDatabase)
    let all = labels(await app.screen)
    #expect(labels(try await app.sort(by: "Package")) == all.sorted())
    #expect(labels(try await app.sort("packages", by: "Package")) == all.sorted().reversed())
    let column = await app.state["sort"]?["column"]
    #expect(column == "Package")
    #expect(try await app.sort(by: "version").text.contains("Version ▲"))
    let refusal = try await app.refusal(of: ":sort Size")
    #expect(refusal.code == "no-such-column")
    #expect(refusal.reason.contains("'Package', 'Version', 'Description'"))
  }

  @Test("Rows are selected, and no longer")
  func selecting() async throws {
    let app = try await AppHarness(manifest: Project.path("manifests/casestudies.yaml"))
    try await app.type("@selecting")
    try await app.select("Oslo", in: "cities")
    let screen = try await app.select("Bergen", in: "cities")
    #expect(screen.text.contains("[x] Bergen\n    [ ] Molde\n    [x] Oslo"))
    let selection = await app.state["selection"]
    #expect(selection == ["Bergen", "Oslo"])
    try await app.select("Oslo", in: "cities", isSelected: false)
    #expect(try await app.type("@remove").text.contains("    [ ] Molde\n    [ ] Oslo\n"))
    let refusal = try await app.refusal(of: "@cities add Bergen")
    #expect(refusal.code == "no-such-control")
  }
}
