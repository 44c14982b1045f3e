import Foundation
import TestSupport
import Testing

/// Bundles without the host; those with it are made from an installed tree.
@Suite("appcore bundle", .ownThread)
struct BundleTests {
  let app: BundleFolder

  init() throws { app = try BundleFolder() }

  @Test("A bundle has the app's files, and runs by its launcher from any folder and through links")
  func layout() async throws {
    try app.write("app/README.md", "# Asking\n")
    try app.write("app/docs/more/use.md", "Type yes.\n")
    let made = try await app.bundle("out/asking")
    #expect(made.status == 0, "\(made.errors)")
    #expect(made.lines.first == "asking 1.0.0")
    #expect(made.output.contains("\n  plugins  ") && !made.output.contains("\n  host"))
    #expect(
      try app.files("out/asking") == [
        "bin/asking", "lib/appcore/plugins/libDialogs.so", "share/asking/app.yaml",
        "share/asking/appcore.lock", "share/asking/bundle.json",
        "share/asking/interfaces/Dialogs.json",
        "share/asking/schema/appcore-1.json", "share/doc/asking/README.md",
        "share/doc/asking/docs/more/use.md",
      ])
    // Nothing is left of the folder in which it was made.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: app.folder.path + "/out") == ["asking"])
    let run = try await app.bash(
      """
      ln -s out/asking/bin/asking first; mkdir -p a/b; ln -s ../../first a/b/second
      a/b/second -c '@yes' | head -n 1
      cd a && PATH=$PWD/b:$PATH && printf '@yes\\n' | second --json | head -c 8
      cd / && "$OLDPWD/../out/asking/bin/asking" -c ':path'
      """)
    #expect(run.output.hasPrefix("── Question ─"), "\(run.output)")
    #expect(run.output.contains("{\"shell\"") || run.output.contains("{\""), "\(run.output)")
    let without = try await app.bash("PATH=/usr/bin:/bin out/asking/bin/asking -c ':path'")
    #expect(without.status == 69)
    #expect(
      without.output.hasPrefix("asking: there is no 'appcore' on the PATH; install appcore "))
  }

  @Test("A bundle's folder or archive is taken wherever a manifest is")
  func asManifest() async throws {
    for name in ["out", "out.tar.gz", "out.deb"] {
      try await app.make(
        name, ["--maintainer", "Ada Lovelace <ada@example.org>"],
        environment: ["TMPDIR": app.folder.path])
      let check = try await app.appcore("check", name, environment: ["TMPDIR": app.folder.path])
      #expect(check.status == 0, "\(name): \(check.output)\(check.errors)")
      #expect(check.errors.hasSuffix("/app.yaml: no problems\n"), "\(check.errors)")
      let run = try await app.appcore(
        "run", name, "-c", ":path", "--record", "\(name).recording",
        environment: ["TMPDIR": app.folder.path])
      #expect(run.status == 0, "\(name): \(run.output)\(run.errors)")
      #expect(run.output.contains("── Question"), "\(run.output)")
      let graph = try await app.appcore("graph", name, environment: ["TMPDIR": app.folder.path])
      #expect(graph.status == 0 && graph.output.contains("ask"), "\(graph.errors)")
      let replay = try await app.appcore(
        "replay", "\(name).recording", "--manifest", name, "--check",
        environment: ["TMPDIR": app.folder.path])
      #expect(replay.status == 0, "\(name): \(replay.output)\(replay.errors)")
    }
    // Nothing is left of what was unpacked.
    #expect(try app.files(".").allSatisfy { !$0.contains(".appcore-bundle") })
    // It has to be as it was locked.
    try app.write(
      "out/share/asking/app.yaml", BundleFolder.manifest().replacing("Ready", with: "Set"))
    let changed = try await app.appcore("run", "out", "-c", ":path")
    #expect(changed.status == 65, "\(changed.output)")
    #expect(changed.errors.contains("[lock-"), "\(changed.errors)")
    let damaged = try await app.bash("mkdir -p bad/bin bad/share; appcore check bad")
    #expect(
      damaged.status == 65 && damaged.output.contains("[bundle-damaged]"), "\(damaged.output)")
  }

  @Test("Problems in an archive are at its path, and none of them is corrected there")
  func problemsInArchive() async throws {
    try await app.make("out.tar.gz")
    let spoilt = try await app.bash(
      """
      mkdir spoilt && tar xzf out.tar.gz -C spoilt
      sed -i 's/start: ask/start: aks/' spoilt/*/share/asking/app.yaml
      tar czf spoilt.tar.gz -C spoilt asking-1.0.0
      """)
    #expect(spoilt.status == 0, "\(spoilt.output)")
    let place = "spoilt.tar.gz/asking-1.0.0/share/asking/app.yaml"
    for (command, format) in [("check", "text"), ("check", "json"), ("check", "sarif")] {
      let check = try await app.appcore(command, "spoilt.tar.gz", "--format", format)
      #expect(check.status == 65)
      #expect(check.output.contains(format == "text" ? "\(place):6:8: " : "\"\(place)\""))
      #expect(!(check.output + check.errors).contains(".appcore-bundle"), "\(check)")
    }
    let run = try await app.appcore("run", "spoilt.tar.gz", "-c", ":path")
    #expect(run.errors.contains("\n\(place):6:8: error: "), "\(run)")
    #expect(!run.errors.contains(".appcore-bundle"), "\(run)")
    let good = try await app.appcore("check", "out.tar.gz")
    #expect(
      good.errors.hasSuffix("out.tar.gz/asking-1.0.0/share/asking/app.yaml: no problems\n"))
    let fix = try await app.appcore("check", "spoilt.tar.gz", "--fix")
    #expect(fix.status == 64)
    #expect(fix.errors.contains("'--fix' can't write into an archive; name the app's manifest."))
  }

  @Test("What an archive was unpacked to is removed when its app is killed")
  func killed() async throws {
    try await app.make("out.tar.gz")
    // The input stays open, so that the app waits for its first line.
    let outcome = try await app.bash(
      """
      mkfifo input
      TMPDIR=$PWD appcore run out.tar.gz <input >screen & app=$!
      exec 3>input
      until grep -qs Question screen; do sleep 0.05; done
      ls -d .appcore-bundle.* | wc -l
      kill -9 $app; wait $app
      for i in $(seq 400); do ls -d .appcore-bundle.* >rest 2>/dev/null || break; sleep 0.05; done
      cat rest
      """)
    #expect(outcome.output.hasPrefix("1\n"), "\(outcome)")
    #expect(!outcome.output.contains(".appcore-bundle"), "\(outcome)")
  }

  @Test("The launcher prints the app's own version and help")
  func launcher() async throws {
    try app.write(
      "app/app.yaml",
      BundleFolder.manifest(
        more: """
          vars: { place: { default: here, env: PLACE } }
          links:
            - { path: "ask/{what}", open: [ask] }
          """
      ).replacing("question: \"Ready?\"", with: "question: $vars.place"))
    try await app.make("out")
    let version = try await app.bash("PATH=/usr/bin:/bin out/bin/asking --version")
    #expect(version.output == "asking 1.0.0\n")
    let help = try await app.bash("out/bin/asking --help")
    #expect(
      help.output.hasPrefix(
        """
        asking 1.0.0: Asking

        USAGE: asking [<option> ...]

        VARIABLES:
          --set place=<value>   (or the environment variable PLACE)

        LINKS:
          --open ask/{what}

        OPTIONS:

        """), "\(help.output)")
    #expect(help.output.contains("--plain"), "\(help.output)")
    #expect(try await app.bash("out/bin/asking -h").output == help.output)
    // As an option's value it is what it is.
    let line = try await app.bash("out/bin/asking -c --help; echo $?")
    #expect(!line.output.contains("VARIABLES:"))
  }

  @Test("A bundle without the host that lacks Foundation is refused with the remedy")
  func foundation() async throws {
    try app.write(
      "app/Clock/Clock.swift",
      """
      import AppCore
      import Foundation

      struct Clock: Plugin {
        static let name = "Clock"
        static let version = "1.0.0"
        init(configuration: NoConfiguration) {}
        static func register(in registry: inout PluginRegistry<Self>) {
          registry.feature(Face.self) { _ in Face() }
        }
      }

      struct Face: Feature {
        struct State: Codable, Sendable {}
        enum Action: FeatureAction {
          enum View: Codable, Sendable { case looked }
          case view(View)
        }
        func initialState(_ arguments: NoArguments) -> State { State() }
        func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
        func screen(_ state: State) -> Screen<Action> {
          Screen("Clock") { $0.text(NumberFormatter().string(from: 1) ?? "") }
        }
      }

      @c(appcore_plugin_Clock)
      public func clock() -> UnsafeMutableRawPointer { export(Clock.self) }
      """)
    try app.write(
      "app/app.yaml",
      "appcore: 1\nname: clock\nplugins: [{ path: Clock }]\nstart: face\nnodes:\n  face: { feature: Clock.Face }\n"
    )
    let made = try await app.bundle("out")
    #expect(made.status == 65, "\(made.output)\(made.errors)")
    #expect(
      made.errors.contains(
        "libClock.so: error: it imports Foundation, which is neither in a bundle without the runtime nor "
          + "in an installed appcore; leave out '--with-runtime no', or import 'FoundationEssentials'"
      ),
      "\(made.errors)")
    try app.write("app/app.yaml", BundleFolder.manifest())
    #expect(try await app.bundle("without").errors.isEmpty)
  }

  @Test("Plugins that are given by path go by name, in includes too, and the rest is as it was")
  func rewriting() async throws {
    let library = buildFolder.path + "/libDialogs.so"
    let notes = buildFolder.path + "/libNotes.so"
    let manifest = BundleFolder.manifest(more: "include: [ \"parts/notes.yaml\" ] # a part\n")
      .replacing(
        "plugins: [Dialogs]",
        with: "plugins:\n  - path: '\(library)'   # by its file\n    load: eager\n")
    try app.write("app/app.yaml", manifest)
    let part =
      "appcore: 1\nplugins: [ { with: { folder: /tmp }, path: \"\(notes)\", version: '1.0.0' } ]\n"
    try app.write("app/parts/notes.yaml", part)
    try await app.make("out")
    #expect(
      try app.text("out/share/asking/app.yaml")
        == manifest.replacing("path: '\(library)'", with: "name: Dialogs"))
    #expect(
      try app.text("out/share/asking/parts/notes.yaml")
        == part.replacing("path: \"\(notes)\"", with: "name: Notes"))
    #expect(try app.files("out/lib/appcore/plugins") == ["libDialogs.so", "libNotes.so"])
    let run = try await app.bash("out/bin/asking -c ':path'")
    #expect(run.status == 0, "\(run.output)")
  }

  @Test("The same app makes the same bytes in two folders at two times, in each form")
  func reproducible() async throws {
    let other = try BundleFolder()
    for name in ["out", "out.tar.gz", "out.deb"] {
      let more = ["--maintainer", "Ada Lovelace <ada@example.org>"]
      let first = try await app.bundle(name, more)
      #expect(first.status == 0, "\(first.errors)")
      let second = try await other.bash(
        """
        touch -d 2001-02-03 app/app.yaml; umask 077; export TZ=Asia/Tokyo
        appcore bundle app/app.yaml --with-runtime=no -o \(name) \
          --maintainer 'Ada Lovelace <ada@example.org>'
        """)
      #expect(second.status == 0, "\(second.output)")
      let same = try await app.bash(
        """
        diff -r \(name) \(other.folder.path)/\(name) && list() {
          (cd "$1" && find \(name) | sort | xargs stat -c '%n %a %Y')
        } && diff <(list .) <(list \(other.folder.path)) && stat -c %Y \(name)
        """)
      #expect(same.output == "315532800\n", "\(name): \(same.output)")
    }
    let dated = try await app.bundle(
      "dated.tar.gz", environment: ["SOURCE_DATE_EPOCH": "1000000000"])
    #expect(dated.status == 0)
    let listed = try await app.bash("TZ=UTC tar tvzf dated.tar.gz | head -n 2")
    #expect(
      listed.output == """
        drwxr-xr-x root/root         0 2001-09-09 01:46 asking-1.0.0/
        drwxr-xr-x root/root         0 2001-09-09 01:46 asking-1.0.0/bin/

        """)
    let wrong = try await app.bundle("x", environment: ["SOURCE_DATE_EPOCH": "today"])
    #expect(wrong.status == 64)
    #expect(wrong.errors.contains("SOURCE_DATE_EPOCH is 'today'; it takes seconds since 1970"))
  }

  @Test("A Debian package has what dpkg and its policy want")
  func debian() async throws {
    try await app.make(
      "asking.deb", ["--maintainer", "Ada Lovelace <ada@example.org>"])
    guard Program.find("dpkg-deb") != nil else { return }
    let fields = try await app.bash(
      "dpkg-deb -f asking.deb Package Version Maintainer Depends Description")
    #expect(fields.output.hasPrefix("Package: asking\nVersion: 1.0.0\n"), "\(fields.output)")
    #expect(fields.output.contains("Depends: libc6 (>= 2."))
    #expect(fields.output.contains(", appcore (>= "))
    let rest = try await app.bash(
      """
      dpkg-deb -x asking.deb x
      (cd x && dpkg-deb --ctrl-tarfile ../asking.deb | tar xO ./md5sums | md5sum -c --quiet) && echo sums
      readlink x/usr/bin/asking; x/usr/bin/asking -c ':path' | head -n 1
      zcat x/usr/share/doc/asking/changelog.gz | head -n 1
      zcat x/usr/share/man/man1/asking.1.gz | grep -c '^.SH'
      bash -n x/usr/share/bash-completion/completions/asking && echo parses
      """)
    #expect(
      rest.output.hasPrefix("sums\n../lib/asking/bin/asking\n── Question ─"), "\(rest.output)")
    #expect(
      rest.output.hasSuffix("asking (1.0.0) unstable; urgency=medium\n6\nparses\n"),
      "\(rest.output)")
  }

  @Test(
    "What can't be bundled is refused with its rule, and nothing is left",
    arguments: [
      ("name: asking", "name: Asking", "out", 65, "[bundle-name]"),
      ("name: asking", "name: appcore", "out", 65, "[bundle-name]"),
      ("version: 1.0.0", "", "out.deb", 65, "[bundle-no-version]"),
      ("version: 1.0.0", "version: 1.0.0", "out.deb", 65, "[bundle-no-maintainer]"),
      ("start: ask", "start: aks", "out", 65, "[unknown-node]"),
      ("[Dialogs]", "[Nothing]", "out", 69, "[plugin-unavailable]"),
      ("title: Asking", "include: [docs/link.yaml]", "out", 65, "[bundle-include-outside]"),
    ])
  func refusals(
    old: String, new: String, target: String, status: Int, code: String
  ) async throws {
    try app.write("app/app.yaml", BundleFolder.manifest().replacing(old, with: new))
    if new.contains("link.yaml") {
      try app.write("app/docs/real.yaml", "appcore: 1\n")
      try FileManager.default.createSymbolicLink(
        atPath: app.folder.path + "/app/docs/link.yaml", withDestinationPath: "real.yaml")
    }
    let made = try await app.bundle(target, environment: ["DEBEMAIL": "", "DEBFULLNAME": ""])
    #expect(made.status == status, "\(made.errors)")
    #expect(made.output.isEmpty)
    #expect(made.errors.contains(code), "\(made.errors)")
    #expect(!code.hasPrefix("[bundle") || made.errors.contains("\n  help: "), "\(made.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
    #expect(Set(left).subtracting(["app", "cache"]).isEmpty, "\(left)")
  }

  @Test("A maintainer that is not one is told from none")
  func maintainer() async throws {
    for given in ["Ada Lovelace", "Ada <ada>", ""] {
      let made = try await app.bundle("out.deb", ["--maintainer", given])
      #expect(made.status == 65)
      #expect(
        made.errors.hasPrefix(
          "app.yaml: error: '\(given)' is not of the form 'NAME <MAIL>' [bundle-no-maintainer]\n"),
        "\(made.errors)")
    }
  }

  @Test("A variable that whoever runs the bundle sets keeps it from nothing")
  func unsetVariables() async throws {
    try app.write(
      "app/app.yaml",
      BundleFolder.manifest(more: "vars: { question: { env: THE_QUESTION } }\n")
        .replacing("\"Ready?\"", with: "$vars.question"))
    try await app.make("out")
    let plan = try await app.appcore("plan", "out", "out")
    #expect(plan.status == 0, "\(plan.errors)")
    let without = try await app.bash("out/bin/asking -c ':path'")
    #expect(without.status == 65 && without.output.contains("[unset-variable]"))
    let run = try await app.bash("THE_QUESTION='Really?' out/bin/asking -c '@yes'")
    #expect(run.output.contains("Really?"), "\(run.output)")
  }

  @Test("An app that has a lock is bundled with a lock of its own, and without its signature")
  func locked() async throws {
    #expect(try await app.appcore("lock", "app/app.yaml").status == 0)
    try app.write("app/appcore.lock.sig", "somebody's")
    try await app.make("out")
    let differ = try await app.bash(
      "diff app/appcore.lock out/share/asking/appcore.lock | grep -c '^>'")
    // A plugin without what only a debugger wants is another file.
    #expect(differ.output == "1\n", "\(differ.output)")
    #expect(try !app.files("out").contains { $0.hasSuffix(".sig") })
    #expect(try await app.bash("out/bin/asking -c ':path'").status == 0)
    let strict = try await app.bundle("strict", ["--locked"])
    #expect(strict.status == 0, "\(strict.errors)")
    #expect(try await app.bash("diff -r out strict").status == 0)
    // A plugin that is not what was locked is not bundled.
    let lock = try app.text("app/appcore.lock")
    try app.write(
      "app/appcore.lock",
      lock.replacing(#/(build .*) [0-9a-f]+/#) { "\($0.1) " + String(repeating: "0", count: 64) })
    let refused = try await app.bundle("refused")
    #expect(refused.errors.contains("modified since it was locked"), "\(refused.errors)")
  }

  @Test("The lock of a bundle is signed while it is made, with the same bytes each time")
  func signed() async throws {
    let key = try await app.bash("ssh-keygen -q -t ed25519 -N '' -C release -f key")
    try #require(key.status == 0, "\(key.output)")
    for target in ["one", "two", "out.tar.gz"] {
      try await app.make(target, ["--sign", "key"])
    }
    #expect(try app.files("one").contains("share/asking/appcore.lock.sig"))
    let checked = try await app.bash(
      """
      diff -r one two && stat -c '%a %Y' one/share/asking/appcore.lock.sig one/share/asking
      tar tzf out.tar.gz | grep -c 'lock.sig$'
      echo "me $(cat key.pub)" > signers
      ssh-keygen -Y verify -f signers -I me -n lock@appcore -s one/share/asking/appcore.lock.sig \\
        < one/share/asking/appcore.lock | cut -d ' ' -f 1
      """)
    #expect(
      checked.output == "644 315532800\n755 315532800\n1\nGood\n", "\(checked.output)")
    let missing = try await app.bundle("three", ["--sign", "nowhere"])
    #expect(missing.status == 65)
    #expect(missing.errors.hasPrefix("nowhere: error: the lock is not signed: "))
    #expect(missing.errors.contains("[lock-signature-not-made]"), "\(missing.errors)")
    #expect(try app.leftovers.isEmpty)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: app.folder.path).contains("three"))
  }

  @Test("A build of the checkout says what to install; a tool that is missing is named")
  func host() async throws {
    let made = try await app.appcore("bundle", "app", "-o", "out")
    #expect(made.status == 69)
    #expect(made.errors.contains("this appcore is not an installed one"), "\(made.errors)")
    #expect(made.errors.contains("[bundle-not-installed]"))
    let poor = try await app.bundle("out", environment: ["PATH": "/nowhere"])
    #expect(poor.status == 69)
    #expect(poor.errors.hasPrefix("strip: error: there is no 'strip' on the PATH [bundle-tool]\n"))
    try app.write("tools/gzip", "#!/bin/sh\nkill -KILL $$\n")
    let killed = try await app.bash(
      "chmod +x tools/gzip; PATH=$PWD/tools:$PATH appcore bundle app --with-runtime=no -o out.tar.gz"
    )
    #expect(
      killed.output.hasPrefix("out.tar.gz: error: 'gzip' failed: ended by signal 9 ["),
      "\(killed.output)")
  }
}
