import Foundation
import Glibc
import TestSupport
import Testing

/// Sessions that outlive all processes.
@Suite("A session that is kept in a file", .ownThread)
struct KeptSessionTests {
  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url.appendingPathComponent("kept.session").path
  }

  private func run(
    _ lines: [String], _ options: [String] = [], manifest: String = CrashingApp.manifest
  ) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", manifest, "--session", file] + options + lines.flatMap { ["-c", $0] })
  }

  /// Leaves a session in the file: an app that was asked to end by a signal.
  private func leave(_ lines: [(String, seeing: String)], _ options: [String] = []) throws {
    let app = try CrashingApp(["--session", file] + options)
    for (line, text) in lines { try app.type(line, seeing: text) }
    kill(app.terminal.child, SIGTERM)
    #expect(app.terminal.finish() == 128 + SIGTERM)
  }

  private var bytes: [UInt8] { get throws { try Array(Data(contentsOf: URL(filePath: file))) } }

  @Test("Killed with its supervisor, it is resumed as it was")
  func killed() throws {
    let app = try CrashingApp(["--session", file])
    try app.type("@add", seeing: "Count 1")
    app.terminal.type("half a li")
    try app.terminal.wait(forLine: "> half a li")
    // What was typed is on its way to the file.
    let deadline = Date().addingTimeInterval(30)
    while !(try String(decoding: bytes, as: UTF8.self)).contains("half a li"), Date() < deadline {
      app.terminal.read(for: 20)
    }
    let worker = try #require(app.worker)
    kill(app.terminal.child, SIGSTOP)
    kill(worker, SIGKILL)
    kill(app.terminal.child, SIGKILL)
    #expect(app.terminal.finish() != 0)
    var status = stat()
    #expect(stat(file, &status) == 0 && status.st_mode & 0o777 == 0o600)

    let next = try TypedTerminal(
      ["run", CrashingApp.manifest, "--session", file], columns: 120, rows: 50)
    try next.wait(for: "Resume it? [Y/n]")
    next.type("\n")
    try next.wait("the session resumed") {
      $0.text.contains("! resumed the session of ") && $0.text.contains("Count 1")
        && $0.line == "> half a li"
    }
    next.type("\u{15}:quit\r")
    #expect(next.finish() == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test(
    "Both processes killed at the first sight of a screen, it is resumed",
    .enabled(if: PreloadedLibrary.canBeMade))
  func killedAtSight() async throws {
    // A disk that is slower than the terminal: what is shown first would be lost.
    let library = try await PreloadedLibrary(
      """
      #define _GNU_SOURCE
      #include <dlfcn.h>
      #include <stdio.h>
      #include <string.h>
      #include <unistd.h>

      ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
        char link[32], path[4096];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, path, sizeof path - 1);
        path[length < 0 ? 0 : length] = 0;
        // The image in memory is as fast as it is.
        if (!strstr(path, "memfd:")) usleep(20000);
        return ((ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite"))(
          descriptor, bytes, count, offset);
      }
      """)
    var resumed = 0
    for _ in 0..<4 {
      try? FileManager.default.removeItem(atPath: file)
      let app = try CrashingApp(["--session", file], environment: library.environment)
      try app.type("@add", seeing: "Count 1")
      app.terminal.type("@add\r")
      try app.terminal.wait("the second count") { $0.text.contains("Count 2") }
      kill(-app.terminal.child, SIGKILL)
      #expect(app.terminal.finish() != 0)
      if try await run([":expect Count 2"], ["--resume"]).status == 0 { resumed += 1 }
    }
    // A screen waits a tenth of a second for its file, which a busy machine may take longer for.
    #expect(resumed >= 3)
  }

  @Test(
    "A disk that does not take the session is reported once",
    .enabled(if: PreloadedLibrary.canBeMade))
  func notOnDisk() async throws {
    let disk = try await PreloadedLibrary(
      """
      #include <errno.h>
      int fdatasync(int file) { errno = EIO; return -1; }
      """)
    let app = try CrashingApp(["--session", file], environment: disk.environment)
    let warning = "! the session can't be kept in '"
    try app.terminal.wait("the warning") { $0.text.contains(warning) && $0.line == ">" }
    #expect(app.terminal.model.text.contains("Input/output error"))
    try app.type("@add", seeing: "Count 1")
    app.terminal.read(for: 2000)
    #expect(app.terminal.model.text.components(separatedBy: warning).count == 2)
    #expect(app.quit() == 0)
  }

  @Test("Once resumed it is written again, though nothing has changed")
  func writtenAgain() throws {
    try leave([("@add", "Count 1")])
    let inode = { () -> UInt64 in
      var status = stat()
      return stat(file, &status) == 0 ? UInt64(status.st_ino) : 0
    }
    let before = inode()
    let app = try CrashingApp(["--session", file, "--resume"])
    try app.terminal.wait("the session in a new file") { _ in inode() != before }
    kill(-app.terminal.child, SIGKILL)
    #expect(app.terminal.finish() != 0)
    let next = try CrashingApp(["--session", file, "--resume"])
    try next.terminal.wait(for: "Count 1")
    #expect(next.quit() == 0)
  }

  @Test("Who does not want it begins anew")
  func declined() throws {
    try leave([("@add", "Count 1")])
    let next = try TypedTerminal(
      ["run", CrashingApp.manifest, "--session", file], columns: 120, rows: 50)
    try next.wait(for: "Resume it? [Y/n]")
    next.type("n\n")
    try next.wait("the first screen") { $0.text.contains("Count 0") && $0.line == ">" }
    next.type(":quit\r")
    #expect(next.finish() == 0)
  }

  @Test("A script is not asked, and leaves it as it is unless it is told to resume")
  func script() async throws {
    try leave([("@add", "Count 1")])
    let before = try bytes
    let new = try await run([":expect Count 0"])
    #expect(new.status == 0)
    #expect(new.errors.contains("'--resume' continues with it; remove the file to start afresh"))
    #expect(try bytes == before)
    let resumed = try await run([":expect Count 1", "@add"], ["--resume"])
    #expect(resumed.status == 0)
    #expect(resumed.output.contains("Count 2"))
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("A session that can't be resumed is set aside or left as it is, with its reason")
  func refused() async throws {
    try leave([("@add", "Count 1")])
    let good = try bytes
    var newer = good
    newer["appcore session".utf8.count] = 99
    var damaged = good
    for index in 20..<60 { damaged[index] ^= 0x55 }
    for (content, reason, isOwn) in [
      (newer, "it has format 99, and this version of appcore reads format 4", true),
      (damaged, "it is damaged", true),
      (Array("milk and eggs".utf8), "it is not a saved session", false),
    ] {
      try Data(content).write(to: URL(filePath: file))
      let checked = try await Program.appcore(["check", CrashingApp.manifest, "--session", file])
      #expect(checked.status == 65)
      #expect(checked.errors.contains(reason))
      for options in [[], ["--resume"]] {
        try Data(content).write(to: URL(filePath: file))
        let told = try await run([":expect Count 0"], options)
        #expect(told.status == (isOwn || options.isEmpty ? 0 : 65), "\(told.errors)")
        let end = isOwn ? "it is kept in " : "the file is left as it is"
        #expect(told.errors.contains("can't be resumed: \(reason); \(end)"), "\(told.errors)")
        let place = isOwn ? file + ".damaged" : file
        #expect(try [UInt8](Data(contentsOf: URL(filePath: place))) == content)
        try FileManager.default.removeItem(atPath: place)
      }
    }
    try Data(good).write(to: URL(filePath: file))
    let other = try await run(["@add"], manifest: "Tests/Fixtures/manifests/mocks/counter.yaml")
    #expect(other.errors.contains("it is of the app 'crashes', and this is "))
    #expect(try bytes == good)
  }

  @Test("No secret is in it")
  func secret() async throws {
    let manifest = "Tests/Fixtures/manifests/mocks/slow.yaml"
    let app = CrashingApp(
      try TypedTerminal(["run", manifest, "--session", file], columns: 100, rows: 40))
    try app.terminal.wait("the first prompt") { $0.line == ">" }
    try app.type("@password = hunter2", seeing: "Password: ••• set")
    app.terminal.type("@password = hunter3")
    try app.terminal.wait(forLine: "> @password = hunter3")
    // A crash loses neither.
    kill(try #require(app.worker), SIGKILL)
    _ = try app.restored(seeing: "Password: ••• set")
    try app.terminal.wait(forLine: "> @password = hunter3")
    kill(app.terminal.child, SIGTERM)
    #expect(app.terminal.finish() == 128 + SIGTERM)
    #expect(!String(decoding: try bytes, as: UTF8.self).contains("hunter"))
    let resumed = try await run([], ["--resume"], manifest: manifest)
    #expect(resumed.status == 0)
    #expect(resumed.output.contains("Password: (not set)"), "\(resumed.output)")
  }

  @Test("Neither it nor the history has the secret of a link, be it sent, misspelt or half typed")
  func secretLink() throws {
    let interface = try folder.write(
      "Bank.json",
      #"""
      { "interface": 1, "plugin": "Bank", "version": "1.0.0",
        "configuration": { "type": "object", "fields": [] }, "features": [
          { "name": "Bank.Hall", "arguments": { "type": "object", "fields": [] },
            "delegates": [], "inputs": [] },
          { "name": "Bank.Vault", "arguments": { "type": "object", "fields": [
              { "name": "pin", "schema": { "type": "secret" } }] },
            "delegates": [], "inputs": [] }] }
      """#)
    let manifest = try folder.write(
      "bank.yaml",
      """
      appcore: 1
      plugins: [Bank]
      start: hall
      nodes: { hall: { feature: Bank.Hall }, vault: { feature: Bank.Vault } }
      links:
        - { path: "vault/{pin}", open: [hall, { push: vault, with: { pin: $.pin } }] }
      """)
    let terminal = try TypedTerminal([
      "run", manifest.path, "--mock", "Bank=\(interface.path)", "--session", file,
    ])
    try terminal.wait("the first prompt") { $0.line == ">" }
    terminal.type(":open vault/pin-1\r")
    try terminal.wait { $0.text.contains("> :open vault/pin-1") && $0.line == ">" }
    terminal.type(":open valt/pin-2\r")
    try terminal.wait { $0.text.contains("there is no link") && $0.line == ">" }
    terminal.type(":opem vault/pin-4\r")
    try terminal.wait { $0.text.contains("> :opem vault/pin-4") && $0.line == ">" }
    terminal.type(":path\r")
    try terminal.wait { $0.text.contains("/hall/vault;pin=…") && $0.line == ">" }
    for (command, text) in [(":log", "the link can't be opened"), (":explain", "> :explain")] {
      terminal.type("\(command)\r")
      try terminal.wait { $0.text.contains(text) && $0.line == ">" }
      let output = try #require(terminal.model.text.components(separatedBy: "> \(command)").last)
      #expect(output.contains("<secret>") && !output.contains("pin-"), "\(output)")
    }
    terminal.type(":open vault/pin-3")
    try terminal.wait(forLine: "> :open vault/pin-3")
    kill(terminal.child, SIGTERM)
    #expect(terminal.finish() == 128 + SIGTERM)
    #expect(!String(decoding: try bytes, as: UTF8.self).contains("pin-"))
    let history = try String(contentsOf: terminal.historyFile, encoding: .utf8)
    #expect(history == ":path\n:log\n:explain\n")
  }

  @Test("An instance without a place comes back when its place does")
  func former() async throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(CrashingApp.manifest), encoding: .utf8)
    let manifest = try folder.write("app.yaml", text)
    let later = text.replacing("[faulty, other, another]", with: "[faulty, other]")
      .replacing("push: another, with: { fault: $.fault }", with: "do: ignore")
      .split(separator: "\n").filter { !$0.hasPrefix("  another:") }.joined(separator: "\n")
    try leave([
      ("@add", "Count 1"), ("@fault = open", "Another"), ("@add", "Count 1"), ("@add", "Count 2"),
    ])
    try Data(later.utf8).write(to: manifest)
    let plan = try await Program.appcore(["check", manifest.path, "--session", file])
    #expect(plan.status == 65, "\(plan.errors)")
    #expect(plan.output.contains("  another  dropped: the manifest has no node 'another'"))
    let json = try await Program.appcore(["check", manifest.path, "--session", file, "--json"])
    #expect(json.output.contains(#"{ "node": "faulty", "newNode": "faulty", "fate": "kept" }"#))

    let app = CrashingApp(
      try TypedTerminal(
        ["run", manifest.path, "--session", file, "--resume"], columns: 120, rows: 50))
    try app.terminal.wait("the session without it") {
      $0.text.contains("; 'another' does not come back: ") && $0.line == ">"
    }
    try app.type("@add", seeing: "Count 2")
    kill(app.terminal.child, SIGTERM)
    #expect(app.terminal.finish() == 128 + SIGTERM)

    try Data(text.utf8).write(to: manifest)
    let again = try await run(
      [":expect Count 2", ":back", ":expect Count 2"], ["--resume"], manifest: manifest.path)
    #expect(again.status == 0, "\(again.output) \(again.errors)")
    #expect(again.output.hasPrefix("── Faulty ── home › Faulty › Another ──"))
  }

  @Test("The manifest says whether it is kept, and where")
  func manifest() async throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(CrashingApp.manifest), encoding: .utf8)
    let manifest = try folder.write("app.yaml", text + "session: { keep: disk }\n")
    let terminal = try TypedTerminal(
      ["run", manifest.path],
      environment: ["XDG_STATE_HOME": folder.url.path])
    try terminal.wait("the first prompt") { $0.line == ">" }
    kill(terminal.child, SIGTERM)
    #expect(terminal.finish() == 128 + SIGTERM)
    let sessions = folder.url.appendingPathComponent("appcore/sessions").path
    let names = try FileManager.default.contentsOfDirectory(atPath: sessions)
    #expect(names.count == 1 && names.first?.hasPrefix("crashes-") == true, "\(names)")

    try Data((text + "session: { keep: none }\n").utf8).write(to: manifest)
    let none = try TypedTerminal(["run", manifest.path], columns: 120)
    try none.wait("the first prompt") { $0.line == ">" }
    none.type("@fault = reduce trap\r")
    #expect(![0, -1].contains(none.finish()))
    #expect(none.model.text.contains("appcore: MockFaults.Faulty crashed in reduce(into:action:)"))
    #expect(none.modes == none.modesBefore)

    let nothing = try await Program.appcore(["run", CrashingApp.manifest, "--resume"])
    #expect(nothing.status == 65)
    #expect(nothing.errors.contains("'--resume' needs a session that is kept"))
  }

  @Test(
    "A plugin that crashes while its state is read is suspended, and the app is there",
    arguments: ["trap", "kill"])
  func decoding(_ fault: String) throws {
    try leave([("@add", "Count 1"), ("@fault = decode \(fault)", "Count 1")])
    let app = CrashingApp(
      try TypedTerminal(
        ["run", CrashingApp.manifest, "--session", file, "--resume"], columns: 120, rows: 50,
        environment: CrashingApp.environment))
    let told = try app.restored(seeing: "it crashed while the app was being restored.")
    #expect(told.hasPrefix("! MockFaults.Faulty crashed in State.init(from:) ("), "\(told)")
    try app.type(":path", seeing: "/home")
    // It is kept where it was.
    let kept = try bytes
    #expect(String(decoding: kept, as: UTF8.self).contains("decode \(fault)"))
    #expect(app.quit() == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("A link to the file is followed, and stays when the session is over")
  func link() throws {
    let link = folder.url.appendingPathComponent("linked.session").path
    try Data().write(to: URL(filePath: file))
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: file)
    let app = try CrashingApp(["--session", link])
    try app.type("@add", seeing: "Count 1")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == file)
    // It is written shortly after the screen is shown.
    for _ in 0..<3000 where try Data(contentsOf: URL(filePath: file)).isEmpty { usleep(20_000) }
    #expect(try !Data(contentsOf: URL(filePath: file)).isEmpty)
    #expect(app.quit() == 0)
    #expect(!FileManager.default.fileExists(atPath: file))
  }

  @Test("A plugin that is suspended is called again by :resume")
  func resume() throws {
    let app = try CrashingApp()
    try app.type("@add", seeing: "Count 1")
    try app.type(":resume MockFaults", seeing: "'MockFaults' is not suspended")
    try app.type(":resume MockFault", seeing: "did you mean 'MockFaults'?")
    _ = try app.crash("@fault = reduce trap", seeing: "Count 1")
    _ = try app.crash("@fault = reduce trap", seeing: "is suspended")
    try app.type(":resume MockFaults", seeing: "Count 1")
    #expect(app.quit() == 0)
  }
}
