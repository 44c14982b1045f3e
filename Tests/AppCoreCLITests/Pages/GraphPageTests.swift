import Foundation
import TestSupport
import Testing

@Suite("The page of a graph", .browser)
struct GraphPageTests {
  private let folder: TemporaryFolder
  private let browser: Browser

  init() throws {
    folder = try TemporaryFolder()
    browser = try Browser()
  }

  /// Writes the page of a manifest and opens it.
  private func open(_ manifest: String, fragment: String = "") async throws -> Browser.Page {
    let file = folder.url.appendingPathComponent("graph.html")
    let result = try await Program.appcore(["graph", manifest, "--html", file.path])
    try #require(result.status == 0, "\(result.errors)")
    #expect(result.output.isEmpty)
    return try await browser.open(#require(URL(string: file.absoluteString + fragment)))
  }

  @Test("It shows every node, asks for nothing but itself, and breaks none of its own rules")
  func content() async throws {
    let page = try await open("manifests/notes.yaml")
    let names = "[...document.querySelectorAll('.node')].map((n) => n.dataset.node).sort()"
    #expect(
      try await page.evaluate(names)
        == "account,confirmDelete,confirmLogout,editor,home,login,notes")
    #expect(try await page.evaluate("document.querySelectorAll('.container').length") == "1")
    #expect(try await page.evaluate("document.title") == "Notes: graph")
    #expect(page.requests.count == 1)
    #expect(page.problems == [])
    await browser.close()
  }

  @Test("A node that is chosen shows the lines that begin and end there, and is in the address")
  func choice() async throws {
    let page = try await open("manifests/notes.yaml", fragment: "#editor")
    try await page.wait(for: "document.activeElement.dataset.node === 'editor'")
    let chosen =
      "[...document.querySelectorAll('.line.chosen')].map((l) => l.dataset.from + '>' + l.dataset.to)"
      + ".sort().join(' ')"
    #expect(
      try await page.evaluate(chosen)
        == "editor>confirmDelete editor>notes editor>notes notes>editor notes>editor")
    // A row leads to the node that it names.
    try await page.evaluate(
      "document.querySelector('[data-target=confirmDelete]').dispatchEvent("
        + "new MouseEvent('click', { bubbles: true }))")
    #expect(try await page.evaluate("document.activeElement.dataset.node") == "confirmDelete")
    #expect(try await page.evaluate("location.hash") == "#confirmDelete")
    #expect(page.problems == [])
    await browser.close()
  }

  @Test("What is typed marks the nodes that have it; Enter goes to the first, keys reach all")
  func search() async throws {
    let page = try await open("manifests/notes.yaml")
    try await page.press("/")
    for key in ["c", "o", "n", "f", "i", "r", "m"] { try await page.press(key) }
    #expect(try await page.evaluate("document.getElementById('found').textContent") == "4 nodes")
    try await page.press("Enter")
    #expect(
      try await page.evaluate(
        "document.activeElement === document.querySelector('.node.found')") == "true")
    // Every node takes the focus by Tab alone.
    #expect(
      try await page.evaluate(
        "[...document.querySelectorAll('.node')].every((n) => n.tabIndex === 0)")
        == "true")
    #expect(page.problems == [])
    await browser.close()
  }

  @Test("It opens at the first node, and its size can be changed")
  func size() async throws {
    let page = try await open("manifests/casestudies.yaml")
    #expect(
      try await page.evaluate(
        "(() => { const box = document.querySelector('.start').getBoundingClientRect();"
          + " return box.top >= 0 && box.top < innerHeight && box.left >= 0 })()") == "true")
    func press(_ id: String) async throws -> String {
      try await page.evaluate("document.getElementById('\(id)').click()")
      return try await page.evaluate("document.getElementById('size').textContent")
    }
    #expect(try await press("larger") == "125 %")
    #expect(try await press("smaller") == "100 %")
    let fitting = try await press("fit")
    #expect(Int(fitting.prefix { $0 != " " }).map { $0 < 100 } == true)
    #expect(
      try await page.evaluate(
        "(() => { const p = document.getElementById('picture');"
          + " return p.scrollHeight <= p.clientHeight })()")
        == "true")
    #expect(page.problems == [])
    await browser.close()
  }

  @Test("Markup in a title is text")
  func markup() async throws {
    let title = "</title><script>document.title='taken'</script><b onclick=x>&amp;"
    let manifest = try folder.write(
      "app.yaml",
      """
      appcore: 1
      name: markup
      title: "\(title)"
      plugins: [Dialogs]
      nodes:
        ask: { feature: Dialogs.Confirm, title: "\(title)", with: { question: "\(title)" } }
      routes:
        - { from: ask, action: [confirmed, declined], do: ignore }
      start: ask
      """)
    let check = try await Program.appcore(["check", manifest.path])
    let page = try await open(manifest.path)
    #expect(try await page.evaluate("document.title") == title + ": graph", "\(check.output)")
    #expect(try await page.evaluate("document.querySelectorAll('b').length") == "0")
    #expect(page.problems == [])
    await browser.close()
  }
}
