import Foundation
import Glibc
import Supervision
import TestSupport
import Testing

/// The socket of an app and clients that do not behave; `Tests/Transcripts/socket` has the commands.
@Suite("Sockets of apps", .ownThread)
struct SocketTests {
  /// An app that runs with a socket.
  private final class RunningApp {
    let folder: TemporaryFolder
    let process: ChildProcess
    var path: String { folder.path + "/app.sock" }

    init(_ manifest: String = "counter.yaml", _ options: [String] = []) async throws {
      folder = try TemporaryFolder()
      process = try ChildProcess(
        buildFolder.appendingPathComponent("appcore").path,
        ["run", packageFolder.path + "/Tests/Fixtures/manifests/mocks/\(manifest)", "--socket"]
          + [folder.path + "/app.sock"] + options,
        environment: ProcessInfo.processInfo.environment.merging([
          "XDG_STATE_HOME": folder.path + "/state", "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 })
      try await waitForResponse()
    }

    deinit { kill(process.id, SIGKILL) }

    func waitForResponse() async throws {
      while try await !responds() { try await Task.sleep(for: .milliseconds(50)) }
    }

    /// Whether the app answers within a second, and has not crashed.
    func responds() async throws -> Bool {
      let status = try await Program.appcore(["status", path, "--json"]).output
      return status.contains(#""responds": true"#) && status.contains(#""crashes": 0"#)
    }

    func connect() throws -> Int32 {
      let client = try SocketPath(path).connect()
      var timeout = timeval(tv_sec: 60, tv_usec: 0)
      setsockopt(
        client, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
      return client
    }

    /// The numbers of open descriptors of the supervisor and the app, without timers: of these there
    /// is one for each clock, from when it is first needed.
    func descriptorCounts() throws -> [Int] {
      let files = FileManager.default
      return try ids().map { id in
        try files.contentsOfDirectory(atPath: "/proc/\(id)/fd").count { name in
          let file = try? files.destinationOfSymbolicLink(atPath: "/proc/\(id)/fd/\(name)")
          return file != "anon_inode:[timerfd]"
        }
      }
    }

    /// Waits until the supervisor and the app have no more open descriptors than before: a client
    /// that left, and a plugin's file that is read for a status, are closed soon, not at once.
    func expectNoMoreDescriptors(
      than counts: [Int], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let deadline = ContinuousClock.now + .seconds(60)
      while try zip(descriptorCounts(), counts).contains(where: >), ContinuousClock.now < deadline {
        try await Task.sleep(for: .milliseconds(20))
      }
      #expect(
        try zip(descriptorCounts(), counts).allSatisfy { $0 <= $1 }, sourceLocation: sourceLocation)
    }

    /// The resident memory of the supervisor and the app, in pages.
    func memory() throws -> [Int] {
      try ids().map { id in
        let text = try String(contentsOfFile: "/proc/\(id)/statm", encoding: .utf8)
        return try #require(text.split(separator: " ").dropFirst().first.flatMap { Int($0) })
      }
    }

    private func ids() throws -> [pid_t] {
      let path = "/proc/\(process.id)/task/\(process.id)/children"
      let children = try String(contentsOfFile: path, encoding: .utf8)
      return [process.id, try #require(children.split(separator: " ").first.flatMap { pid_t($0) })]
    }
  }

  private func write(_ text: String, to descriptor: Int32) {
    _ = send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// Everything that arrives until the other side closes the connection.
  private func readAll(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var bytes = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &bytes, bytes.count)
      if count <= 0 { return String(decoding: text, as: UTF8.self) }
      text += bytes[..<count]
    }
  }

  private func expectEnd(of client: Int32) {
    #expect(readAll(client) == "")
    close(client)
  }

  @Test("Of a thousand clients, half of them silent, neither memory nor a descriptor is left")
  func thousandClients() async throws {
    let app = try await RunningApp()
    let counts = try app.descriptorCounts()
    let memory = try app.memory()
    var silent: [Int32] = []
    for number in 0..<1000 {
      let client = try app.connect()
      if number % 2 == 0 {
        silent.append(client)
        // Not all at once: this process has few descriptors itself.
        if silent.count > 200 { expectEnd(of: silent.removeFirst()) }
      } else {
        write(number % 4 == 1 ? "attach\n" : "status\n", to: client)
        close(client)
      }
      if number % 100 == 99 { #expect(try app.descriptorCounts()[0] <= counts[0] + 130) }
    }
    // Those that say nothing are closed, although they hold on.
    for client in silent { expectEnd(of: client) }
    try await app.waitForResponse()
    try await app.expectNoMoreDescriptors(than: counts)
    for (now, before) in zip(try app.memory(), memory) { #expect(now - before < 4096) }
  }

  @Test(
    "A client that sends garbage is told so and closed, and the app goes on",
    arguments: [
      ("garbage\n", "the first line has to be 'status', 'attach' or 'control'"),
      ("\n", "the first line has to be 'status', 'attach' or 'control'"),
      ("\u{0}\u{1b}[2J\n", "the first line has to be"),
      ("control\n", "'--socket-control'"),
      ("attach\n@add\n", "only a client in control may send lines"),
      (String(repeating: "[", count: 65_537) + "\n", ""),
      (String(repeating: "x", count: 100_000), ""),
    ])
  func garbage(_ text: String, answer: String) async throws {
    let app = try await RunningApp()
    let client = try app.connect()
    defer { close(client) }
    write(text, to: client)
    let all = readAll(client)
    #expect(answer.isEmpty ? all.isEmpty : all.contains(answer))
    #expect(try await app.responds())
  }

  @Test("A line that is not UTF-8 is refused")
  func invalidText() async throws {
    let app = try await RunningApp("counter.yaml", ["--socket-control"])
    let client = try app.connect()
    defer { close(client) }
    let bytes: [UInt8] = Array("control\n".utf8) + [0xff, 0x0a]
    _ = send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    #expect(readAll(client).contains("a line has to be UTF-8"))
    #expect(try await app.responds())
  }

  @Test("A client that leaves within a line harms nothing")
  func leavesWithinLine() async throws {
    let app = try await RunningApp("counter.yaml", ["--socket-control"])
    let counts = try app.descriptorCounts()
    for text in ["att", "attach\n:pa", "control\n@add\n@a", "control\n@ad", ""] {
      let client = try app.connect()
      write(text, to: client)
      close(client)
    }
    #expect(try await app.responds())
    try await app.expectNoMoreDescriptors(than: counts)
  }

  @Test("A client that does not read is dropped, and another is served meanwhile")
  func slowReader() async throws {
    let app = try await RunningApp("crashes.yaml", ["--socket-control"])
    let counts = try app.descriptorCounts()
    let slow = try app.connect()
    defer { close(slow) }
    write("attach\n", to: slow)
    let lines = String(repeating: "@add\n", count: 1500)
    let result = try await Program.appcore(["attach", app.path, "--control"], input: lines)
    #expect(result.status == 0)
    #expect(result.output.contains("Count 1500"))
    #expect(try await app.responds())
    try await app.expectNoMoreDescriptors(than: counts)
  }

  @Test("A blocked app shows its last status, and collects no lines without limit")
  func blocked() async throws {
    let app = try await RunningApp("crashes.yaml", ["--socket-control"])
    let client = try app.connect()
    defer { close(client) }
    write("control\n@fault = reduce loop\n" + String(repeating: "@add\n", count: 300), to: client)
    #expect(readAll(client).contains("the app does not carry out lines now"))
    let status = try await Program.appcore(["status", app.path])
    #expect(status.output.contains("app: crashes"))
    #expect(status.output.contains("responds: no"))
  }

  @Test(
    "Another user is refused, also where the file's mode would let it in",
    .enabled(
      if: geteuid() == 0 && access("/usr/bin/python3", X_OK) == 0,
      "only root can run a program as another user"))
  func otherUser() async throws {
    let app = try await RunningApp()
    chmod(app.folder.path, 0o755)
    let nobody = ["--reuid=65534", "--regid=65534", "--clear-groups", "--"]
    let setpriv = try #require(Program.find("setpriv"))
    let client =
      "import socket,sys; s=socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); "
      + "print(s.recv(9999))"
    // By its name, for which only this folder has to be open to others.
    let arguments = nobody + ["/usr/bin/python3", "-c", client, "app.sock"]
    let refused = try await Program.run(setpriv, arguments, folder: app.folder.url)
    #expect(refused.errors.contains("PermissionError"))
    chmod(app.path, 0o666)
    let told = try await Program.run(setpriv, arguments, folder: app.folder.url)
    #expect(told.output.contains("only the user of the app, and root, may connect"))
    #expect(try await app.responds())
  }
}
