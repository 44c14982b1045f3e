import Foundation
import Glibc

/// A program on a real pseudo-terminal, with what it printed.
final class PseudoTerminal {
  private let leader: Int32
  private let process = Process()
  private(set) var printed = ""

  enum Failure: Error {
    case noTerminal(Int32)
    case notSeen(String, printed: String)
  }

  /// Starts a program on a terminal of 80 columns and 40 lines.
  init(_ path: String, _ arguments: [String], environment: [String: String] = [:]) throws {
    // What `posix_openpt`, `unlockpt` and `ptsname` do; Swift's Glibc does not offer them.
    leader = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var unlocked: Int32 = 0
    var number: Int32 = 0
    guard leader >= 0, ioctl(leader, 0x4004_5431, &unlocked) == 0,
      ioctl(leader, 0x8004_5430, &number) == 0
    else { throw Failure.noTerminal(errno) }
    let follower = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard follower >= 0 else { throw Failure.noTerminal(errno) }
    var size = winsize(ws_row: 40, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(follower, UInt(TIOCSWINSZ), &size)
    let handle = FileHandle(fileDescriptor: follower, closeOnDealloc: true)
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = packageFolder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TERM": "xterm", "NO_COLOR": "1"]) { $1 }.merging(environment) { $1 }
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    try handle.close()
  }

  deinit {
    if process.isRunning { process.terminate() }
    close(leader)
  }

  /// Types a line.
  func type(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(leader, bytes, bytes.count)
  }

  /// Reads until `text` has been printed, and returns what was printed up to its end.
  ///
  /// - Throws: ``Failure/notSeen(_:printed:)`` after ten seconds without it.
  @discardableResult
  func wait(for text: String) throws -> String {
    let deadline = Date().addingTimeInterval(10)
    while true {
      if let range = printed.range(of: text) {
        let seen = String(printed[..<range.upperBound])
        printed = String(printed[range.upperBound...])
        return seen
      }
      guard Date() < deadline, read() else { throw Failure.notSeen(text, printed: printed) }
    }
  }

  /// Reads to the end of the program and returns its exit status.
  func finish() -> Int32 {
    let deadline = Date().addingTimeInterval(10)
    while Date() < deadline, read() {}
    process.waitUntilExit()
    return process.terminationStatus
  }

  /// Reads what there is; `false` at the end.
  private func read() -> Bool {
    var entry = pollfd(fd: leader, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, 100) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(leader, &bytes, bytes.count)
    guard count > 0 else { return false }
    printed += String(decoding: bytes[..<count], as: UTF8.self)
    return true
  }
}
