import Foundation
import TestSupport
import Testing

/// What becomes of the file or folder at the place of a new bundle.
@Suite("The target of appcore bundle", .ownThread)
struct BundleTargetTests {
  let app: BundleFolder

  init() throws { app = try BundleFolder() }

  @Test("A target that is not a bundle is left as it is; a bundle is replaced as a whole")
  func targets() async throws {
    try app.write("mine/file", "mine")
    try app.write("mine.tar.gz", "mine")
    try app.write("mine.deb", "mine")
    _ = try await app.bash("mkdir empty; ln -s empty link; ln -s nowhere link.deb")
    // Archives that are not bundles, and bundles of another app.
    _ = try await app.bash("tar czf other.tar.gz app; gzip -9c <mine/file >packed.tgz")
    try app.write(
      "app/app.yaml", BundleFolder.manifest().replacing("name: asking", with: "name: b2"))
    let maintainer = ["--maintainer", "Ada Lovelace <ada@example.org>"]
    for target in ["foreign", "foreign.tar.gz", "foreign.tgz", "foreign.deb"] {
      #expect(try await app.bundle(target, maintainer).status == 0)
    }
    try app.write("app/app.yaml", BundleFolder.manifest())
    for target in ["foreign", "foreign.tar.gz", "foreign.tgz", "foreign.deb"] {
      let before = try await app.sums(target)
      let made = try await app.bundle(target, maintainer)
      #expect(made.status == 64, "\(target)")
      #expect(
        made.errors.hasPrefix(
          "\(target): error: it is a bundle of another app, 'b2' [bundle-target-exists]\n"),
        "\(made.errors)")
      #expect(try await app.sums(target) == before)
    }
    for target in [
      "mine", "mine/", "mine.tar.gz", "mine.deb", "link", "link.deb", "app", "other.tar.gz",
      "packed.tgz",
    ] {
      let made = try await app.bundle(target, maintainer)
      #expect(made.status == 64, "\(target)")
      #expect(made.errors.contains("[bundle-target-exists]"), "\(made.errors)")
    }
    #expect(try app.text("mine/file") == "mine")
    let inside = try await app.bundle("app/docs/out")
    #expect(inside.errors.contains("[bundle-target-inside]"), "\(inside.errors)")
    try await app.make("empty")
    // What is not part of a bundle goes with it.
    try app.write("empty/share/asking/old", "old")
    try app.write("app/app.yaml", BundleFolder.manifest(version: "1.1.0"))
    try await app.make("empty")
    #expect(try app.text("empty/share/asking/bundle.json").contains("\"version\": \"1.1.0\""))
    #expect(try !app.files("empty").contains("share/asking/old"))
    // Archives are replaced by those of the next version, and empty files are nobody's.
    _ = try await app.bash(": > own.tar.gz; : > own.deb")
    for target in ["own.tar.gz", "own.deb"] {
      for version in ["1.2.0", "1.3.0"] {
        try app.write("app/app.yaml", BundleFolder.manifest(version: version))
        let made = try await app.bundle(target, maintainer)
        #expect(made.lines.first == "asking \(version)", "\(made.errors)")
      }
    }
    #expect(try await app.bash("tar tzf own.tar.gz | head -n 1").output == "asking-1.3.0/\n")
    #expect(try app.leftovers.isEmpty)
  }

  @Test(
    "A path that ends like another archive is refused with those that there are",
    arguments: ["out.zip", "out.tar", "out.tar.xz", "out.TAR.GZ", "out.rpm", "out.Deb", "a/b.7z/"])
  func endings(target: String) async throws {
    let made = try await app.bundle(target)
    #expect(made.status == 64)
    #expect(made.errors.contains("a bundle can't be a '."), "\(made.errors)")
    #expect(made.errors.contains("[bundle-archive-form]\n  help: "), "\(made.errors)")
    #expect(made.errors.contains("`.tar.gz` or `.deb`"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: app.folder.path).sorted() == ["app"]
        || FileManager.default.contentsOfDirectory(atPath: app.folder.path).sorted() == [
          "app", "cache",
        ])
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
