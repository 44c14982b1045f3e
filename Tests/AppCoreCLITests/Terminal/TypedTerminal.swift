import Foundation
import Glibc
import TestSupport

/// A program on a real pseudo-terminal that is its controlling one, and what a person sees there.
final class TypedTerminal {
  let terminal: PseudoTerminal
  var leader: Int32 { terminal.leader }
  private let process: ChildProcess
  private let scratch: TemporaryFolder
  private(set) var model: TerminalModel
  private var receivedBytes: [UInt8] = []
  /// All that the program has sent to the terminal.
  var received: String { String(decoding: receivedBytes, as: UTF8.self) }
  /// The modes before the program ran.
  let modesBefore: Modes

  /// What a terminal does with what is typed.
  struct Modes: Equatable, CustomStringConvertible {
    let echoes: Bool
    let editsLines: Bool
    let makesSignals: Bool
    let translatesReturn: Bool

    init(_ settings: termios) {
      echoes = settings.c_lflag & tcflag_t(ECHO) != 0
      editsLines = settings.c_lflag & tcflag_t(ICANON) != 0
      makesSignals = settings.c_lflag & tcflag_t(ISIG) != 0
      translatesReturn = settings.c_iflag & tcflag_t(ICRNL) != 0
    }

    var description: String {
      "echo \(echoes), lines \(editsLines), signals \(makesSignals), CR \(translatesReturn)"
    }
  }

  struct NotSeen: Error, CustomStringConvertible {
    let wanted: String
    let screen: String
    var description: String { "'\(wanted)' was not seen on\n\(screen)" }
  }

  /// Starts `appcore`.
  convenience init(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws {
    try self.init(
      buildFolder.appendingPathComponent("appcore").path, arguments, columns: columns, rows: rows,
      environment: environment)
  }

  /// Starts a program; its history is a file of its own unless the environment says otherwise.
  init(
    _ path: String, _ arguments: [String], columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:]
  ) throws {
    scratch = try TemporaryFolder()
    model = TerminalModel(columns: columns, rows: rows)
    terminal = try PseudoTerminal()
    modesBefore = Modes(terminal.settings)
    terminal.resize(columns: columns, rows: rows)
    // A session of its own, with this terminal: only so are there Ctrl-Z and new sizes.
    let handle = FileHandle(fileDescriptor: terminal.follower, closeOnDealloc: false)
    process = try ChildProcess(
      "/usr/bin/setsid", ["--ctty", "--wait", path] + arguments,
      environment: ProcessInfo.processInfo.environment
        .merging([
          "TERM": "xterm", "NO_COLOR": "1", "SWIFT_BACKTRACE": "enable=no",
          "XDG_STATE_HOME": scratch.url.path,
        ]) { $1 }.merging(environment) { $1 },
      input: handle, output: handle, errors: handle)
  }

  /// `appcore run` on a manifest with the mock console.
  static func console(
    interval: Int = 0, columns: Int = 80, rows: Int = 24, options: [String] = [],
    environment: [String: String] = [:]
  ) throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      ["run", "Tests/Fixtures/manifests/console/console.yaml"]
        + (interval > 0 ? ["--set", "interval=\(interval)"] : []) + options,
      columns: columns, rows: rows, environment: environment)
    try terminal.wait { $0.line.hasSuffix(">") || $0.text.hasSuffix(">") }
    return terminal
  }

  deinit {
    if process.isRunning {
      kill(child, SIGKILL)
      process.send(SIGKILL)
    }
    // Its window closes first: what is left in the session, a shell with a stopped program say, is hung
    // up on.
    hangUp()
    process.waitForEnd()
  }

  /// The program: what is in the terminal's foreground.
  var child: pid_t {
    var group: pid_t = 0
    // TIOCGPGRP
    return ioctl(leader, 0x540f, &group) == 0 && group > 1 ? group : process.id
  }

  /// Whether there is one yet: before, it is `setsid` that would get signals.
  var hasProgram: Bool { child != process.id }

  var modes: Modes { Modes(terminal.settings) }
  var historyFile: URL { scratch.url.appendingPathComponent("appcore/history") }

  /// Types bytes as they are.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(leader, bytes, bytes.count)
  }

  /// Closes the terminal's window: whoever reads or writes there finds nobody any more.
  func hangUp() {
    // In its place one on which nothing ever comes.
    let silent = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    dup2(silent, leader)
    close(silent)
  }

  /// Gives the terminal another size, as when somebody pulls at its window.
  func resize(columns: Int, rows: Int) {
    read(for: 50)
    model.resize(columns: columns, rows: rows)
    terminal.resize(columns: columns, rows: rows)
  }

  /// Reads until what is seen is as wanted.
  func wait(
    _ what: String = "what is waited for", seconds: Double = 60,
    until isSeen: (TerminalModel) -> Bool
  ) throws {
    let deadline = Date().addingTimeInterval(seconds)
    while !isSeen(model) {
      guard Date() < deadline else { throw NotSeen(wanted: what, screen: model.text) }
      read(for: 20)
    }
  }

  /// Reads until a text is seen.
  func wait(for text: String) throws { try wait(text) { $0.text.contains(text) } }

  /// Reads until the row with the cursor is this one.
  func wait(forLine line: String) throws { try wait(line) { $0.line == line } }

  /// Reads to the end of the program and returns its exit status.
  func finish() -> Int32 {
    let deadline = Date().addingTimeInterval(60)
    while process.isRunning, Date() < deadline { read(for: 20) }
    readAll()
    if process.isRunning { return -1 }
    return process.waitForEnd().status
  }

  /// Reads what comes within a time, in milliseconds; of more, a part.
  ///
  /// - Returns: whether anything came.
  @discardableResult
  func read(for milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: leader, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(leader, &bytes, bytes.count)
    if count > 0 {
      model.write(Array(bytes[..<count]))
      receivedBytes += bytes[..<count]
    }
    return count > 0
  }

  /// Reads until nothing has come for a while, for at most a minute.
  func readAll() {
    let deadline = Date().addingTimeInterval(60)
    while read(for: 200), Date() < deadline {}
  }
}
