import Foundation
import TestSupport
import Testing

/// Hostile texts, by every way on which text comes into the program.
///
/// What takes text is found in the program itself: its commands, options, variables and the shell's
/// commands.
@Suite("Hostile texts, through the real program", .ownThread)
struct HostileTextTests {
  private static let manifest =
    packageFolder.appendingPathComponent("Tests/Fixtures/manifests/mocks/hostile.yaml").path
  private static let faults =
    packageFolder.appendingPathComponent("Tests/Fixtures/manifests/mocks/faults.yaml").path
  /// What can be an argument, or in a variable.
  private static let words = HostileText.all.filter { !$0.contains("\0") }
  /// What can be a line.
  private static let oneLine = words.filter { !$0.contains(where: \.isNewline) }
    .joined(separator: " ")
  private static let joined = words.joined(separator: " ")

  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(
    _ arguments: [String], input: String = "", _ environment: [String: String] = [:],
    in work: URL? = nil
  ) async throws -> ProgramResult {
    let texts = folder.url.appendingPathComponent("texts")
    try Data(HostileText.all.map { Array($0.utf8) }.joined(separator: [0xff])).write(to: texts)
    return try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, arguments, input: input,
      environment: [
        "APPCORE_MOCK_TEXTS": texts.path, "SWIFT_BACKTRACE": "enable=no",
        "XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path,
      ].merging(environment) { $1 }, folder: work ?? folder.url)
  }

  private func expectHarmless(
    _ result: ProgramResult, isColoured: Bool = false, isJSON: Bool = false,
    canHavePrompts: Bool = false, _ what: String,
    location: SourceLocation = #_sourceLocation
  ) {
    for (text, isOutput) in [(result.output, true), (result.errors, false)] {
      let plain = text.replacing("\t", with: "")
      let harm = HostileText.harm(of: plain, isColoured: isColoured)
      // JSON keeps marks, which are text.
      if isJSON, isOutput, harm?.hasSuffix(" marks") == true { continue }
      #expect(
        harm == nil, "\(what): \(plain.prefix(4000).debugDescription)", sourceLocation: location)
    }
    let prompts = result.errors.split(separator: "\n").filter { $0.hasPrefix("> ") }
    #expect(canHavePrompts || prompts.isEmpty, "\(what) shows a prompt", sourceLocation: location)
  }

  /// All that a feature can say, and what a person asks the shell for meanwhile.
  private static let lines = [
    ":page 2", ":page 3", ":next", ":state", ":log", ":plugins", ":path --full", ":graph", ":help",
    "@fail", ":sleep 0.2", "@print", "@leave", ":explain", ":log",
  ]

  @Test("Hostile output of a feature is harmless as text, linear, and in colour")
  func feature() async throws {
    let input = Self.lines.map { $0 + "\n" }.joined()
    let plain = try await run(["run", Self.manifest], input: input)
    expectHarmless(plain, "text")
    #expect(plain.status == 0, "\(plain.errors)")
    #expect(plain.errors.contains("An effect threw an error that nobody handles"))
    #expect(plain.errors.contains("plugin 'MockRude' printed: "))
    expectHarmless(try await run(["run", Self.manifest, "--plain"], input: input), "linear")
    expectHarmless(try await run(["run", Self.manifest, "--verbose"], input: input), "verbose")
    let coloured = try await run(
      ["run", Self.manifest], input: input, ["NO_COLOR": "", "CLICOLOR_FORCE": "1"])
    #expect(coloured.output.contains("\u{1b}[1m"))
    expectHarmless(coloured, isColoured: true, "coloured")
  }

  @Test("Hostile output of a feature is harmless as JSON, in every kind of element")
  func json() async throws {
    let result = try await run(
      ["run", Self.manifest, "--json"], input: Self.lines.map { $0 + "\n" }.joined())
    expectHarmless(result, isJSON: true, "JSON")
    var kinds: Set<String> = []
    for line in result.output.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
      let elements = (object as? [String: Any])?["elements"] as? [[String: Any]] ?? []
      kinds.formUnion(elements.compactMap { $0["kind"] as? String })
    }
    let source = try String(
      contentsOf: packageFolder.appendingPathComponent(
        "Sources/SDK/AppCore/Screens/ScreenContent.swift"), encoding: .utf8)
    let declared = try #require(
      source.firstMatch(of: #/indirect enum ScreenElement \{(?<cases>[^}]*)\}/#)?.output.cases)
    let cases = declared.matches(of: #/case (\w+)/#).map { String($0.1) }.filter { $0 != "control" }
    #expect(cases.count > 8)
    for element in cases {
      #expect(kinds.contains(element), "no '\(element)' of \(kinds.sorted())")
    }
  }

  @Test("On a terminal none of them reaches it")
  func terminal() throws {
    let texts = folder.url.appendingPathComponent("texts")
    try Data(HostileText.all.map { Array($0.utf8) }.joined(separator: [0xff])).write(to: texts)
    let terminal = try TypedTerminal(
      ["run", Self.manifest],
      columns: 100, rows: 40, environment: ["APPCORE_MOCK_TEXTS": texts.path])
    try terminal.wait { $0.line.hasSuffix(">") }
    for line in ["@fail", "@print", ":log", ":state"] {
      terminal.type(line + "\r")
      terminal.read(for: 200)
      try terminal.wait { $0.line.hasSuffix(">") }
    }
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
    // What the program draws with: rows, the cursor, colours, and the marking of pastes.
    let drawn = String(
      String.UnicodeScalarView(
        terminal.received.unicodeScalars.filter { $0 != "\r" && $0 != "\t" })
    ).replacing(
      #/\x1b\[(\d*;?\d*[ABCDGHJK]|[0-9;]*m|\?2004[hl]|\?25[hl]|\?2026[hl])/#, with: ""
    )
    #expect(HostileText.harm(of: drawn) == nil, "\(drawn.prefix(4000).debugDescription)")
  }

  @Test("An error thrown by a feature's creation and the action named by a crash are harmless")
  func failures() async throws {
    expectHarmless(
      try await run(["run", Self.manifest], ["APPCORE_MOCK_FAILS": "1"]), "initialState")
    let named = try await run(["run", Self.manifest], input: "@text \(Self.oneLine)\n@end\n")
    expectHarmless(named, "the end")
    #expect(named.wasSignalled)
  }

  private func run(_ arguments: [String], _ environment: [String: String]) async throws
    -> ProgramResult
  {
    try await run(arguments, input: "", environment)
  }

  @Test("Every command and option of the command line")
  func arguments() async throws {
    // Some commands write files: beside the manifest, and where the options say.
    let work = folder.url.appendingPathComponent("work")
    try FileManager.default.createDirectory(at: work, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: Self.manifest),
      to: work.appendingPathComponent("hostile.yaml"))
    func run(_ arguments: [String]) async throws -> ProgramResult {
      try await self.run(arguments, in: work)
    }
    let overview = try await run(["--help"]).output
    let section = try #require(overview.split(separator: "SUBCOMMANDS:").last)
    let commands = section.matches(of: #/\n  (?<name>[a-z]+) /#).map { String($0.output.name) }
      .filter { $0 != "help" }
    #expect(commands.count >= 6)
    for command in commands {
      expectHarmless(try await run([command, Self.joined]), command)
      let help = try await run([command, "--help"]).output
      for option in Set(help.matches(of: #/--[a-z-]+(?= <)/#).map { String($0.output) }) {
        expectHarmless(
          try await run([command, "hostile.yaml", option, Self.joined]), "\(command) \(option)")
        guard runsAllTests else { continue }
        expectHarmless(
          try await run([command, "hostile.yaml", option, "x=\(Self.joined)"]),
          "\(command) \(option) x=")
      }
    }
    expectHarmless(try await run([Self.joined]), "a command")
  }

  @Test("Every variable of the environment that the host reads")
  func variables() async throws {
    let sources = packageFolder.appendingPathComponent("Sources")
    let files = try #require(FileManager.default.enumerator(atPath: sources.path))
      .compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }
    var names: Set = ["HOME", "PATH", "TMPDIR", "COLUMNS", "TERM", "LD_LIBRARY_PATH"]
    for file in files {
      let text = try String(contentsOfFile: sources.path + "/" + file, encoding: .utf8)
      names.formUnion(text.matches(of: #/"((APPCORE|XDG)_[A-Z_]+)"/#).map { String($0.output.1) })
    }
    #expect(names.count > 12, "\(names)")
    for name in names.sorted() {
      let values = [Self.joined, "/" + Self.joined, "/nowhere:" + Self.joined]
      for value in values.sample(every: values.count) {
        expectHarmless(
          try await run(
            ["run", Self.manifest, "--rescan", "-c", ":plugins", "-c", ":history"], [name: value]),
          name)
      }
    }
  }

  @Test("Every command of the shell, and lines that are none")
  func typed() async throws {
    let help = try await run(["run", Self.manifest, "-c", ":help"]).output
    let commands = Set(help.matches(of: #/\n {2,4}(:[a-z-]+)/#).map { String($0.output.1) })
      .subtracting([":quit", ":wait", ":sleep"])
    #expect(commands.count > 15, "\(commands)")
    let texts = Self.words.flatMap { text in
      [text, "@\(text)", "@text \(text)", "1 = \(text)", "\(text) = x"]
        + commands.map { "\($0) \(text)" }
    }
    let result = try await run(
      ["run", Self.manifest, "--json"], input: texts.joined(separator: "\n") + "\n")
    expectHarmless(result, isJSON: true, "lines")
    // A refusal ends a script.
    for command in commands.sorted() {
      expectHarmless(
        try await run(["run", Self.manifest, "-c", "\(command) \(Self.joined)"]), command)
    }
    for text in Self.words.sample(every: 8) {
      expectHarmless(try await run(["run", Self.manifest], input: "x\(text)\n"), "a line")
    }
  }

  @Test("Every word of a manifest, as a value and as it stands in the file")
  func manifests() async throws {
    let source = try String(
      contentsOf: packageFolder.appendingPathComponent("manifests/notes.yaml"), encoding: .utf8)
    let code = source.split(separator: "\n").filter { !$0.hasPrefix("#") }.joined(separator: "\n")
    let joined = String(decoding: try JSONEncoder().encode(HostileText.all.joined()), as: UTF8.self)
    let words = code.matches(of: #/[A-Za-z$][\w.$~/]*/#).map(\.range)
    #expect(words.count > 100)
    for (number, range) in Array(words.enumerated()).sample(every: 8) {
      let text = code.replacingCharacters(in: range, with: joined)
      try folder.write("app.yaml", text)
      let path = folder.url.appendingPathComponent("app.yaml").path
      expectHarmless(try await run(["check", path]), "word \(number)")
      guard number % 8 == 0 else { continue }
      for format in ["json", "sarif"] {
        expectHarmless(
          try await run(["check", path, "--format", format]), isJSON: true,
          "word \(number), \(format)")
      }
      for format in ["text", "svg", "dot", "mermaid", "json"] {
        expectHarmless(
          try await run(["graph", path, "--format", format]), isJSON: format == "json", "a graph")
      }
    }
    for text in HostileText.all.sample(every: 8) {
      try folder.write("raw.yaml", "appcore: 1\nname: x\nstart: \(text) y\nnodes: { a: \(text) }\n")
      expectHarmless(
        try await run(["check", folder.url.appendingPathComponent("raw.yaml").path]), "an excerpt")
    }
  }

  @Test("The names of files, and what a library, a scan and a compiler say")
  func files() async throws {
    for text in Self.words.sample(every: 8) where !text.contains("/") && text.utf8.count < 200 {
      let name = "a\(text)"
      try folder.write(name + "/app.yaml", "appcore: 1\nplugins: [{ path: 'none.so' }, Nowhere]\n")
      let path = folder.url.appendingPathComponent(name + "/app.yaml").path
      for command in ["check", "run", "graph"] {
        expectHarmless(try await run([command, path]), "a path")
      }
      expectHarmless(try await run(["inspect", path]), "inspect")
      expectHarmless(try await run(["plugin", "build", folder.url.path + "/" + name]), "build")
    }
    let scan = try await run(
      ["check", "--rescan", Self.faults],
      ["APPCORE_MOCK_FAULT": "load:hostile"])
    expectHarmless(scan, "a scan")
    #expect((scan.output + scan.errors).contains("stderr: "), "\(scan)")
    try folder.write(
      "bin/swiftc",
      "#!/bin/sh\n[ $1 = --version ] && exec \"$REAL\" --version\n"
        + "cat \"$APPCORE_MOCK_TEXTS\" >&2\nexit 1\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755],
      ofItemAtPath: folder.url.appendingPathComponent("bin/swiftc").path)
    try folder.write("Lamps/Sources/Lamps/Lamps.swift", "@c(appcore_plugin_Lamps)\n")
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let real = try await Program.run("/usr/bin/env", ["sh", "-c", "command -v swiftc"]).output
    let built = try await run(
      ["plugin", "build", folder.url.appendingPathComponent("Lamps").path],
      [
        "PATH": folder.url.appendingPathComponent("bin").path + ":" + path,
        "REAL": real.trimmingCharacters(in: .newlines),
      ])
    // Its lines are its own.
    expectHarmless(built, canHavePrompts: true, "a compiler")
    #expect(built.status == 65, "\(built.errors)")
  }

  @Test(
    "Names of libraries, and of those they need, are harmless",
    .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/cc")))
  func libraries() async throws {
    let source = try folder.write("library.c", "int x;\n").path
    for text in Self.words.sample(every: 8) where text.utf8.count < 200 && !text.contains(",") {
      let name = "lib\(text).so".replacing("/", with: "")
      let library = folder.url.appendingPathComponent("needed.so").path
      let plugin = folder.url.appendingPathComponent("libBad.so").path
      let made = try await Program.run(
        "/bin/sh",
        [
          "-c",
          """
          cc -shared -o "$2" "$1" "-Wl,-soname,$4" &&
          cc -shared -o "$3" "$1" -Wl,--no-as-needed "$2" "-Wl,-rpath,/$4" "-Wl,-soname,$4"
          """, "sh", source, library, plugin, name,
        ])
      #expect(made.status == 0, "\(made.errors)")
      try folder.write("app.yaml", "appcore: 1\nname: x\nplugins: [{ path: \(plugin) }]\n")
      expectHarmless(try await run(["inspect", plugin]), "inspect")
      expectHarmless(
        try await run(["check", folder.url.appendingPathComponent("app.yaml").path]), "check")
    }
  }
}
