import Foundation
import TestSupport
import Testing

/// A person at a terminal who saves the sources of a plugin while it runs.
@Suite("appcore run --watch, on a terminal", .ownThread)
struct WatchTerminalTests {
  let shop: WatchedShop

  init() throws { shop = try WatchedShop() }

  /// How often a text is on what is seen, rows that have left at the top included.
  private func count(_ text: String, _ model: TerminalModel) -> Int {
    (model.scrollback + model.screen).joined(separator: "\n").components(separatedBy: text).count
      - 1
  }

  private func start(environment: [String: String] = [:]) throws -> TypedTerminal {
    let terminal = try shop.terminal(environment: environment)
    try terminal.wait("the first screen") {
      $0.text.contains("One: 0") && $0.line.hasSuffix(">")
    }
    return terminal
  }

  @Test("The screen changes in its place, and the line that is typed stays")
  func place() throws {
    let terminal = try start()
    terminal.type("half a line")
    try terminal.wait(forLine: "> half a line")
    try shop.save(WatchedShop.sources("Two"))
    try terminal.wait {
      $0.text.contains("Two: 0") && $0.text.contains("'Shop' was replaced")
        && !$0.text.contains("One: 0") && $0.line == "> half a line"
    }
    terminal.type("\u{15}@add\r")
    try terminal.wait(for: "Two: 1")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("That a compiler works is said beside the line that is typed, until it has ended")
  func compiling() throws {
    let terminal = try start()
    terminal.type("half a line")
    try terminal.wait(forLine: "> half a line")
    let rows = terminal.model.screen.count { !$0.isEmpty }
    try shop.save(WatchedShop.sources("Two"))
    try terminal.wait("the status above the line") { model in
      model.cursor.row > 0 && model.screen[model.cursor.row - 1] == "compiling 'Shop' …"
        && model.line == "> half a line"
    }
    try terminal.wait("the outcome in its place") {
      $0.text.contains("Two: 0") && count("\ncompiling 'Shop'", $0) == 0
        && $0.line == "> half a line"
    }
    // The notice, and nothing else.
    #expect(terminal.model.screen.count { !$0.isEmpty } == rows + 1)
    terminal.type("\u{15}:quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("Of a plugin the latest outcome shows, once, until the next line")
  func latest() throws {
    let terminal = try start()
    let wrong = WatchedShop.sources("Two").replacingOccurrences(of: "count += 1", with: "cunt += 1")
    try shop.save(WatchedShop.sources("Two"))
    try terminal.wait("the first outcome") {
      $0.text.contains("Two: 0") && $0.text.contains("'Shop' was replaced")
    }
    try shop.save(WatchedShop.sources("Three"))
    try terminal.wait("the second outcome") { $0.text.contains("Three: 0") }
    try terminal.wait("one notice") { count("was replaced", $0) == 1 }
    try shop.save(wrong)
    try terminal.wait("the failure alone") {
      $0.text.contains("has no member 'cunt'") && count("was replaced", $0) == 0
    }
    try shop.save(WatchedShop.sources("Four"))
    try terminal.wait("the success alone") {
      $0.text.contains("Four: 0") && count("was replaced", $0) == 1 && count("cunt", $0) == 0
    }
    terminal.type("@add\r")
    try terminal.wait("the next screen, without a notice") { model in
      guard let title = model.screen.lastIndex(where: { $0.hasPrefix("── Cart") }) else {
        return false
      }
      let below = model.screen[title...].joined(separator: "\n")
      return below.contains("Four: 1") && !below.contains("was replaced") && model.line == ">"
    }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    #expect(terminal.model.unknown == [])
  }

  @Test("Where what was wrong is undone the failure goes, and that all is well is reported")
  func undone() throws {
    let terminal = try start()
    try shop.save(
      WatchedShop.sources("One").replacingOccurrences(of: "count += 1", with: "cunt += 1"))
    try terminal.wait("the failure") { $0.text.contains("'Shop' keeps its former build: ") }
    try shop.save(WatchedShop.sources("One"))
    try terminal.wait("the word that all is well") {
      $0.text.contains("'Shop' compiles again; nothing in it has changed")
        && count("keeps its former build", $0) == 0
    }
    terminal.type("@add\r")
    try terminal.wait("the next screen") { $0.text.contains("One: 1") && $0.line == ">" }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("Saved again while the compiler works, the last sources run, and nothing is reported")
  func savedMeanwhile() throws {
    let terminal = try start()
    try shop.save(WatchedShop.sources("Two"))
    try terminal.wait("the compiler at work") { $0.text.contains("\ncompiling 'Shop'") }
    try shop.save(WatchedShop.sources("Three"))
    var sawFailure = false
    try terminal.wait("the last sources") {
      sawFailure = sawFailure || $0.text.contains("keeps its former build")
      return $0.text.contains("Three: 0") && $0.text.contains("'Shop' was replaced")
    }
    #expect(!sawFailure)
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("A terminal that is not drawn on shows each outcome once")
  func plain() throws {
    let terminal = try start(environment: ["TERM": "dumb"])
    for word in ["Two", "Three"] {
      try shop.save(WatchedShop.sources(word))
      try terminal.wait(word) { $0.text.contains("\(word): 0") && $0.line == ">" }
    }
    #expect(count("was replaced", terminal.model) == 2)
    terminal.type("@add\n")
    try terminal.wait { $0.text.contains("Three: 1") && $0.line == ">" }
    #expect(count("was replaced", terminal.model) == 2)
    terminal.type(":quit\n")
    #expect(terminal.finish() == 0)
  }
}
