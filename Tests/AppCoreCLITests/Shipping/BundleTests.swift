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
    let made = try await app.bundle("out")
    #expect(made.status == 0, "\(made.errors)")
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
      _ = try await other.bash("touch -d 2001-02-03 app/app.yaml; umask 077; true")
      #expect(try await other.bundle(name, more, environment: ["TZ": "Asia/Tokyo"]).status == 0)
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
    let made = try await app.bundle(
      "asking.deb", ["--maintainer", "Ada Lovelace <ada@example.org>"])
    #expect(made.status == 0, "\(made.errors)")
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

  @Test("A target that is not a bundle is left as it is; a bundle is replaced as a whole")
  func targets() async throws {
    try app.write("mine/file", "mine")
    try app.write("mine.tar.gz", "mine")
    try app.write("mine.deb", "mine")
    _ = try await app.bash("mkdir empty; ln -s empty link; ln -s nowhere link.deb")
    for target in ["mine", "mine/", "mine.tar.gz", "mine.deb", "link", "link.deb", "app"] {
      let made = try await app.bundle(target)
      #expect(made.status == 64, "\(target)")
      #expect(made.errors.contains("[bundle-target-exists]"), "\(made.errors)")
    }
    #expect(try app.text("mine/file") == "mine")
    let inside = try await app.bundle("app/docs/out")
    #expect(inside.errors.contains("[bundle-target-inside]"), "\(inside.errors)")
    #expect(try await app.bundle("empty").status == 0)
    // What is not part of a bundle goes with it.
    try app.write("empty/share/asking/old", "old")
    try app.write("app/app.yaml", BundleFolder.manifest(version: "1.1.0"))
    #expect(try await app.bundle("empty").status == 0)
    #expect(try app.text("empty/share/asking/bundle.json").contains("\"version\": \"1.1.0\""))
    #expect(try !app.files("empty").contains("share/asking/old"))
    let all = try FileManager.default.contentsOfDirectory(atPath: app.folder.path)
    #expect(!all.contains { $0.hasPrefix(".appcore-bundle") }, "\(all)")
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
  }
}
