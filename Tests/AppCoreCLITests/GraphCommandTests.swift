import Foundation
import TestSupport
import Testing

@Suite("appcore graph")
struct GraphCommandTests {
  private struct Drawing: Decodable {
    struct Node: Decodable {
      let name: String
      let feature: String?
      let tabs: [String]
    }
    struct Verb: Decodable {
      let verb: String
      let node: String?
      let target: String?
    }
    struct Route: Decodable {
      let from: String
      let action: String
      let verbs: [Verb]
    }
    struct Link: Decodable {
      let path: String
      let open: [Verb]
      let needs: String?
    }
    let version: Int
    let start: String
    let nodes: [Node]
    let routes: [Route]
    let links: [Link]
  }

  @Test("As JSON it has every node, route and link of the manifest, in its order, and nothing else")
  func json() async throws {
    let result = try await Program.appcore(["graph", "manifests/notes.yaml", "--format", "json"])
    #expect(result.status == 0)
    #expect(result.errors.isEmpty)
    let drawing = try JSONDecoder().decode(Drawing.self, from: Data(result.output.utf8))
    #expect(drawing.version == 1)
    #expect(drawing.start == "login")
    #expect(
      drawing.nodes.map(\.name)
        == ["login", "home", "notes", "editor", "confirmDelete", "account", "confirmLogout"])
    let home = try #require(drawing.nodes.first { $0.name == "home" })
    #expect(home.feature == nil)
    #expect(home.tabs == ["notes", "account"])
    // A route that names two nodes is two.
    #expect(drawing.routes.count == 13)
    let deleted = try #require(drawing.routes.first { $0.action == "deleted" })
    #expect(deleted.from == "editor")
    #expect(deleted.verbs.map(\.verb) == ["back", "notify"])
    #expect(deleted.verbs.map(\.node) == [nil, "notes"])
    let confirmed = drawing.routes.filter { $0.action == "confirmed" }
    #expect(confirmed.map { $0.verbs.last?.target } == ["presenter", "presenter"])
    let link = try #require(drawing.links.first)
    #expect(link.path == "note/{user}/{id}")
    #expect(link.open.map(\.node) == ["home", "notes", "editor"])
    #expect(link.open.map(\.verb) == ["push", "select", "push"])
    #expect(link.needs == "home")
  }

  @Test("Every form ends with one line feed, and a manifest with errors is not drawn")
  func forms() async throws {
    for form in ["text", "svg", "dot", "mermaid", "json"] {
      let result = try await Program.appcore(["graph", "manifests/packages.yaml", "--format", form])
      #expect(result.status == 0, "\(form)")
      #expect(result.output.hasSuffix("\n") && !result.output.hasSuffix("\n\n"), "\(form)")
      let wrong = try await Program.appcore(
        ["graph", "Tests/Fixtures/manifests/err/unknown-node.yaml", "--format", form])
      #expect(wrong.status == 65)
      #expect(wrong.output.isEmpty)
      #expect(wrong.errors.contains("[unknown-node]"))
    }
  }

  @Test("A page takes the place of the file that is there, or leaves it as it is")
  func page() async throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("page.html", "before")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
    let wrong = try await Program.appcore(
      ["graph", "Tests/Fixtures/manifests/err/unknown-node.yaml", "--html", file.path])
    #expect(wrong.status == 65)
    #expect(try String(contentsOf: file, encoding: .utf8) == "before")
    let missing = try await Program.appcore(
      ["graph", "manifests/notes.yaml", "--html", folder.path + "/none/page.html"])
    #expect(missing.status == 73)
    #expect(missing.errors.contains("can't write the page to"))
    let result = try await Program.appcore(["graph", "manifests/notes.yaml", "--html", file.path])
    #expect(result.status == 0)
    #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("<!doctype html>"))
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect(mode as? Int == 0o640)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["page.html"])
  }
}
