import AppCore
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("appcore plan", .ownThread)
struct PlanTests {
  let app: BundleFolder

  init() throws { app = try BundleFolder() }

  /// A bundle of the app with another manifest.
  private func make(_ target: String, _ manifest: String) async throws {
    try app.write("app/app.yaml", manifest)
    let made = try await app.bundle(target, ["--maintainer", "Ada L <ada@example.org>"])
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test("Two versions of an app are compared in each form, without running the plugins' code")
  func forms() async throws {
    let old = BundleFolder.manifest()
    let new =
      BundleFolder.manifest(version: "1.1.0")
      .replacing("Ready?", with: "Set?").replacing("do: ignore", with: "do: [ { replace: ask } ]")
      + "links:\n  - { path: ask, open: [ask] }\n"
    for form in ["", ".tar.gz", ".deb"] {
      try await make("old" + form, old)
      try await make("new" + form, new)
    }
    try app.write("old-app/app.yaml", old)
    let expected = """
      asking 1.0.0 → asking 1.1.0
        changed: node ask
          - { feature: Dialogs.Confirm, with: { question: "Ready?" } }
          + { feature: Dialogs.Confirm, with: { question: "Set?" } }
        changed: route from ask, confirmed, declined
          - { from: ask, action: [confirmed, declined], do: ignore }
          + { from: ask, action: [confirmed, declined], do: [{ replace: ask }] }
        added: link ask
      sessions: all continue

      """
    for (before, after) in [
      ("old", "new"), ("old.tar.gz", "new.deb"), ("old.deb", "new.tar.gz"), ("old-app", "new"),
      ("old-app/app.yaml", "new.deb"),
    ] {
      // The bundles' plugins are not looked at: no program could scan them.
      let plan = try await app.appcore(
        "plan", before, after,
        environment: before.hasPrefix("old-app") ? [:] : ["APPCORE_SCANNER": "/bin/false"])
      #expect(plan.output == expected, "\(before) \(after): \(plan.output)\(plan.errors)")
      #expect(plan.status == 0)
    }
    let same = try await app.appcore("plan", "old", "old.deb")
    #expect(
      same.output
        == "asking 1.0.0 → asking 1.0.0\n  nothing changes in the app\nsessions: all continue\n")
  }

  @Test("A session that loses a screen is a loss; a renamed node is not")
  func sessions() async throws {
    let old = BundleFolder.manifest().replacing(
      "nodes:\n", with: "nodes:\n  other: { feature: Dialogs.Confirm }\n"
    ).replacing("from: ask,", with: "from: [ask, other],")
    try await make("old", old)
    try await make(
      "renamed",
      old.replacing("  other: {", with: "  second: { was: other,")
        .replacing("[ask, other]", with: "[ask, second]"))
    try await make("gone", BundleFolder.manifest())
    let renamed = try await app.appcore("plan", "old", "renamed")
    #expect(renamed.status == 0)
    #expect(
      renamed.output.contains("  changed: node second\n    was 'other'\n"), "\(renamed.output)")
    #expect(renamed.output.hasSuffix("sessions: all continue\n  other: kept, as 'second'\n"))
    let gone = try await app.appcore("plan", "old", "gone", "--json")
    #expect(gone.status == 65)
    for (kinds, status) in [("lost", 65), ("unknown", 0), ("lost,unknown", 65)] as [(String, Int32)]
    {
      let plan = try await app.appcore("plan", "old", "gone", "--fail-on", kinds)
      #expect(plan.status == status, "\(kinds)")
    }
    let plan = try Value(json: gone.output)
    #expect(plan["sessions"]?["continue"] == .bool(false))
    #expect(
      plan["sessions"]?["nodes"]
        == .array([
          [
            "node": "other", "newNode": .null, "fate": "dropped",
            "reason":
              "the manifest has no node 'other'; where it was renamed, 'was: other' says so",
          ],
          ["node": "ask", "newNode": "ask", "fate": "kept", "reason": .null],
        ]))
  }

  /// The plan from a manifest to one with a change.
  private func plan(_ old: String, _ new: String) async throws -> ProgramResult {
    try app.write("old/app.yaml", old)
    try app.write("new/app.yaml", new)
    return try await app.appcore("plan", "old/app.yaml", "new/app.yaml")
  }

  @Test("A tab or a background instance that is gone is a loss, and so is a lower maxDepth")
  func places() async throws {
    let old = """
      appcore: 1
      name: asking
      plugins: [Dialogs]
      start: main
      background: [watch]
      nodes:
        main: { tabs: [one, two], background: [quiet] }
        one: { feature: Dialogs.Confirm, maxDepth: 3 }
        two: { feature: Dialogs.Confirm }
        watch: { feature: Dialogs.Confirm }
        quiet: { feature: Dialogs.Confirm }
      routes:
        - { from: [one, two], action: confirmed, do: [ { push: two } ] }
        - { from: [one, two], action: declined, do: [ { push: watch } ] }
        - { from: [watch, quiet], action: [confirmed, declined], do: [ { push: quiet } ] }

      """
    #expect(try await plan(old, old).output.hasSuffix("sessions: all continue\n"))
    for (part, other, loss) in [
      (
        "[one, two], background", "[one], background",
        "two: dropped: 'main' has no tab 'two' any more"
      ),
      (", background: [quiet]", "", "quiet: dropped: the manifest does not name it under "),
      ("background: [watch]\n", "", "watch: dropped: the manifest does not name it under "),
      ("maxDepth: 3", "maxDepth: 2", "one: dropped: a stack may hold only 2 of it now "),
    ] {
      let plan = try await plan(old, old.replacing(part, with: other))
      #expect(plan.status == 65, "\(other): \(plan.output)\(plan.errors)")
      #expect(plan.output.contains("as they are\n  \(loss)"), "\(plan.output)")
    }
  }

  @Test("Requirements, variables, and what else changes of a renamed node are not left out")
  func details() async throws {
    let old = BundleFolder.manifest(more: "vars: { a: { default: one } }\n")
    for (part, other, change) in [
      ("title: Asking", "requires: { appcore: '>=0.1' }", "  removed: title\n    - Asking\n"),
      ("title: Asking", "requires: { appcore: '>=0.1' }", "  added: requires\n    + '>=0.1'\n"),
      (
        "[Dialogs]", "[{ name: Dialogs, version: '>=1.0', load: eager }]",
        "  changed: plugin Dialogs 1.0.0\n    + version: '>=1.0'\n    + load: eager\n"
      ),
      ("a: { default: one }", "a: { default: one }, b: { default: 2 }", "  added: variable b\n"),
      (
        "a: { default: one }", "b: { default: one }", "  removed: variable a\n  added: variable b\n"
      ),
      ("default: one", "default: two", "  changed: variable a\n    - one\n    + two\n"),
    ] {
      let plan = try await plan(old, old.replacing(part, with: other))
      #expect(plan.output.contains(change), "\(other): \(plan.output)\(plan.errors)")
    }
    let renamed = old.replacing("start: ask", with: "start: question")
      .replacing("ask: { feature", with: "question: { was: ask, feature")
      .replacing("from: ask,", with: "from: question,")
    let same = try await plan(old, renamed)
    #expect(
      same.output.contains("  changed: node question\n    was 'ask'\n  "), "\(same.output)")
    let other = try await plan(old, renamed.replacing("Ready?", with: "Set?"))
    #expect(
      other.output.contains(
        """
          changed: node question
            was 'ask'
            - { feature: Dialogs.Confirm, with: { question: "Ready?" } }
            + { was: ask, feature: Dialogs.Confirm, with: { question: "Set?" } }

        """), "\(other.output)")
  }

  @Test("A node is printed on one line, however it is written, and its layout is no change")
  func blocks() async throws {
    let old = BundleFolder.manifest()
    let flow = "ask: { feature: Dialogs.Confirm, with: { question: \"Ready?\" } }"
    try #require(old.contains(flow))
    let block = """
      ask:   # a question
          feature: Dialogs.Confirm
          with:
            question: "Ready?"
      """
    let same = try await plan(old, old.replacing(flow, with: block))
    #expect(same.output.contains("  nothing changes in the app\n"), "\(same.output)\(same.errors)")
    let other = try await plan(
      old.replacing(flow, with: block),
      old.replacing(
        flow, with: block.replacing("\"Ready?\"", with: "|\n          Set,\n          go")))
    #expect(
      other.output.contains(
        """
          changed: node ask
            - { feature: Dialogs.Confirm, with: { question: "Ready?" } }
            + { feature: Dialogs.Confirm, with: { question: "Set,\\ngo\\n" } }

        """), "\(other.output)\(other.errors)")
  }

  @Test("A plugin's changes are those of its interface, and its sessions are migrated")
  func plugins() async throws {
    try await make("old", BundleFolder.manifest())
    try await make("new", BundleFolder.manifest())
    let file = "new/share/asking/interfaces/Dialogs.json"
    try app.write(
      file,
      try app.text(file).replacing("\"1.0.0\"", with: "\"1.1.0\"")
        .replacing("\"question\"", with: "\"prompt\""))
    let broken = try await app.appcore("plan", "old", "new")
    // The manifest gives an argument that there is no more.
    #expect(broken.status == 65)
    #expect(
      broken.errors.hasPrefix("new: error: 'share/asking/app.yaml' has errors [bundle-damaged]\n"))
    #expect(broken.errors.contains("[superfluous-field]"), "\(broken.errors)")
    try app.write(file, try app.text(file).replacing("\"prompt\"", with: "\"question\""))
    let plan = try await app.appcore("plan", "old", "new")
    #expect(plan.status == 75)
    #expect(
      plan.output == """
        asking 1.0.0 → asking 1.0.0
          changed: plugin Dialogs 1.0.0 → 1.1.0
            the interface is the same
        sessions: whether all continue is not known
          ask: unknown: whether 1.1.0 can read the state that 1.0.0 has written is known only when \
        its code is run

        """, "\(plan.output)")
    let json = try Value(json: try await app.appcore("plan", "old", "new", "--json").output)
    #expect(json["sessions"]?["continue"] == .null)
    for (kinds, status) in [
      ("lost", 0), ("unknown", 75), ("unknown,lost", 75), ("", 64), ("lost,", 64), ("most", 64),
    ] as [(String, Int32)] {
      let plan = try await app.appcore("plan", "old", "new", "--fail-on", kinds)
      #expect(plan.status == status, "\(kinds)")
    }
  }

  @Test("With a session the new build reads its states, in a process that may crash", .long)
  func session() async throws {
    let names = ["old", "same", "list", "crash", "trap"]
    for (index, name) in names.enumerated() {
      try FileManager.default.createDirectory(
        at: app.folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      let made = try await app.appcore("new", "tally", "--into", name)
      #expect(made.status == 0, "\(made.errors)")
      let source = name + "/tally/Plugins/Tally/Sources/Tally/"
      let version = try app.text(source + "TallyPlugin.swift")
      try app.write(
        source + "TallyPlugin.swift", version.replacing("0.1.0", with: "\(index + 1).0.0"))
      var counter = try app.text(source + "Counter.swift")
      switch name {
      case "list":
        counter.replace("var isWaiting = false", with: "var isWaiting: [String] = []")
        counter.replace("state.isWaiting = true", with: "state.isWaiting = [\"\"]")
        counter.replace("state.isWaiting = false", with: "state.isWaiting = []")
        counter.replace("state.isWaiting ?", with: "!state.isWaiting.isEmpty ?")
        counter.replace("!state.isWaiting,", with: "state.isWaiting.isEmpty,")
      case "crash":
        counter.replace(
          "  func initialState",
          with: """
              static func migrate(_ old: Value, from version: String) throws -> Value {
                fatalError("no")
              }

              func initialState
            """)
      case "trap":
        counter += """

          extension Counter.State {
            init(from decoder: any Decoder) throws { fatalError("no") }
          }

          """
      default: break
      }
      try app.write(source + "Counter.swift", counter)
    }
    for (name, status, words) in [
      (
        "same", 75, "counter: unknown: its state has the same shape as in 1.0.0, but whether 2.0.0 "
      ),
      ("trap", 75, "counter: unknown: whether 5.0.0 can read the state that 1.0.0 has written "),
      ("list", 75, "counter: unknown: whether 3.0.0 can read the state that 1.0.0 has written "),
    ] {
      let plan = try await app.appcore("plan", "old/tally", name + "/tally")
      #expect(plan.status == status, "\(name): \(plan.output)\(plan.errors)")
      #expect(plan.output.contains(words), "\(name): \(plan.output)\(plan.errors)")
    }
    let session = app.folder.path + "/tally.session"
    let terminal = try TypedTerminal(
      ["run", app.folder.path + "/old/tally/app.yaml", "--session", session],
      environment: ["XDG_CACHE_HOME": app.folder.path + "/cache"])
    try terminal.wait("the first prompt") { $0.line == ">" }
    kill(terminal.child, SIGTERM)
    #expect(terminal.finish() == 128 + SIGTERM)
    for (name, status, words) in [
      ("same", 0, "counter: migrated from 1.0.0"),
      ("list", 65, "counter: made anew: its state can't"),
      ("crash", 75, "counter: unknown: the process that was to restore it ended with "),
    ] {
      let plan = try await app.appcore(
        "plan", "old/tally", name + "/tally", "--session", session)
      #expect(plan.status == status, "\(name): \(plan.output)\(plan.errors)")
      #expect(plan.output.contains(words), "\(name): \(plan.output)\(plan.errors)")
      let check = try await app.appcore("check", name + "/tally/app.yaml", "--session", session)
      #expect(check.status == status, "\(name): \(check.output)\(check.errors)")
      #expect(check.output.contains(words.replacing(":", with: " ", maxReplacements: 1)))
    }
  }

  @Test("What is not a bundle, or a damaged one, is refused with its rule")
  func damaged() async throws {
    try await make("good", BundleFolder.manifest())
    try await make("good.tar.gz", BundleFolder.manifest())
    try await make("good.deb", BundleFolder.manifest())
    let prepared = try await app.bash(
      """
      for part in share/asking/bundle.json share/asking/interfaces/Dialogs.json \\
        lib/appcore/plugins/libDialogs.so; do
        name=$(basename $part); cp -r good without-$name; rm without-$name/$part
      done
      cp -r good newer; sed -i 's/"bundle": 1/"bundle": 2/' newer/share/asking/bundle.json
      for part in share/asking/app.yaml share/asking/interfaces/Dialogs.json \\
        lib/appcore/plugins/libDialogs.so; do
        name=$(basename $part); cp -r good bad-$name; echo '{ "x' > bad-$name/$part
      done
      rm -r bad-app.yaml/share/asking/app.yaml
      cp -r good twice; cp -r good/share/asking twice/share/other
      cp -r good other; cp "$(dirname "$(command -v appcore)")/libNotes.so" \\
        other/lib/appcore/plugins/libDialogs.so
      mkdir packed; cp -r bad-Dialogs.json packed/asking-1.0.0; tar czf inside.tar.gz -C packed .
      head -c 5000 good.tar.gz > cut.tar.gz; head -c 5000 good.deb > cut.deb
      head -c 70 good.deb > short.deb
      echo text > text.tar.gz; echo text > text.deb; echo text | gzip > packed.tar.gz
      mkdir one && echo x > one/file && tar czf other.tar.gz one
      """)
    #expect(prepared.status == 0, "\(prepared.output)")
    for (path, code) in [
      ("without-bundle.json", "bundle-damaged"), ("without-Dialogs.json", "bundle-damaged"),
      ("without-libDialogs.so", "bundle-damaged"), ("newer", "bundle-damaged"),
      ("cut.tar.gz", "archive-damaged"), ("cut.deb", "archive-damaged"),
      ("short.deb", "archive-damaged"), ("text.tar.gz", "archive-damaged"),
      ("text.deb", "archive-damaged"), ("packed.tar.gz", "archive-damaged"),
      ("other.tar.gz", "bundle-damaged"),
    ] {
      let plan = try await app.appcore("plan", "good", path)
      #expect(plan.status == 65, "\(path)")
      #expect(plan.errors.contains("[\(code)]"), "\(path): \(plan.errors)")
      #expect(plan.output.isEmpty)
    }
    // Each message names the part.
    for (path, words) in [
      ("without-bundle.json", "'share/NAME/bundle.json' is missing"),
      ("without-Dialogs.json", "'share/asking/interfaces/Dialogs.json' is missing"),
      ("bad-app.yaml", "'share/asking/app.yaml' is missing"),
      ("bad-Dialogs.json", "'share/asking/interfaces/Dialogs.json' can't be read: it is not JSON"),
      ("bad-libDialogs.so", "'lib/appcore/plugins/libDialogs.so' can't be read: "),
      ("other", "'lib/appcore/plugins/libDialogs.so' is not that of the plugin 'Dialogs'"),
      ("newer", "'share/asking/bundle.json' is in a form that this appcore does not know"),
      ("twice", "there are several descriptions: 'share/asking/bundle.json' and 'share/other/"),
      ("inside.tar.gz", "'share/asking/interfaces/Dialogs.json' can't be read: it is not JSON"),
    ] {
      let plan = try await app.appcore("plan", path, "good")
      #expect(plan.status == 65, "\(path)")
      #expect(plan.errors.hasPrefix("\(path): error: \(words)"), "\(plan.errors)")
      #expect(plan.errors.contains(" [bundle-damaged]\n"), "\(plan.errors)")
    }
    let zip = try await app.appcore("plan", "good", "new.zip")
    #expect(zip.status == 64 && zip.errors.contains("[bundle-archive-form]"), "\(zip.errors)")
    let missing = try await app.appcore("plan", "good", "nowhere.tar.gz")
    #expect(missing.status == 66)
    #expect(missing.errors.contains("can't read 'nowhere.tar.gz': no such file; "))
    try app.write("tools/gzip", "#!/bin/sh\necho 'gzip: No space left on device' >&2; exit 1\n")
    let full = try await app.bash(
      "chmod +x tools/gzip; PATH=$PWD/tools:$PATH appcore plan good good.tar.gz")
    #expect(full.output.contains("No space left on device"), "\(full.output)")
  }
}
