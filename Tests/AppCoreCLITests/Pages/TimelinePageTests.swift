import Foundation
import TestSupport
import Testing

@testable import AppCheck
@testable import AppCoreCLI

@Suite("The page of a timeline", .browser)
struct TimelinePageTests {
  private let folder: TemporaryFolder
  private let browser: Browser

  private static let graph = GraphDrawing(
    title: "Shop",
    nodes: [
      .init(name: "list", feature: "Shop.List"), .init(name: "detail", feature: "Catalog.Detail"),
    ],
    routes: [.init(from: "list", action: "chosen", verbs: [.init(word: "push", target: "detail")])],
    start: "list")

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
      if number % 100 == 99 { step.problem = "no more" }
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
    #expect(try await text("before", in: page) == "Count 1233\nAlways the same\n")
    #expect(try await text("after", in: page) == "Count 1234\nAlways the same\n")
    #expect(
      try await page.evaluate("document.querySelector('#after ins').textContent") == "Count 1234\n")
    #expect(
      try await page.evaluate(
        "[...document.querySelectorAll('#changes tr > *')].map((c) => c.textContent).join()")
        == "count,1233,1234")
    try await page.evaluate("document.getElementById('list').focus()")
    try await page.press("Home")
    #expect(try await text("summary", in: page).hasPrefix("Step 1 of 1234, screen"))
    #expect(try await text("what", in: page) == "> @add  increment to 1")
    #expect(try await text("before", in: page) == "Count 0\n")
    for _ in 0..<3 { try await page.press("ArrowDown") }
    #expect(try await text("summary", in: page).hasPrefix("Step 4 of 1234, effect, detail #1.0"))
    #expect(
      try await page.evaluate("document.querySelector('.here').dataset.node") == "detail")
    // Over the border of a chunk, while the page writes the address of the last step.
    try await page.evaluate("location.hash = '#501', history.replaceState(null, '', '#4')")
    try await page.wait(
      for: "document.getElementById('summary').textContent.startsWith('Step 501 of')")
    #expect(try await text("before", in: page) == "Count 500\nAlways the same\n")
    try await page.evaluate(
      "(() => { const s = document.getElementById('slider'); s.value = 99;"
        + " s.dispatchEvent(new Event('input')) })()")
    #expect(try await text("summary", in: page).hasPrefix("Step 99 of 1234"))
    #expect(try await text("problem", in: page) == "no more")
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
    // A search that takes long is made in parts, and finds each step once.
    try await page.evaluate("(() => { let now = 0; performance.now = () => now += 5; })()")
    #expect(try await set("search", "1") == "272 of 1,000 steps")
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

  @Test("Keys travel in the list, scroll what is beside it, and lead to the search and back")
  func keyboard() async throws {
    let page = try await open(page(of: 600), fragment: "#300")
    func focused() async throws -> String { try await page.evaluate("document.activeElement.id") }
    try await page.press("ArrowUp")
    #expect(try await text("summary", in: page).hasPrefix("Step 299 of 600"))
    try await page.evaluate("document.getElementById('detail').focus()")
    try await page.press("ArrowUp")
    #expect(try await text("summary", in: page).hasPrefix("Step 299 of 600"))
    try await page.press("/")
    #expect(try await focused() == "search")
    try await page.press("n")
    #expect(try await page.evaluate("document.getElementById('search').value") == "n")
    try await page.wait(for: "!document.getElementById('found').textContent.includes('…')")
    try await page.press("Escape")
    #expect(try await focused() == "list")
    try await page.press("End")
    #expect(try await text("summary", in: page).hasPrefix("Step 600 of 600"))
    // A button that leads no further keeps the focus.
    try await page.evaluate("document.getElementById('forward').focus()")
    try await page.press("Enter")
    #expect(try await focused() == "forward")
    #expect(
      try await page.evaluate("document.activeElement.getAttribute('aria-disabled')") == "true")
    #expect(try await text("spoken", in: page).hasPrefix("Step 600 of 600"))
    await browser.close()
  }

  @Test("A step with a problem is marked by more than its color")
  func problem() async throws {
    let page = try await open(page(of: 100), fragment: "#99")
    #expect(
      try await page.evaluate("document.querySelector('.step.chosen').textContent")
        .hasSuffix("✗ list #0.0 > @add  increment to 99"))
    #expect(try await page.evaluate("document.getElementById('problem').hidden") == "false")
    try await page.press("ArrowUp")
    #expect(try await page.evaluate("document.getElementById('problem').hidden") == "true")
    await browser.close()
  }

  @Test(
    "Text has a contrast of at least 4.5 to 1, in the light and in the dark",
    arguments: ["light", "dark"])
  func contrast(scheme: String) async throws {
    let page = try await open(page(of: 100), fragment: "#99")
    try await page.emulate(["prefers-color-scheme": scheme])
    #expect(
      try await page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
        == "\(scheme == "dark")")
    // Each text with the color of what is behind it: a box of the graph, or an element's background.
    let low = """
      (() => {
        const rgb = (color) => color.match(/[0-9.]+/g).map(Number);
        const luminance = (color) => rgb(color).slice(0, 3)
          .map((part) => part / 255)
          .map((part) => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
          .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
        const behind = (element) => {
          for (let e = element; e; e = e.parentElement) {
            const rect = e.matches('.node') && e.querySelector(':scope > rect');
            const color = rect ? getComputedStyle(rect).fill : getComputedStyle(e).backgroundColor;
            if (color !== 'rgba(0, 0, 0, 0)') return color;
          }
        };
        const low = [];
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const element = walker.currentNode.parentElement;
          if (!walker.currentNode.data.trim() || element.closest('script, title, [hidden]')) continue;
          const style = getComputedStyle(element);
          const text = luminance(element.matches('svg text') ? style.fill : style.color);
          const back = luminance(behind(element));
          const ratio = (Math.max(text, back) + 0.05) / (Math.min(text, back) + 0.05);
          if (ratio < 4.5) low.push(element.outerHTML.slice(0, 80) + ' ' + ratio.toFixed(2));
        }
        return low.join();
      })()
      """
    #expect(try await page.evaluate(low) == "")
    await browser.close()
  }

  @Test("Markup, escapes and ends of scripts in a recording are text, and reverse no text")
  func hostile() async throws {
    let text =
      "</script><img src=x onerror=\"document.title='taken'\"><!--<script>\u{1b}[31m\u{2028}\u{202E}é€\u{0}"
    let shown =
      "</script><img src=x onerror=\"document.title='taken'\"><!--<script>␛[31m<U+2028><U+202E>é€␀"
    let graph = GraphDrawing(title: text, nodes: [.init(name: text, feature: text)], start: text)
    var page = TimelinePage(graph, notes: [text], screen: [text])
    var step = TimelinePage.Step(kind: text, text: text)
    step.node = text
    step.instance = text
    step.line = text
    step.problem = text
    step.path = [text]
    step.screen = [text, "2"]
    step.changes = [(text, text, nil)]
    page.add(step)
    let opened = try await open(page)
    #expect(try await opened.evaluate("document.title") == shown + ": timeline")
    #expect(try await opened.evaluate("document.querySelectorAll('img').length") == "0")
    #expect(try await self.text("problem", in: opened) == shown)
    #expect(try await self.text("what", in: opened).contains(shown))
    #expect(try await self.text("before", in: opened) == shown + "\n")
    #expect(try await self.text("changes", in: opened) == shown + shown + "—")
    #expect(try await opened.evaluate("document.getElementById('node').options[1].text") == shown)
    #expect(try await opened.evaluate("document.querySelector('.here').dataset.node") == shown)
    #expect(opened.requests.count == 1)
    #expect(opened.problems == [])
    await browser.close()
  }

  @Test("Enormous values, screens, paths and lists of changes are cut, and the page stays usable")
  func enormous() async throws {
    var page = TimelinePage(Self.graph)
    let value = "[" + String(repeating: "1,", count: 1_000_000) + "1]"
    for number in 1...3 {
      var step = TimelinePage.Step(kind: "screen", text: value)
      // A single character.
      step.line = "a" + String(repeating: "\u{301}", count: 1_000_000)
      step.path = Array(repeating: "detail", count: 100_000) + ["list"]
      step.screen = [value] + (0..<20_000).map { "line \($0) of \(number)" }
      step.changes = [("all", value, value)] + (0..<100_000).map { ("items[\($0)]", "0", "1") }
      page.add(step)
    }
    let html = page.html
    #expect(html.count < 2_000_000)
    let opened = try await open(page)
    #expect(try await text("changes", in: opened).contains("… (2000003 bytes)"))
    #expect(
      try await opened.evaluate(
        "/^… [0-9]+ more—+$/.test(document.querySelector('#changes tr:last-child').textContent)")
        == "true")
    #expect(try await text("after", in: opened).hasSuffix("… 19001 more lines\n"))
    try await opened.evaluate("document.getElementById('back').click()")
    #expect(try await text("summary", in: opened).hasPrefix("Step 2 of 3"))
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
        == "Steps 1 to \(first - 1) are left out: a page holds the newest 200 kB. "
        + "'appcore replay' without '--html' shows all steps.")
    // The newest that fit: one chunk less than what would exceed the limit.
    let size = try await page.evaluate(
      "[...document.querySelectorAll('script[id^=chunk]')]"
        + ".reduce((sum, chunk) => sum + chunk.textContent.length, 0)")
    #expect((150_000...230_000).contains(Int(size) ?? 0))
    try await page.evaluate("document.getElementById('first').click()")
    #expect(try await text("summary", in: page).hasPrefix("Step \(first) of 5000"))
    #expect(
      try await text("before", in: page) == "Count \(first - 1)\nAlways the same\n")
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
    let memory = try memory()
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
        return 'median ' + times[150].toFixed(1) + ' ms, 98 of 100 below '
          + times[294].toFixed(1) + ' ms, longest ' + times[299].toFixed(1) + ' ms';
      })()
      """
    print(
      """
      \(count) steps, \(html.count / 1000) kB: loaded \(usable) ms after the navigation began, \
      \(opened) with the browser's answer; a step: \(try await page.evaluate(travel)); \
      memory \(memory), after these steps \(try self.memory())
      """)
    await browser.close()
  }

  /// The memory of the largest process that shows a page.
  ///
  /// Most of what is resident is the browser's program, which its processes share.
  private func memory() throws -> String {
    let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
    let largest = processes.compactMap { process -> [String: Int]? in
      guard
        let command = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8),
        command.contains("--type=renderer"), command.contains(browser.profilePath),
        let rollup = try? String(contentsOfFile: "/proc/\(process)/smaps_rollup", encoding: .utf8)
      else { return nil }
      var sizes: [String: Int] = [:]
      for line in rollup.split(separator: "\n") {
        let words = line.split(separator: " ")
        if words.count == 3, let size = Int(words[1]) { sizes[String(words[0])] = size / 1024 }
      }
      return sizes
    }.max { $0["Rss:", default: 0] < $1["Rss:", default: 0] }
    func size(_ name: String) -> Int { largest?[name] ?? 0 }
    return """
      resident \(size("Rss:")) MiB, its share of that \(size("Pss:")) MiB, \
      its own \(size("Private_Clean:") + size("Private_Dirty:")) MiB
      """
  }

  @Test("The viewer is at most 60 kB")
  func viewer() {
    let files = [
      PackageResources.page_css, PackageResources.timeline_css, PackageResources.graph_js,
      PackageResources.graph_page_js, PackageResources.steps_js, PackageResources.list_js,
      PackageResources.timeline_js,
    ]
    #expect(files.reduce(0) { $0 + $1.count } < 60_000)
  }
}
