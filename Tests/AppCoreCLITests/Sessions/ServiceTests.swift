import Foundation
import Glibc
import TestSupport
import Testing

/// An app without a terminal, as a service manager runs it.
@Suite("A service", .ownThread)
struct ServiceTests {
  private let socket = NotifySocket()
  private let reports: CrashReports
  private let folder: TemporaryFolder

  init() throws {
    reports = try CrashReports()
    folder = try TemporaryFolder()
  }

  /// Starts the app with what goes wrong where it is told to.
  private func start(
    _ options: [String], watchdog: Int? = nil, input: FileHandle? = nil
  ) throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
      .merging(CrashingApp.environment) { $1 }.merging(reports.environment) { $1 }
    environment["NOTIFY_SOCKET"] = socket.name
    environment["WATCHDOG_USEC"] = watchdog.map { "\($0)" }
    return try ChildProcess(
      buildFolder.appendingPathComponent("appcore").path,
      ["run", CrashingApp.manifest, "--json", "--live"]
        + options.map { $0 == "SOCKET" ? folder.path + "/app.sock" : $0 }, environment: environment,
      input: input ?? FileHandle(forReadingAtPath: "/dev/null"))
  }

  /// The next message that says something else than that the app responds.
  private func next(from process: ChildProcess) -> String? {
    while let message = socket.next(from: process.id) {
      if message != "WATCHDOG=1" { return message }
    }
    return nil
  }

  @Test(
    "It says when it is ready and when it ends, which a signal says and not '/dev/null'",
    arguments: [[], ["--supervise"], ["--socket", "SOCKET"]], [SIGTERM, SIGHUP])
  func life(options: [String], signal: Int32) throws {
    let process = try start(options)
    #expect(next(from: process) == "READY=1")
    #expect(process.isRunning)
    process.send(signal)
    #expect(next(from: process) == "STOPPING=1")
    let end = process.waitForEnd()
    #expect(end.status == 128 + signal && !end.wasSignalled)
  }

  @Test(
    "It says that it responds; while a feature blocks it, it says nothing",
    arguments: [[], ["--supervise"], ["--socket", "SOCKET"]])
  func watchdog(options: [String]) throws {
    let pipe = Pipe()
    let process = try start(
      options + ["--watchdog", "0"], watchdog: 2_000_000, input: pipe.fileHandleForReading)
    #expect(next(from: process) == "READY=1")
    for _ in 1...3 { #expect(socket.next(from: process.id) == "WATCHDOG=1") }
    pipe.fileHandleForWriting.write(Data("@fault = reduce loop\n".utf8))
    // What was said before the line was carried out is still to be read.
    while socket.next(from: process.id, within: 2) == "WATCHDOG=1" {}
    #expect(process.isRunning)
    process.send(SIGTERM)
    #expect(next(from: process) == "STOPPING=1")
    process.waitForEnd()
  }

  @Test(
    "A crash that is survived is no new start",
    arguments: [["--supervise"], ["--socket", "SOCKET"]])
  func crash(options: [String]) throws {
    let pipe = Pipe()
    let process = try start(
      options, watchdog: 2_000_000, input: pipe.fileHandleForReading)
    #expect(next(from: process) == "READY=1")
    pipe.fileHandleForWriting.write(Data("@fault = reduce trap\n".utf8))
    _ = try reports.last(of: 1)
    for _ in 1...3 { #expect(socket.next(from: process.id) == "WATCHDOG=1") }
    pipe.fileHandleForWriting.write(Data(":quit\n".utf8))
    #expect(next(from: process) == "STOPPING=1")
    #expect(process.waitForEnd().status == 0)
  }

  @Test("A FIFO does not end with the programs that write to it")
  func fifo() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appendingPathComponent("lines").path
    #expect(mkfifo(path, 0o600) == 0)
    // The program that starts it opens it for both, so that it does not wait for a writer.
    let descriptor = open(path, O_RDWR | O_CLOEXEC)
    let input = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let process = try start([], input: input)
    try input.close()
    #expect(next(from: process) == "READY=1")
    for line in ["@add", "@add", ":quit"] {
      #expect(process.isRunning)
      let writer = try #require(FileHandle(forWritingAtPath: path))
      writer.write(Data("\(line)\n".utf8))
      try writer.close()
    }
    #expect(next(from: process) == "STOPPING=1")
    #expect(process.waitForEnd().status == 0)
  }
}
