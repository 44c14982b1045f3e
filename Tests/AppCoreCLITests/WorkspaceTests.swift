import Foundation
import TestSupport
import Testing

/// An app's folder, from `appcore new` on.
@Suite("A workspace", .ownThread)
struct WorkspaceTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func appcore(
    _ arguments: String..., in subfolder: String = "", more: [String] = []
  ) async throws -> ProgramResult {
    try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, arguments + more,
      environment: ["XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path],
      folder: folder.url.appendingPathComponent(subfolder))
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("A new app names no folder of the machine, checks without a warning, and runs its script")
  func new() async throws {
    let made = try await appcore("new", "price-list")
    #expect(made.status == 0, "\(made.errors)")
    #expect(
      made.errors == "next: cd price-list; appcore test; appcore run --watch app.yaml\n")
    #expect(
      made.lines.map { $0.replacing("price-list/", with: "") } == [
        "README.md", "app.yaml", "Plugins/PriceList/Package.swift",
        "Plugins/PriceList/Sources/PriceList/PriceListPlugin.swift",
        "Plugins/PriceList/Sources/PriceList/Counter.swift",
        "Plugins/PriceList/Tests/PriceListTests/CounterTests.swift", "tests/smoke.script",
        "schema/appcore-1.json", ".gitignore", ".gitattributes",
      ])
    for path in made.lines {
      let text = try text(path)
      for place in [folder.path, packageFolder.path, buildFolder.path] {
        #expect(!text.contains(place), "\(path) names \(place)")
      }
    }
    let check = try await appcore("check", "app.yaml", in: "price-list")
    #expect(check.output + check.errors == "app.yaml: no problems\n")
    let run = try await appcore(
      "run", "app.yaml", "--script", "tests/smoke.script", in: "price-list")
    #expect(run.status == 0, "\(run.output)")
    // As the merging of locks is tested.
    #expect(try text("price-list/.gitattributes").contains("\nappcore.lock merge=union -text\n"))
  }

  @Test(
    "What can't be an app is refused with the remedy, and nothing is made",
    arguments: [
      ("Console", 64, "'Console' can't be the name of an app: it becomes a program's and"),
      (
        "2fast", 64,
        "use 2 to 64 lowercase letters, digits and '-', beginning with a letter and not"
      ),
      ("a", 64, "can't be the name of an app"), ("app-", 64, "can't be the name of an app"),
      ("../up", 64, "can't be the name of an app"), ("", 64, "can't be the name of an app"),
      ("taken", 64, "'taken' exists, and is left as it is; remove it, or name another folder"),
      ("there", 64, "'there' exists"),
    ])
  func refusals(name: String, status: Int, message: String) async throws {
    try folder.write("taken/mine", "mine")
    try FileManager.default.createSymbolicLink(
      atPath: folder.url.appendingPathComponent("there").path, withDestinationPath: "nowhere")
    let made = try await appcore("new", name)
    #expect(made.status == status)
    #expect(made.output.isEmpty)
    #expect(made.errors.hasPrefix("appcore: ") && made.errors.contains(message), "\(made.errors)")
    let all = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(Set(all) == ["taken", "taken/mine", "there"])
  }

  @Test("An empty folder is used; a plugin is not given the name of a module")
  func emptyFolder() async throws {
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("shell"), withIntermediateDirectories: true)
    let made = try await appcore("new", "shell")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try text("shell/app.yaml").contains("Plugins/ShellApp"))
    let missing = try await appcore("new", "console", "--into", "there")
    #expect(missing.status == 66)
    #expect(
      missing.errors
        == "appcore: there is no folder 'there'; make it, or name another one with --into\n")
  }

  @Test("A folder without a manifest, or with several, is reported with what to name")
  func manifests() async throws {
    let none = try await appcore("build")
    #expect(none.status == 66)
    #expect(
      none.errors
        == "appcore: this folder has no manifest of an app; name one, or create an app with "
        + "`appcore new console`\n")
    let app = "appcore: 1\nname: x\nplugins: [Dialogs]\nstart: ask\n"
    try folder.write("a.yaml", app)
    // Parts, and what is not a manifest, do not count.
    try folder.write("part.yaml", "appcore: 1\nnodes: {}\n")
    try folder.write("other.yaml", "start: 5\n")
    try folder.write("b.yml", app)
    let several = try await appcore("test")
    #expect(several.status == 64)
    #expect(
      several.errors
        == "appcore: this folder has 2 manifests: a.yaml, b.yml; name the one that is meant\n")
    let missing = try await appcore("build", "c.yaml")
    #expect(missing.status == 66)
    #expect(missing.errors.hasPrefix("appcore: can't read 'c.yaml': No such file"))
  }

  @Test("A manifest with errors is reported as by `check`, and nothing is compiled")
  func errors() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let manifest = try text("console/app.yaml")
    try folder.write(
      "console/app.yaml", manifest.replacing("start: counter", with: "start: coutner"))
    let build = try await appcore("build", in: "console")
    #expect(build.status == 65)
    #expect(build.output.isEmpty)
    #expect(build.errors.contains("app.yaml:10:8: error: unknown node 'coutner'"))
    #expect(
      !FileManager.default.fileExists(atPath: folder.path + "/console/Plugins/Console/.build"))
  }

  @Test("A variable without a value keeps nothing from being built: nothing is run")
  func unsetVariables() async throws {
    try folder.write(
      "app.yaml",
      """
      appcore: 1
      name: asking
      vars: { question: { env: THE_QUESTION } }
      plugins: [Dialogs]
      start: ask
      nodes: { ask: { feature: Dialogs.Confirm, with: { question: $vars.question } } }
      routes: [ { from: ask, action: [confirmed, declined], do: ignore } ]
      """)
    let build = try await appcore("build")
    #expect(build.status == 0, "\(build.errors)")
    let check = try await appcore("check", "app.yaml")
    #expect(check.status == 65 && check.output.contains("[unset-variable]"), "\(check.output)")
    let run = try await appcore("run", "app.yaml", "-c", ":path")
    #expect(run.status == 65 && run.errors.contains("[unset-variable]"), "\(run.errors)")
  }

  @Test("The folder of a plugin that is missing is named, with what to do")
  func missingFolder() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let manifest = try text("console/app.yaml")
    try folder.write(
      "console/app.yaml",
      manifest.replacing("{ path: Plugins/Console }", with: "{ path: Plugins/Consol }"))
    for command in ["build", "bundle"] {
      let result = try await appcore(
        command, in: "console", more: command == "bundle" ? ["-o", "../out"] : [])
      #expect(result.status == 66, "\(command)")
      #expect(result.output.isEmpty)
      #expect(
        result.errors.hasPrefix(
          "Plugins/Consol: error: plugin not built: there is no such folder [plugin-no-sources]\n"),
        "\(result.errors)")
      #expect(result.errors.contains("help: "))
    }
  }

  @Test("A bundle that can't be at its place is refused before anything is compiled")
  func bundlePlace() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let made = try await appcore("bundle", in: "console", more: ["-o", "console.zip"])
    #expect(made.status == 64 && made.errors.contains("[bundle-archive-form]"), "\(made.errors)")
    let unowned = try await appcore(
      "bundle", in: "console", more: ["-o", "console.deb", "--maintainer", "Ada"])
    #expect(unowned.errors.contains("[bundle-no-maintainer]"), "\(unowned.errors)")
    let manifest = try text("console/app.yaml")
    try folder.write("console/app.yaml", manifest.replacing("version: 0.1.0\n", with: ""))
    let unversioned = try await appcore("bundle", in: "console", more: ["-o", "console.deb"])
    #expect(unversioned.errors.contains("[bundle-no-version]"), "\(unversioned.errors)")
    #expect(
      !FileManager.default.fileExists(atPath: folder.path + "/console/Plugins/Console/.build"))
  }

  @Test("A report that can't be written is refused before anything is tested")
  func unwritableReport() async throws {
    #expect(try await appcore("new", "console").status == 0)
    for place in ["missing/results.xml", "Plugins"] {
      let result = try await appcore("test", in: "console", more: ["--junit", place])
      #expect(result.status == 73)
      #expect(result.output.isEmpty)
      #expect(
        result.errors.hasPrefix("appcore: can't write the results to '\(place)': "),
        "\(result.errors)")
    }
    #expect(try await appcore("test", in: "console", more: ["--junit", ""]).status == 64)
    #expect(
      !FileManager.default.fileExists(atPath: folder.path + "/console/Plugins/Console/.build"))
  }

  @Test("A plugin that is made in an app's folder is in its manifest, and both are built")
  func plugins() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let manifest = try text("console/app.yaml")
    let made = try await appcore("plugin", "new", "Greeter", in: "console")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.lines.first == "Plugins/Greeter/Package.swift")
    #expect(
      try text("console/app.yaml")
        == manifest.replacing(
          "  - Dialogs\n", with: "  - Dialogs\n  - { path: Plugins/Greeter }\n"))
    let build = try await appcore("build", in: "console")
    #expect(build.status == 0, "\(build.errors)")
    #expect(build.errors.isEmpty)
    #expect(
      build.lines
        == ["Console", "Greeter"].map { "Plugins/\($0)/.build/appcore/debug/lib\($0).so" })
    // What has not changed needs no compiler.
    let again = try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, ["build", "console"],
      environment: ["PATH": "/nowhere"], folder: folder.url)
    #expect(again.status == 0, "\(again.errors)")
    try folder.write("console/Plugins/Greeter/Sources/Greeter/Counter.swift", "struct Counter {")
    let broken = try await appcore("build", in: "console")
    #expect(broken.status == 65)
    #expect(broken.lines == ["Plugins/Console/.build/appcore/debug/libConsole.so"])
    #expect(broken.errors.contains("Plugins/Greeter/Sources/Greeter/Counter.swift:1:"))
  }

  @Test("A plugin is made for the only app in the folder, whatever its manifest is called")
  func onlyManifest() async throws {
    try folder.write(
      "shop.yaml",
      "appcore: 1\nname: shop\nplugins:\n  - Dialogs\nstart: ask\nnodes:\n"
        + "  ask: { feature: Dialogs.Confirm }\n")
    let made = try await appcore("plugin", "new", "Greeter")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.lines.first == "Plugins/Greeter/Package.swift")
    #expect(try text("shop.yaml").contains("  - Dialogs\n  - { path: Plugins/Greeter }\n"))
    #expect(made.errors.hasPrefix("next: give it a node in shop.yaml, "), "\(made.errors)")
  }

  @Test("A plugin is taken out of the manifest, and its sources stay")
  func removal() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let manifest = try text("console/app.yaml")
    #expect(try await appcore("plugin", "new", "Greeter", in: "console").status == 0)
    let gone = try await appcore("plugin", "remove", "Greeter", in: "console")
    #expect(gone.status == 0, "\(gone.errors)")
    #expect(
      gone.errors.hasPrefix("app.yaml: removed Greeter\nnext: remove its nodes"), "\(gone.errors)")
    #expect(try text("console/app.yaml") == manifest)
    #expect(try text("console/Plugins/Greeter/Package.swift").contains("Greeter"))
    let unknown = try await appcore("plugin", "remove", "Consol", in: "console")
    #expect(unknown.status == 65)
    #expect(
      unknown.errors == "appcore: app.yaml lists no plugin 'Consol'; did you mean 'Console'?\n")
    try folder.write(
      "console/app.yaml",
      manifest.replacing("  - Dialogs\n", with: "  - name: Dialogs\n    load: eager\n"))
    #expect(try await appcore("plugin", "remove", "Dialogs", in: "console").status == 0)
    #expect(try text("console/app.yaml") == manifest.replacing("  - Dialogs\n", with: ""))
    let flow =
      "appcore: 1\nname: x\nplugins: [Dialogs]\nstart: a\nnodes:\n  a: { feature: Dialogs.Confirm }\n"
    try folder.write("console/app.yaml", flow)
    let byHand = try await appcore("plugin", "remove", "Dialogs", in: "console")
    #expect(byHand.status == 65)
    #expect(
      byHand.errors == "appcore: can't edit app.yaml: remove 'Dialogs' from `plugins:` by hand\n")
    #expect(try text("console/app.yaml") == flow)
  }

  @Test("The plugin of a new app is called as asked")
  func namedPlugin() async throws {
    let made = try await appcore("new", "price-list", "--plugin", "Prices")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.lines.contains("price-list/Plugins/Prices/Sources/Prices/PricesPlugin.swift"))
    #expect(try text("price-list/app.yaml").contains("feature: Prices.Counter"))
    let taken = try await appcore("new", "list", "--plugin", "Swift")
    #expect(taken.status == 64)
    #expect(taken.errors.contains("'Swift'"), "\(taken.errors)")
  }

  @Test("Every command finds the manifest of the folder, and takes a folder")
  func found() async throws {
    let manifest =
      "appcore: 1\nname: asking\nplugins: [Dialogs]\nstart: ask\nnodes:\n  ask: { feature: Dialogs.Confirm }\n"
      + "routes:\n  - { from: ask, action: [confirmed, declined], do: ignore }\n"
    try folder.write("asking/asking.yaml", manifest)
    try folder.write("empty/nothing.txt", "")
    let commands = [
      ["run", "-c", ":path"], ["check"], ["graph"], ["lock"], ["build"],
      ["sign", "--key", "nowhere"], ["test"], ["bundle", "--with-runtime", "no", "-o", "../out"],
    ]
    for command in commands {
      let here = try await run(command, in: "asking")
      let given = try await run(
        [command[0], "asking"] + command.dropFirst().map { $0 == "../out" ? "out2" : $0 }, in: "")
      let status: Int32 = command[0] == "sign" ? 65 : 0
      #expect(here.status == status, "\(command): \(here.output)\(here.errors)")
      #expect(given.status == status, "\(command): \(given.output)\(given.errors)")
      let none = try await run(command, in: "empty")
      #expect(none.status == 66, "\(command): \(none.errors)")
      #expect(
        none.errors.hasPrefix(
          "appcore: this folder has no manifest of an app; name one, or create"),
        "\(command): \(none.errors)")
    }
  }

  private func run(_ arguments: [String], in subfolder: String) async throws -> ProgramResult {
    try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, arguments,
      environment: ["XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path],
      folder: folder.url.appendingPathComponent(subfolder))
  }

  @Test("What is tested is said at once, into a pipe too; an empty folder of tests has none")
  func progress() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let tests = folder.path + "/console/Plugins/Console/Tests/ConsoleTests"
    try FileManager.default.removeItem(atPath: tests + "/CounterTests.swift")
    let result = try await appcore("test", in: "console")
    #expect(result.status == 0, "\(result.output)\(result.errors)")
    #expect(
      result.errors
        == "appcore: testing app.yaml …\nappcore: testing tests/smoke.script …\n")
    #expect(result.output.hasSuffix("2 tests passed\n"))
  }

  @Test("A list of plugins that can't be edited line by line is left as it is")
  func flowList() async throws {
    let manifest =
      "appcore: 1\nname: x\nplugins: [Dialogs]\nstart: ask\nnodes:\n  ask: { feature: Dialogs.Confirm }\n"
    try folder.write("app.yaml", manifest)
    let made = try await appcore("plugin", "new", "Greeter")
    #expect(made.status == 0)
    #expect(
      made.errors.hasPrefix(
        "add to `plugins:` of app.yaml:\n  - { path: Plugins/Greeter }\nnext: "), "\(made.errors)")
    #expect(try text("app.yaml") == manifest)
    let elsewhere = try await appcore("plugin", "new", "Other", "--into", ".")
    #expect(
      elsewhere.lines.contains("Other/other.yaml") || elsewhere.lines.contains("./Other/other.yaml")
    )
  }

  @Test("All tests of an app are run, and the report is XML whatever they say", .long)
  func test() async throws {
    #expect(try await appcore("new", "console").status == 0)
    let passed = try await appcore("test", "--junit", "results.xml", in: "console")
    #expect(passed.status == 0, "\(passed.output)\(passed.errors)")
    #expect(
      passed.output == """
        check app.yaml: passed
        plugin Console: 2 tests passed
        script tests/smoke.script: passed
        4 tests passed

        """)
    #expect(try await junit("console/results.xml") == "4 0\n")

    let tests = "console/Plugins/Console/Tests/ConsoleTests/CounterTests.swift"
    try folder.write(
      tests,
      try text(tests).replacing(
        "@Test(\"It counts",
        with: """
          @Test("A <test> that \\"fails\\" & ends ]]>")
            func fails() { #expect(1 + 1 == 3, "\\u{1}<b> & ]]>") }

            @Test("It counts
          """))
    try folder.write("console/tests/wrong.script", ":expect <never> & \"not\"\n")
    let failed = try await appcore("test", "--junit", "results.xml", in: "console")
    #expect(failed.status == 65)
    #expect(failed.output.contains("plugin Console: 1 of 3 tests failed\n"), "\(failed.output)")
    #expect(failed.output.contains("ConsoleTests/CounterTests.swift:"))
    #expect(failed.output.contains("script tests/wrong.script: failed\n"))
    #expect(failed.output.hasSuffix("2 of 6 tests failed\n"))
    #expect(try await junit("console/results.xml") == "6 2\n")
    try FileManager.default.removeItem(atPath: folder.path + "/console/tests/wrong.script")

    try folder.write(tests, try text(tests).replacing("#expect(1 + 1 == 3", with: "fatalError("))
    try folder.write(tests, try text(tests).replacing("fatalError(, ", with: "fatalError("))
    let crashed = try await appcore("test", in: "console")
    #expect(crashed.status == 65)
    #expect(crashed.output.contains("the tests' process ended in this test"), "\(crashed.output)")

    try folder.write(tests, "import Nothing\n")
    let broken = try await appcore("test", in: "console")
    #expect(broken.status == 65)
    #expect(broken.output.contains("no such module 'Nothing'"), "\(broken.output)")

    // However much is printed after the reason.
    try folder.write(
      "console/Plugins/Console/Package.swift",
      """
      // swift-tools-version: 6.2
      import PackageDescription
      let package = Package(name: "Console")
      fatalError("the reason")
      """)
    let package = try await appcore("test", in: "console")
    #expect(package.status == 65)
    #expect(package.output.contains("Fatal error: the reason"), "\(package.output)")
    #expect(!package.output.contains("rflags"), "\(package.output)")
  }

  @Test("A script has its own settings and data, and a set-up, so that it runs twice")
  func scripts() async throws {
    let manifest = """
      appcore: 1
      name: totals
      vars: { data: { default: "{$dir}/data" } }
      plugins: [ { name: SharingStudies, with: { file: "{$vars.data}/totals.json" } } ]
      start: home
      nodes:
        home: { tabs: [storage, settings] }
        storage: { feature: SharingStudies.FileStorage }
        settings: { feature: SharingStudies.Settings }
      """
    try folder.write("app.yaml", manifest)
    try folder.write("tests/vars", "# For all scripts.\ndata=~/data\n")
    try folder.write(
      "tests/home/data/totals.json", #"{"count": 5, "changes": 5, "lowest": 0, "highest": 5}"#)
    try folder.write(
      "tests/a.script", ":expect after 5 changes\n@increment\n@save\n:expect Saved.\n")
    try folder.write("tests/b.script", "@increment\n:expect after 10 changes\n:path\n")
    try folder.write(
      "tests/b.home/data/totals.json", #"{"count": 9, "changes": 9, "lowest": 0, "highest": 9}"#)
    try folder.write("tests/c.script", ":expect after 0 changes\n@increment\n@save\n")
    try folder.write("tests/c.vars", "data=~/none\n")
    let home = folder.url.appendingPathComponent("home").path
    for _ in 1...2 {
      let result = try await Program.run(
        buildFolder.appendingPathComponent("appcore").path, ["test"],
        environment: [
          "HOME": home, "XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path,
          "XDG_CONFIG_HOME": home + "/config", "XDG_DATA_HOME": home + "/data",
          "XDG_STATE_HOME": home + "/state", "TMPDIR": folder.path,
        ], folder: folder.url)
      #expect(result.status == 0, "\(result.output)\(result.errors)")
      #expect(result.output.hasSuffix("4 tests passed\n"), "\(result.output)")
      let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { !$0.hasPrefix("cache") && !$0.hasPrefix("tests") }
      #expect(left == ["app.yaml"], "\(left)")
    }
  }

  /// The number of test cases and of failures in a report, as an XML parser sees them.
  private func junit(_ path: String) async throws -> String {
    let script = """
      import sys, xml.etree.ElementTree as tree
      root = tree.parse(sys.argv[1]).getroot()
      print(len(root.findall('.//testcase')), len(root.findall('.//failure')))
      assert int(root.get('tests')) == len(root.findall('.//testcase'))
      assert int(root.get('failures')) == len(root.findall('.//failure'))
      """
    let run = try await Program.run(
      "/usr/bin/env", ["python3", "-c", script, folder.url.appendingPathComponent(path).path])
    return run.output + run.errors
  }
}
