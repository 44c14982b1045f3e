import Foundation
import TestSupport
import Testing

/// Apps that run while their plugin's sources are saved.
@Suite("appcore run --watch", .ownThread)
struct WatchTests {
  let shop: WatchedShop

  init() throws { shop = try WatchedShop() }

  /// The program, with pipes to talk to it.
  private final class Conversation {
    private let process: ChildProcess
    private let input = Pipe()
    private var output: ProgramOutput

    init(_ folder: URL, _ options: [String]) throws {
      let output = Pipe()
      process = try ChildProcess(
        buildFolder.appendingPathComponent("appcore").path,
        ["run", "app.yaml", "--watch"] + options,
        environment: ProcessInfo.processInfo.environment
          .merging([
            "NO_COLOR": "1", "XDG_CACHE_HOME": folder.appendingPathComponent("cache").path,
          ]) { $1 },
        folder: folder, input: input.fileHandleForReading, output: output.fileHandleForWriting)
      try input.fileHandleForReading.close()
      try output.fileHandleForWriting.close()
      self.output = ProgramOutput(output.fileHandleForReading, of: process)
    }

    deinit { process.send(SIGTERM) }

    func say(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    /// The next line of output; `nil` at its end.
    func line() -> String? { output.line().map { String(decoding: $0, as: UTF8.self) } }

    /// Reads up to a line that holds a text.
    func line(with text: String) throws -> String {
      while let line = line() { if line.contains(text) { return line } }
      throw Missing(text: text)
    }

    func end() -> Int32 {
      try? input.fileHandleForWriting.close()
      while line() != nil {}
      return process.waitForEnd().status
    }
  }

  struct Missing: Error { let text: String }

  @Test("In JSON a save prints a screen with a notice, and the state continues")
  func json() throws {
    let app = try Conversation(shop.folder.url, ["--json"])
    _ = try app.line(with: "One: 0")
    app.say("@add")
    _ = try app.line(with: "One: 1")
    try shop.save(WatchedShop.sources("Two"))
    let screen = try #require(app.line())
    #expect(screen.contains(#""text":"Two: 1""#), "\(screen)")
    #expect(screen.contains(#""notices":[{"style":"plain","text":"'Shop' was replaced; "#))
    // Wrong sources: the former build continues, and the place is told.
    try shop.save(
      WatchedShop.sources("Three").replacingOccurrences(of: "count += 1", with: "cunt += 1"))
    let refused = try #require(app.line())
    #expect(refused.contains(#""text":"Two: 1""#), "\(refused)")
    #expect(refused.contains("Shop.swift:20:11: value of type 'Cart.State' has no member 'cunt'"))
    #expect(refused.contains("[plugin-not-compiled]"))
    // Undone: nothing is replaced, and that is told too.
    try shop.save(WatchedShop.sources("Two"))
    let restored = try #require(app.line())
    #expect(restored.contains("'Shop' compiles again; nothing in it has changed"), "\(restored)")
    #expect(!restored.contains("plugin-not-compiled"))
    app.say("@add")
    _ = try app.line(with: "Two: 2")
    #expect(app.end() == 0)
  }

  @Test("A program that follows the screen gets it once after a reload, with its cause")
  func cause() throws {
    let app = try Conversation(shop.folder.url, ["--json", "--live"])
    #expect(try app.line(with: "One: 0").contains(#""cause":{"origin":"start"}"#))
    try shop.save(WatchedShop.sources("Two"))
    let screen = try app.line(with: #""text":"Two: 0""#)
    let cause = #""cause":{"origin":"navigation","action":"a new build of 'Shop'"}"#
    #expect(screen.contains(cause), "\(screen)")
    // Wrong sources: the reason is told, and nothing else has caused the screen.
    try shop.save(
      WatchedShop.sources("Three").replacingOccurrences(of: "count += 1", with: "cunt += 1"))
    let refused = try #require(app.line())
    #expect(refused.contains("[plugin-not-compiled]"), "\(refused)")
    app.say("@add")
    let answer = try #require(app.line())
    #expect(answer.contains(#""text":"Two: 1""#), "\(answer)")
    #expect(app.end() == 0)
  }

  @Test(
    "In a pipe the screen is printed again, and files that are cut and written count once whole")
  func pipe() throws {
    let app = try Conversation(shop.folder.url, [])
    _ = try app.line(with: "One: 0")
    let text = WatchedShop.sources("Two")
    let file = try FileHandle(
      forWritingTo: shop.folder.url.appendingPathComponent("Shop/Shop.swift"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(text.utf8.prefix(200)))
    try file.synchronize()
    // Longer than changes rest: half of the file would be built here if it were not held open.
    Thread.sleep(forTimeInterval: 0.5)
    try file.write(contentsOf: Data(text.utf8.dropFirst(200)))
    try file.close()
    let notice = try app.line(with: "Shop")
    #expect(notice.contains("'Shop' was replaced"), "\(notice)")
    _ = try app.line(with: "Two: 0")
    #expect(app.end() == 0)
  }
}
