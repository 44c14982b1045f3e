import Foundation
import Testing

/// A link that names a tab and not its container.
@Suite("A link to a tab by itself")
struct TabLinkTests {
  private func run(_ links: String, _ script: String) async throws -> Workbench.Outcome {
    let bench = try Workbench()
    let text = try Project.text("manifests/notes.yaml").components(separatedBy: "\nlinks:")[0]
    let path = try bench.write(text + "\nlinks:\n" + links + "\n", to: "notes.yaml")
    return try await bench.appcore(
      ["run", path, "--no-history", "--set", "folder=\(bench.folder)/notes"], input: script)
  }

  private let signIn = "@name ada\n@login\n"

  @Test("It opens in its container, beside the other tabs")
  func strip() async throws {
    let outcome = try await run(
      "  - { path: account, open: [account], needs: home }",
      signIn + ":open account\n:path --full\n")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(outcome.output.contains("○ Notes   ● Account"))
    #expect(outcome.output.contains("/home;user=ada/account;user=ada"))
    let beyond = try await run(
      "  - { path: new, open: [notes, { push: editor, with: { user: ada } }], needs: home }",
      signIn + ":tab account\n:open new\n:path --full\n")
    #expect(beyond.output.contains("/home;user=ada/notes;user=ada/editor;user=ada"))
  }

  @Test("A missing argument of a tab's container is reported where the tab is named")
  func missing() async throws {
    let outcome = try await run("  - { path: account, open: [account] }", "")
    #expect(outcome.status == 65)
    #expect(outcome.errors.contains(":44:29: error: 'user' is missing for 'home'"), "\(outcome)")
    #expect(outcome.errors.contains("write 'needs: home' to take the living one"))
  }

  @Test("One that a route shows by itself too is pushed, as it is written")
  func elsewhere() async throws {
    let bench = try Workbench()
    let path = try bench.write(
      """
      appcore: 1
      plugins: [Dialogs]
      start: home
      nodes:
        home: { tabs: [first, second] }
        first: { feature: Dialogs.Confirm }
        second: { feature: Dialogs.Confirm }
      routes:
        - { from: any, action: confirmed, push: second }
        - { from: any, action: declined, do: ignore }
      links:
        - { path: second, open: [second] }

      """, to: "app.yaml")
    let outcome = try await bench.appcore(
      ["run", path, "--open", "second", "--no-history"], input: ":path --full\n")
    #expect(outcome.output.contains("\n/second\n"), "\(outcome)")
  }
}
