import Foundation
import TestSupport
import Testing

@Suite("The page of a recording", .browser)
struct ReplayPageTests {
  private let folder: TemporaryFolder
  private let browser: Browser

  init() throws {
    folder = try TemporaryFolder()
    browser = try Browser()
  }

  @Test("It shows the screens, the changes and the place of each recorded step")
  func replayed() async throws {
    let recording = folder.path + "/a.recording"
    let page = folder.url.appendingPathComponent("a.html")
    let run = try await Program.appcore(
      [
        "run", "manifests/notes.yaml", "--set", "folder=\(folder.path)/notes", "--record",
        recording,
        "-c", "@name Ada", "-c", "@login", "-c", ":tab account",
      ])
    try #require(run.status == 0, "\(run.errors)")
    let replay = try await Program.appcore(["replay", recording, "--html", page.path])
    try #require(replay.status == 0, "\(replay.errors)")
    let opened = try await browser.open(page)
    func text(_ id: String) async throws -> String {
      try await opened.evaluate("document.getElementById('\(id)').innerText")
    }
    #expect(try await opened.evaluate("document.title") == "Notes: timeline")
    // It opens where the person was last.
    #expect(try await text("after").contains("Log out"))
    #expect(
      try await opened.evaluate("document.querySelector('.here').dataset.node") == "account")
    try await opened.evaluate("document.getElementById('first').click()")
    try await opened.evaluate(
      "(() => { const e = document.getElementById('search'); e.value = 'Ada';"
        + " e.dispatchEvent(new Event('input')) })()")
    try await opened.wait(for: "!document.getElementById('found').textContent.includes('…')")
    try await opened.evaluate("document.getElementById('forward').click()")
    #expect(try await text("what").contains("Ada"))
    #expect(try await text("after").contains("Ada"))
    #expect(try await text("changes").contains("name"))
    #expect(opened.requests.count == 1)
    #expect(opened.problems == [])
    await browser.close()
  }

  @Test("A recording that was edited by hand reaches no markup")
  func edited() async throws {
    let recording = folder.path + "/a.recording"
    let run = try await Program.appcore(
      [
        "run", "manifests/notes.yaml", "--set", "folder=\(folder.path)/notes", "--record",
        recording, "-c", "@name ADA",
      ])
    try #require(run.status == 0, "\(run.errors)")
    let text = "</script><b>\\ud800\\u2028\\u001b[31m<!--"
    let content = try String(contentsOfFile: recording, encoding: .utf8)
      .replacingOccurrences(of: "ADA", with: text)
    let edited = try folder.write("b.recording", content)
    let page = folder.url.appendingPathComponent("b.html")
    let replay = try await Program.appcore(["replay", edited.path, "--html", page.path])
    try #require(replay.status == 0, "\(replay.errors)")
    let opened = try await browser.open(page)
    #expect(try await opened.evaluate("document.querySelectorAll('b').length") == "0")
    #expect(opened.requests.count == 1)
    #expect(opened.problems == [])
    await browser.close()
  }

  @Test("What is no recording is refused, and no page is written")
  func refused() async throws {
    let file = try folder.write("a.recording", "no recording\n")
    let page = folder.path + "/a.html"
    let replay = try await Program.appcore(["replay", file.path, "--html", page])
    #expect(replay.status == 65)
    #expect(replay.errors.contains("[not-a-recording]"))
    #expect(!FileManager.default.fileExists(atPath: page))
    let both = try await Program.appcore(["replay", file.path, "--html", page, "--check"])
    #expect(both.status == 64)
  }
}
