import AppCheck
import Foundation
import TestSupport
import Testing

@testable import Pages

@Suite("The page of a timeline", .browser)
struct TimelinePageTests {
  private let folder: TemporaryFolder
  private let browser: Browser

  private static let graph = GraphDrawing(
    title: "Shop",
    nodes: [.init("list", feature: "Shop.List"), .init("detail", feature: "Catalog.Detail")],
    routes: [.init(from: "list", action: "chosen", "push", "detail")], start: "list")

  init() throws {
    folder = try TemporaryFolder()
    browser = try Browser()
  }

  private func open(_ page: TimelinePage, fragment: String = "") async throws -> Browser.Page {
    let file = folder.url.appendingPathComponent("timeline.html")
    try Data(page.html).write(to: file)
    return try await browser.open(#require(URL(string: file.absoluteString + fragment)))
  }

  /// A page with this many steps: a counter that a person and effects drive in turn.
  private func page(of count: Int, limit: Int = TimelinePage.limit) -> TimelinePage {
    var page = TimelinePage(Self.graph, screen: ["Count 0"], limit: limit)
    for number in 1...count {
      var step = TimelinePage.Step(
        kind: number.isMultiple(of: 2) ? "effect" : "screen", text: "increment to \(number)")
      step.time = number * 1000
      step.took = number % 10 * 500
      step.node = number.isMultiple(of: 4) ? "detail" : "list"
      step.instance = number.isMultiple(of: 4) ? "1.0" : "0.0"
      if !number.isMultiple(of: 2) { step.line = "@add" }
      if number % 100 == 99 { step.refusal = "no more" }
      step.path = number.isMultiple(of: 4) ? ["list", "detail"] : ["list"]
      step.screen = ["Count \(number)", "Always the same"]
      step.changes = [("count", "\(number - 1)", "\(number)")]
      page.add(step)
    }
    return page
  }

  private func text(_ id: String, in page: Browser.Page) async throws -> String {
    try await page.evaluate("document.getElementById('\(id)').textContent")
  }

  @Test(
    "It opens at its end; keys, slider and address lead to other steps, and each shows what changed"
  )
  func travel() async throws {
    let page = try await open(page(of: 1234))
    #expect(
      try await text("summary", in: page).hasPrefix("Step 1234 of 1234, effect, list #0.0, at"))
    #expect(try await text("before", in: page) == "Count 1233Always the same")
    #expect(try await text("after", in: page) == "Count 1234Always the same")
    #expect(
      try await page.evaluate("document.querySelector('#after .new').textContent") == "Count 1234")
    #expect(
      try await page.evaluate(
        "[...document.querySelectorAll('#changes td')].map((c) => c.textContent).join()")
        == "count,1233,1234")
    try await page.evaluate("document.getElementById('list').focus()")
    try await page.press("Home")
    #expect(try await text("summary", in: page).hasPrefix("Step 1 of 1234, screen"))
    #expect(try await text("what", in: page) == "> @add  increment to 1")
    #expect(try await text("before", in: page) == "Count 0")
    for _ in 0..<3 { try await page.press("ArrowDown") }
    #expect(try await text("summary", in: page).hasPrefix("Step 4 of 1234, effect, detail #1.0"))
    #expect(
      try await page.evaluate("document.querySelector('.here').dataset.node") == "detail")
    // Over the border of a chunk.
    try await page.evaluate("location.hash = '#501'")
    try await page.wait(
      for: "document.getElementById('summary').textContent.startsWith('Step 501 of')")
    #expect(try await text("before", in: page) == "Count 500Always the same")
    try await page.evaluate(
      "(() => { const s = document.getElementById('slider'); s.value = 99;"
        + " s.dispatchEvent(new Event('input')) })()")
    #expect(try await text("summary", in: page).hasPrefix("Step 99 of 1234"))
    #expect(try await text("refusal", in: page) == "no more")
    try await page.wait(for: "location.hash === '#99'")
    #expect(page.requests.count == 1)
    #expect(page.problems == [])
    await browser.close()
  }

  @Test(
    "Filters leave the steps of a kind, a plugin, an instance, the slow ones and those with a word")
  func filters() async throws {
    let page = try await open(page(of: 1000))
    func set(_ id: String, _ value: String) async throws -> String {
      try await page.evaluate(
        "(() => { const e = document.getElementById('\(id)'); e.value = '\(value)';"
          + " e.dispatchEvent(new Event('input')) })()")
      try await page.wait(for: "!document.getElementById('found').textContent.includes('…')")
      return try await text("found", in: page)
    }
    #expect(try await text("found", in: page) == "1,000 steps")
    #expect(try await set("plugin", "1") == "250 of 1,000 steps")
    #expect(try await set("plugin", "") == "1,000 steps")
    #expect(try await set("instance", "0.0") == "750 of 1,000 steps")
    #expect(try await set("kind", "0") == "500 of 1,000 steps")
    #expect(try await set("slower", "4") == "100 of 1,000 steps")
    #expect(try await set("search", "TO 9") == "12 of 1,000 steps")
    // To the next one that passes, from one that does not.
    try await page.evaluate("document.getElementById('forward').click()")
    try await page.evaluate("document.getElementById('back').click()")
    #expect(try await text("summary", in: page).contains("Step 9"))
    try await page.evaluate("document.getElementById('clear').click()")
    #expect(try await text("found", in: page) == "1,000 steps")
    #expect(page.problems == [])
    await browser.close()
  }

  @Test("The list tells a screen reader where it is, and every control has a name")
  func accessibility() async throws {
    let page = try await open(page(of: 600), fragment: "#300")
    #expect(
      try await page.evaluate(
        "document.getElementById(document.getElementById('list')"
          + ".getAttribute('aria-activedescendant')).getAttribute('aria-posinset')") == "300")
    #expect(
      try await page.evaluate("document.getElementById('slider').getAttribute('aria-valuetext')")
        .hasPrefix("Step 300 of 600"))
    #expect(
      try await page.evaluate(
        "[...document.querySelectorAll('input, select, button')].filter((e) => "
          + "!e.getAttribute('aria-label') && !(e.labels && e.labels.length) && !e.textContent.trim())"
          + ".map((e) => e.id).join()") == "")
    await browser.close()
  }

  @Test("Markup, escapes and ends of scripts in a recording are text")
  func hostile() async throws {
    let text =
      "</script><img src=x onerror=\"document.title='taken'\"><!--<script>\u{1b}[31m\u{2028}"
    var page = TimelinePage(Self.graph, notes: [text], screen: [text])
    var step = TimelinePage.Step(kind: text, text: text)
    step.node = text
    step.line = text
    step.refusal = text
    step.path = [text]
    step.screen = [text, "2"]
    step.changes = [(text, text, nil)]
    page.add(step)
    let opened = try await open(page)
    #expect(try await opened.evaluate("document.title") == "Shop: timeline")
    #expect(try await opened.evaluate("document.querySelectorAll('img').length") == "0")
    #expect(try await self.text("refusal", in: opened).hasPrefix("</script><img src=x"))
    #expect(opened.problems == [])
    await browser.close()
  }

  @Test("What is too large keeps the newest steps, with their numbers, and says so")
  func limit() async throws {
    let page = try await open(page(of: 5000, limit: 200_000))
    let first = Int(try await page.evaluate("document.getElementById('slider').min")) ?? 0
    #expect(first > 1 && first < 5000)
    #expect(
      try await page.evaluate("document.querySelector('header p').textContent")
        == "Steps 1 to \(first - 1) were left out: a page holds the newest 0 MB.")
    try await page.evaluate("document.getElementById('first').click()")
    #expect(try await text("summary", in: page).hasPrefix("Step \(first) of 5000"))
    #expect(
      try await text("before", in: page) == "Count \(first - 1)Always the same")
    await browser.close()
  }

  @Test("A page without steps opens")
  func empty() async throws {
    let page = try await open(TimelinePage(Self.graph))
    #expect(try await text("found", in: page) == "0 steps")
    #expect(page.problems == [])
    await browser.close()
  }

  /// Prints how long it takes to open pages and to travel in them, where somebody wants to know:
  /// `APPCORE_PAGE_FIGURES=1 swift test --filter TimelinePageTests`.
  @Test(
    "Figures", .enabled(if: ProcessInfo.processInfo.environment["APPCORE_PAGE_FIGURES"] != nil),
    arguments: [10_000, 100_000])
  func figures(count: Int) async throws {
    let file = folder.url.appendingPathComponent("timeline.html")
    let html = page(of: count).html
    try Data(html).write(to: file)
    let start = ContinuousClock.now
    let page = try await browser.open(#require(URL(string: file.absoluteString)))
    try await page.wait(for: "document.querySelector('.step.chosen')")
    let opened = start.duration(to: .now)
    let usable = try await page.evaluate(
      "performance.getEntriesByType('navigation')[0].domComplete")
    let travel = """
      (() => {
        const times = [];
        for (let n = 0; n < 300; n++) {
          const step = 1 + (n * 7919) % \(count);
          const begun = performance.now();
          const slider = document.getElementById('slider');
          slider.value = step;
          slider.dispatchEvent(new Event('input'));
          document.body.offsetHeight;
          times.push(performance.now() - begun);
        }
        times.sort((a, b) => a - b);
        return 'median ' + times[150].toFixed(1) + ' ms, longest ' + times[299].toFixed(1) + ' ms';
      })()
      """
    print(
      """
      \(count) steps, \(html.count / 1000) kB: loaded \(usable) ms after the navigation began, \
      \(opened) with the browser's answer; a step: \(try await page.evaluate(travel)); \
      heap \(try await page.evaluate("performance.memory.usedJSHeapSize >> 20")) MiB; \
      resident: \(Self.residentRenderers()) MiB
      """)
    await browser.close()
  }

  /// What the largest process that shows a page has in memory, in MiB.
  private static func residentRenderers() -> Int {
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { process in
      guard let line = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8),
        line.contains("--type=renderer"),
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      else { return nil }
      return status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        .flatMap { Int($0.split(separator: " ").dropLast().last ?? "") }.map { $0 / 1024 }
    }.max() ?? 0
  }

  @Test("The viewer is at most 60 kB")
  func viewer() {
    let files = [
      PackageResources.page_css, PackageResources.timeline_css, PackageResources.graph_js,
      PackageResources.timeline_js,
    ]
    #expect(files.reduce(0) { $0 + $1.count } < 60_000)
  }
}
