import Foundation
import TestSupport
import Testing

/// Bundles without the host; those with it are made from an installed tree.
///
/// What a transcript can say of them is in `Tests/Transcripts/program/bundle.md`.
@Suite("appcore bundle", .ownThread)
struct BundleTests {
  let app: BundleFolder

  init() throws { app = try BundleFolder() }

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
    try app.write("app/app.yaml", BundleFolder.manifest)
    #expect(try await app.bundle("without").errors.isEmpty)
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

  @Test(
    "Nothing is left where a signal ends it, whatever it was doing", arguments: ["INT", "TERM"])
  func interrupted(signal: String) async throws {
    try await app.make("old.tar.gz")
    for (tool, arguments) in [
      ("strip", "bundle app/app.yaml --with-runtime=no -o out"),
      ("gzip", "bundle app/app.yaml --with-runtime=no -o out.tar.gz"),
      ("gzip", "plan old.tar.gz old.tar.gz"),
    ] {
      // A tool that does not end before its parent.
      try app.write(
        "tools/\(tool)",
        """
        #!/bin/sh
        parent=$PPID
        kill -\(signal) $parent
        while kill -0 $parent 2>/dev/null; do sleep 0.05; done
        """)
      let run = try await app.bash(
        """
        chmod +x tools/*; mkdir -p tmp; export TMPDIR=$PWD/tmp
        PATH=$PWD/tools:$PATH appcore \(arguments)
        """)
      #expect(run.status == (signal == "INT" ? 130 : 143), "\(tool): \(run.output)")
      #expect(run.output.isEmpty, "\(tool): \(run.output)")
      #expect(try app.leftovers.isEmpty)
      #expect(try app.files("tmp").isEmpty)
      _ = try await app.bash("rm -r tools")
    }
  }
}
