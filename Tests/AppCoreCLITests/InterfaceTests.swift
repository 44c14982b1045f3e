import Foundation
import TestSupport
import Testing

@Suite("appcore interface")
struct InterfaceTests {
  /// A folder with the interfaces of plugins that ship, as JSON.
  private final class Interfaces {
    let folder: TemporaryFolder

    init(_ plugins: String...) async throws {
      folder = try TemporaryFolder()
      for plugin in plugins {
        let result = try await Program.appcore(["interface", plugin, "--json"])
        #expect(result.status == 0, "\(result.errors)")
        try result.output.write(to: url(plugin), atomically: true, encoding: .utf8)
      }
    }

    func url(_ plugin: String) -> URL { folder.url.appendingPathComponent("\(plugin).json") }
    func path(_ plugin: String) -> String { url(plugin).path }

    /// Writes a manifest that shows the dialog of `Dialogs`.
    func manifest(_ plugin: String, routing actions: String) throws -> String {
      try folder.write(
        "app.yaml",
        """
        appcore: 1
        plugins: [\(plugin)]
        start: ask
        nodes: { ask: { feature: Dialogs.Confirm } }
        routes: [{ from: ask, action: \(actions), do: ignore }]
        """
      ).path
    }

    /// Writes an interface with a text in it changed.
    func change(_ plugin: String, _ text: String, _ other: String) throws -> String {
      let json = try String(contentsOf: url(plugin), encoding: .utf8)
      #expect(json.contains(text))
      let file = folder.url.appendingPathComponent("\(plugin)-changed.json")
      try json.replacingOccurrences(of: text, with: other)
        .write(to: file, atomically: true, encoding: .utf8)
      return file.path
    }
  }

  @Test("An interface is the same wherever the file is, and the same as its JSON says")
  func stable() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let copy = interfaces.folder.url.appendingPathComponent("libDialogs.so")
    try FileManager.default.copyItem(
      at: buildFolder.appendingPathComponent("libDialogs.so"), to: copy)
    let texts = [
      try await Program.appcore(["interface", "Dialogs"]),
      try await Program.appcore(["interface", copy.path]),
      try await Program.appcore(["interface", interfaces.path("Dialogs")]),
    ]
    for text in texts {
      #expect(text.status == 0, "\(text.errors)")
      #expect(
        text.output == """
          plugin Dialogs 1.0.0
          feature Dialogs.Confirm
          Dialogs.Confirm argument no: string = "No"
          Dialogs.Confirm argument question: string = "Are you sure?"
          Dialogs.Confirm argument yes: string = "Yes"
          Dialogs.Confirm delegate confirmed
          Dialogs.Confirm delegate declined

          """)
    }
    let same = try await Program.appcore([
      "interface", "--compare", interfaces.path("Dialogs"), copy.path,
    ])
    #expect(same.status == 0)
    #expect(same.output.contains("  the interfaces are the same\n"))
  }

  @Test("What breaks is listed with the version that it asks for, and is status 65")
  func breaking() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let new = try interfaces.change("Dialogs", "\"declined\"", "\"refused\"")
    let result = try await Program.appcore([
      "interface", "--compare", interfaces.path("Dialogs"), new, "--manifest",
      "manifests/packages.yaml",
    ])
    #expect(result.status == 65)
    #expect(
      result.output == """
        Dialogs 1.0.0 → Dialogs 1.0.0
          breaking for routes that handle it: Dialogs.Confirm delegate declined is gone
          breaking for manifests that use 'Dialogs.Confirm' and have no route for it: Dialogs.Confirm delegate refused is new
        version: 2.0.0 or later (major), which 1.0.0 is not
        manifests/packages.yaml: 1 of 3 routes that may use 'Dialogs' breaks
          manifests/packages.yaml:19:5: fits: from detail, openRequested
          manifests/packages.yaml:20:5: fits: from confirmOpen, confirmed
          manifests/packages.yaml:21:5: breaks: from confirmOpen, declined
            manifests/packages.yaml:21:34: the feature 'Dialogs.Confirm' has no delegate action 'declined'; it has: 'confirmed', 'refused' [unknown-delegate]
          manifests/packages.yaml:15:27: no route for 'refused' of 'Dialogs.Confirm' at the node 'confirmOpen'; a route with 'do: ignore' says that nothing happens [unrouted-delegate]

        """)
    let json = try await Program.appcore([
      "interface", "--compare", interfaces.path("Dialogs"), new, "--json",
    ])
    #expect(json.status == 65)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    #expect(object["step"] as? String == "major" && object["suggested"] as? String == "2.0.0")
    #expect((object["differences"] as? [Any])?.count == 2)
  }

  @Test("What breaks others does not break an app that does not use it")
  func unharmed() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let new = try interfaces.change(
      "Dialogs", "\"No\" }",
      "\"No\" }, { \"name\": \"icon\", \"schema\": { \"type\": \"int\" }, \"default\": 1 }")
    let arguments = ["interface", "--compare", interfaces.path("Dialogs"), new]
    #expect(try await Program.appcore(arguments).status == 65)
    let app = try await Program.appcore(arguments + ["--manifest", "manifests/packages.yaml"])
    #expect(app.status == 0, "\(app.output)")
    #expect(app.output.contains("0 of 3 routes that may use 'Dialogs' break\n"))
    let other = try await Program.appcore(
      arguments + ["--manifest", "Tests/Fixtures/manifests/mocks/counter.yaml"])
    #expect(other.status == 0)
    #expect(other.output.hasSuffix("counter.yaml: does not use 'Dialogs'\n"))
  }

  @Test("A manifest with errors of its own is not taken for one that does not use the plugin")
  func unknown() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let new = try interfaces.change("Dialogs", "\"declined\"", "\"refused\"")
    for (name, text) in [
      ("cut", "appcore: 1\nplugins: [Dialogs"),
      ("lost", "appcore: 1\nplugins: [{ path: ./no.so }]"),
    ] {
      let manifest = interfaces.folder.url.appendingPathComponent("\(name).yaml")
      try text.write(to: manifest, atomically: true, encoding: .utf8)
      let result = try await Program.appcore([
        "interface", "--compare", interfaces.path("Dialogs"), new, "--manifest", manifest.path,
      ])
      #expect(result.status == 65)
      #expect(
        result.output.contains("\(name).yaml: can't be compared, because of its errors: "),
        "\(result.output)")
    }
  }

  @Test("What breaks is not hidden by an error of the same kind that was there before")
  func oneMore() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let manifest = try interfaces.manifest("Dialogs", routing: "confirmed")
    let declined = "{ \"name\": \"declined\", \"payload\": null }"
    let new = try interfaces.change(
      "Dialogs", declined, declined + ", { \"name\": \"later\", \"payload\": null }")
    let result = try await Program.appcore([
      "interface", "--compare", interfaces.path("Dialogs"), new, "--manifest", manifest,
    ])
    #expect(result.status == 65)
    #expect(result.output.contains("no route for 'later'"), "\(result.output)")
    #expect(!result.output.contains("no route for 'declined'"))
  }

  @Test("A mock stands in for a plugin that is given as a file of another name, too")
  func path() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let folder = interfaces.folder.url
    try FileManager.default.copyItem(
      at: buildFolder.appendingPathComponent("libDialogs.so"),
      to: folder.appendingPathComponent("dialogs-1.so"))
    let manifest = try interfaces.manifest(
      "{ path: ./dialogs-1.so }", routing: "[confirmed, declined]")
    let result = try await Program.appcore([
      "run", manifest, "--mock", "Dialogs=\(interfaces.path("Dialogs"))", "-c",
      ":expect Dialogs.Confirm · mock",
    ])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test("A version that the manifest does not ask for is listed")
  func version() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let manifest = try interfaces.manifest(
      #"{ name: Dialogs, version: "<2" }"#, routing: "[confirmed, declined]")
    let new = try interfaces.change("Dialogs", "\"1.0.0\"", "\"2.0.0\"")
    let result = try await Program.appcore([
      "interface", "--compare", interfaces.path("Dialogs"), new, "--manifest", manifest,
    ])
    #expect(result.status == 65)
    #expect(
      result.output.hasSuffix("app.yaml:2:37: the manifest asks for '<2', which 2.0.0 is not\n"),
      "\(result.output)")
  }

  @Test("Wrong arguments are usage errors, files that can't be read are named")
  func errors() async throws {
    for arguments in [
      ["--compare", "Dialogs"], ["Dialogs", "Notes"], ["Dialogs", "--manifest", "a.yaml"],
    ] {
      #expect(try await Program.appcore(["interface"] + arguments).status == 64, "\(arguments)")
    }
    let missing = try await Program.appcore(["interface", "nowhere.json"])
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("nowhere.json: error: can't read the interface: "))
    let plugin = try await Program.appcore(["interface", "Nowhere"])
    #expect(plugin.status == 69)
    #expect(plugin.errors.contains("[plugin-not-found]"))
    #expect(plugin.output.isEmpty)
  }

  @Test("A mock of a plugin is run by scripts and programs: it shows, emits and receives")
  func mock() async throws {
    let interfaces = try await Interfaces("Notes", "Session")
    let mocks = [
      "--mock", "Notes=\(interfaces.path("Notes"))", "--mock",
      "Session=\(interfaces.path("Session"))",
    ]
    let script = """
      @loggedIn-user ada
      @loggedIn
      @noteSelected-id 42
      @noteSelected
      @deleteRequested-title Milk
      @deleteRequested
      @yes
      :log
      :plugins

      """
    let result = try await Program.appcore(
      ["run", "manifests/notes.yaml"] + mocks, input: script,
      environment: ["COLUMNS": "200"])
    #expect(result.status == 0, "\(result.errors)")
    for text in [
      "Session.Login · mock", "Notes.Editor · mock", "id    42", "Delete 'Milk'?",
      "▪ Received\n  deleteConfirmed", "(mock of ",
      "MockCall(\"deleteRequested {\\\"title\\\": \\\"Milk\\\"}\")",
    ] {
      #expect(result.output.contains(text), "\(text) in:\n\(result.output)")
    }
    let json = try await Program.appcore(
      ["run", "manifests/notes.yaml", "--json"] + mocks, input: "@loggedIn\n")
    #expect(json.output.contains("\"title\":\"Notes.List · mock\""))
    for command in ["check", "graph"] {
      let result = try await Program.appcore([command, "manifests/notes.yaml"] + mocks)
      #expect(result.status == 0, "\(result.errors)")
    }
  }

  @Test("On a terminal a mock says that it is one, and its forms are filled in")
  func terminal() async throws {
    let interfaces = try await Interfaces("Session")
    let terminal = try TypedTerminal(
      buildFolder.appendingPathComponent("appcore").path,
      [
        "run", "manifests/notes.yaml", "--mock", "Session=\(interfaces.path("Session"))",
        "--no-supervise",
      ], environment: ["APPCORE_NOTES_FOLDER": interfaces.folder.url.path])
    try terminal.wait(for: "Session.Login · mock")
    terminal.type("@loggedIn-user ada\r")
    try terminal.wait(for: "user: ada")
    terminal.type("@loggedIn\r")
    try terminal.wait(for: "● Notes")
    terminal.type(":reload Session\r")
    try terminal.wait(for: "[plugin-linked]")
    terminal.type(":quit\r")
    #expect(terminal.finish() == 0)
  }

  @Test("A mock of nothing, of another plugin or of a damaged file is refused")
  func refusedMocks() async throws {
    let interfaces = try await Interfaces("Dialogs")
    func run(_ mock: String) async throws -> (status: Int32, errors: String) {
      let result = try await Program.appcore([
        "run", "manifests/packages.yaml", "-c", ":quit", "--mock", mock,
      ])
      return (result.status, result.errors)
    }
    #expect(try await run("Dialogs").status == 64)
    let unknown = try await run("Dialog=\(interfaces.path("Dialogs"))")
    #expect(unknown.status == 65)
    #expect(unknown.errors.contains("does not list the plugin 'Dialog'; did you mean 'Dialogs'?"))
    let other = try await run("Packages=\(interfaces.path("Dialogs"))")
    #expect(other.status == 69)
    #expect(other.errors.contains("code: interface-of-other"))
    #expect(try await run("Dialogs=/nowhere.json").errors.contains("code: interface-not-read"))
    let check = try await Program.appcore([
      "check", "manifests/packages.yaml", "--mock", "Dialog=\(interfaces.path("Dialogs"))",
    ])
    #expect(check.status == 66)
    #expect(check.errors.contains("did you mean 'Dialogs'?"))
  }

  @Test("A build of the same version with another interface is a warning, one of another is none")
  func otherBuilds() async throws {
    let interfaces = try await Interfaces("Dialogs")
    let folder = interfaces.folder.url
    let copy = folder.appendingPathComponent("libDialogs.so")
    try FileManager.default.copyItem(
      at: buildFolder.appendingPathComponent("libDialogs.so"), to: copy)
    func check(_ arguments: String...) async throws -> (status: Int32, output: String) {
      let result = try await Program.appcore(
        ["check", "manifests/packages.yaml", "--plugin-path", folder.path] + arguments)
      return (result.status, result.output)
    }
    // Two files, one interface.
    #expect(try await check().output.isEmpty)
    let changed = try interfaces.change("Dialogs", "\"Are you sure?\"", "\"Sure?\"")
    let warned = try await check("--mock", "Dialogs=\(changed)")
    #expect(warned.status == 0)
    #expect(
      warned.output.hasPrefix(
        "manifests/packages.yaml:10:5: warning: '\(copy.path)' is version 1.0.0 of 'Dialogs' too, "
          + "and has another interface, in which Dialogs.Confirm argument question has the default "
          + "\"Are you sure?\", was \"Sure?\" [builds-differ]\n"), "\(warned.output)")
    let ignored = try await check("--mock", "Dialogs=\(changed)", "--ignore", "builds-differ")
    #expect(ignored.output.isEmpty)
    let strict = try await check("--mock", "Dialogs=\(changed)", "--warnings-as-errors")
    #expect(strict.status == 65)
    let sarif = try await check("--mock", "Dialogs=\(changed)", "--format", "sarif")
    #expect(sarif.output.contains("\"ruleId\": \"builds-differ\""))
    let next = try String(contentsOfFile: changed, encoding: .utf8)
    try next.replacingOccurrences(of: "\"1.0.0\"", with: "\"1.1.0\"")
      .write(toFile: changed, atomically: true, encoding: .utf8)
    #expect(try await check("--mock", "Dialogs=\(changed)").output.isEmpty)
  }

  @Test("Names of plugins and files are completed")
  func completion() async throws {
    let result = try await Program.appcore([
      "__complete", "--", "run", "manifests/packages.yaml", "--mock", "",
    ])
    #expect(
      result.output.split(separator: "\n").map { $0.prefix { $0 != "\t" } } == [
        "Packages=", "Dialogs=",
      ])
    let file = try await Program.appcore([
      "__complete", "--", "run", "manifests/packages.yaml", "--mock", "Dialogs=schem",
    ])
    #expect(file.output == "Dialogs=schema/\n")
  }
}
