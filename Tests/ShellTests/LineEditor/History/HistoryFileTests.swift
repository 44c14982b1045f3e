import Foundation
import Glibc
import TestSupport
import Testing

@testable import LineEditor

@Suite("The file of the history") struct HistoryFileTests {
  private let folder: TemporaryFolder
  private var path: String { folder.url.appendingPathComponent("state/history").path }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ bytes: [UInt8]) throws {
    let file = URL(fileURLWithPath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  @Test("Added lines are read again, and only their owner may read them")
  func roundTrip() throws {
    var file = HistoryFile(path: path)
    try file.append("one")
    try file.append("zwei 日本")
    var again = HistoryFile(path: path)
    #expect(again.load().lines == ["one", "zwei 日本"])
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    chmod(path, 0o644)
    try file.append("three")
    let mended = try FileManager.default.attributesOfItem(atPath: path)
    #expect(mended[.posixPermissions] as? Int == 0o600)
  }

  @Test("Several shells add at once, and no line is lost or torn")
  func concurrency() throws {
    let path = path
    let threads = (0..<4).map { shell in
      Thread {
        var file = HistoryFile(path: path)
        for number in 0..<100 { try? file.append("shell \(shell) line \(number)") }
      }
    }
    for thread in threads { thread.join() }
    var file = HistoryFile(path: path)
    let lines = Set(file.load().lines)
    #expect(lines.count == 400)
    #expect(lines.contains("shell 3 line 99"))
  }

  @Test("A shell sees what another one added since it looked last")
  func news() throws {
    var first = HistoryFile(path: path)
    var second = HistoryFile(path: path)
    try first.append("one")
    _ = second.load()
    #expect(second.news() == [])
    try first.append("two")
    #expect(second.news() == ["two"])
    #expect(second.news() == [])
    try second.append("three")
    #expect(second.news() == [])
  }

  @Test("A damaged file loses its damaged lines only, and half a line is not continued")
  func damage() throws {
    try write(
      Array("good\n".utf8) + [0xff, 0xfe, 0x0a] + Array("nul\0\nesc\u{1b}[A\n\n".utf8)
        + Array(String(repeating: "x", count: 100_000).utf8) + Array("\nlast\nhalf".utf8))
    var file = HistoryFile(path: path)
    #expect(file.load().lines == ["good", "last", "half"])
    try file.append("whole")
    #expect(file.load().lines == ["good", "last", "half", "whole"])
  }

  @Test("A file that has grown by repetition is written anew, each line once")
  func compaction() throws {
    let text = (0..<3000).map { "line \($0 % 10)\n" }.joined()
    try write(Array(text.utf8))
    var file = HistoryFile(path: path)
    #expect(file.load().lines.count == 10)
    let now = try String(contentsOfFile: path, encoding: .utf8)
    #expect(now.split(separator: "\n").count == 10)
    #expect(file.news() == [])
    try file.append("new")
    #expect(try String(contentsOfFile: path, encoding: .utf8).hasSuffix("line 9\nnew\n"))
  }

  @Test("A key that can't be a file's name is refused with the remedy")
  func refusals() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true)
    var file = HistoryFile(path: path)
    #expect(file.load().lines.count == 0)
    let failure = #expect(throws: HistoryFile.Failure.self) { try file.append("x") }
    let text = failure.map { "\($0)" } ?? ""
    #expect(text.contains("'\(path)' can't be opened: Is a directory"))
    #expect(text.contains("APPCORE_HISTORY names another file, or is 'off'"))
    var null = HistoryFile(path: "/dev/null")
    #expect(throws: HistoryFile.Failure.self) { try null.append("x") }
  }

  @Test("The environment says where it is, or that there is none")
  func place() {
    func path(_ variables: [String: String]) -> String? { HistoryFile.path { variables[$0] } }
    #expect(path(["HOME": "/h"]) == "/h/.local/state/appcore/history")
    #expect(path(["HOME": "/h", "XDG_STATE_HOME": "/s"]) == "/s/appcore/history")
    #expect(path(["HOME": "/h", "XDG_STATE_HOME": "s"]) == "/h/.local/state/appcore/history")
    #expect(path(["HOME": "/h", "APPCORE_HISTORY": "/f"]) == "/f")
    #expect(path(["HOME": "/h", "APPCORE_HISTORY": "off"]) == nil)
    #expect(path([:]) == nil)
  }
}
