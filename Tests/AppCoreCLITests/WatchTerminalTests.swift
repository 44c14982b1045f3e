import Foundation
import Testing

/// A person at a terminal who saves the sources of a plugin while it runs.
@Suite("appcore run --watch, on a terminal")
struct WatchTerminalTests {
  let shop: WatchedShop

  init() throws { shop = try WatchedShop() }

  /// How often a text stands on what is seen, rows that have left at the top included.
  private func count(_ text: String, _ model: TerminalModel) -> Int {
    (model.scrollback + model.screen).joined(separator: "\n").components(separatedBy: text).count - 1
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

  @Test("A terminal that is not drawn on is told of each outcome once")
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
