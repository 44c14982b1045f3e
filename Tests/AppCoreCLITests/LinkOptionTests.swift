import Foundation
import TestSupport
import Testing

@Suite("appcore run --open and --allow-outside")
struct LinkOptionTests {
  private static let links = """
    links:
      - { path: "package/{name}", open: [list, { push: detail, with: { name: $.name } }] }
      - { path: "dialog", open: [list], needs: confirmOpen }

    """

  private func run(_ link: String, _ input: String = ":path --full\n") async throws -> ProgramResult
  {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("manifests/packages.yaml"), encoding: .utf8)
    let file = try folder.write("app.yaml", text + Self.links)
    let status = packageFolder.appendingPathComponent("Tests/Fixtures/dpkg/status").path
    return try await Program.appcore(
      ["run", file.path, "--set", "status=\(status)", "--open", link], input: input)
  }

  @Test("An app begins at the link, or at the position, that it is given")
  func begins() async throws {
    for link in ["package/libc6", "/list/detail;name=libc6"] {
      let result = try await run(link)
      #expect(result.status == 0)
      #expect(result.output.contains("── libc6 ── Packages › Package ──"))
      #expect(result.output.contains("\n/list/detail;name=libc6\n"))
    }
  }

  @Test("A link that waits is reported, and the app begins as it does")
  func waits() async throws {
    let result = try await run("dialog")
    #expect(result.status == 0)
    #expect(
      result.errors.hasSuffix("appcore: 'dialog' opens as soon as 'confirmOpen' is there\n"))
    #expect(result.output.contains("\n/list\n"))
  }

  @Test("A link that is none ends with 65 and the reason")
  func refused() async throws {
    let result = try await run("pakage/libc6")
    #expect(result.status == 65)
    #expect(result.output == "")
    #expect(
      result.errors.contains(
        "appcore: can't open 'pakage/libc6': there is no link 'pakage/libc6'; "
          + "did you mean 'package/{name}'? [unknown-link]\n"))
  }

  @Test("An include outside the manifest's folder needs the option")
  func outside() async throws {
    let folder = try TemporaryFolder()
    try folder.write("shared.yaml", "appcore: 1\nnodes: { list: { feature: Packages.List } }\n")
    let text = """
      appcore: 1
      include: [../shared.yaml]
      plugins: [Packages]
      start: list
      routes: [{ from: list, action: packageSelected, do: ignore }]
      """
    let file = try folder.write("app/app.yaml", text)
    let refused = try await Program.appcore(["check", file.path])
    #expect(refused.status == 65)
    #expect(refused.output.contains("app.yaml:2:11: error: the include"))
    #expect(refused.output.contains("[outside-include]"))
    let allowed = try await Program.appcore(["check", file.path, "--allow-outside"])
    #expect(allowed.status == 0, "\(allowed.output)")
    // A link of the file system leads outside as well.
    try FileManager.default.createSymbolicLink(
      at: folder.url.appendingPathComponent("app/inside.yaml"),
      withDestinationURL: folder.url.appendingPathComponent("shared.yaml"))
    let linked = try folder.write(
      "app/linked.yaml", text.replacingOccurrences(of: "../shared.yaml", with: "inside.yaml"))
    #expect(try await Program.appcore(["check", linked.path]).output.contains("[outside-include]"))
  }
}
