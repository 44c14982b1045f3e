import Support
import TestSupport
import Testing

@testable import PluginHost

/// A digest that is told from others by one letter.
func digest(_ letter: Character = "a") -> SHA256 {
  SHA256(Array(String(letter).utf8))
}

/// A lock with two plugins for two targets, one of them with a library.
func sampleLock() -> AppLock {
  let here = AppLock.Target(architecture: "x86_64", contract: "1_swift_6_3_1")
  let there = AppLock.Target(architecture: "aarch64", contract: "1_swift_6_3_1")
  return AppLock(
    app: "my app", version: "1.4", manifest: "app.yaml",
    files: [
      "app.yaml": digest("m"), "parts/a b.yaml": digest("i"), "parts/nodes.yaml": digest("j"),
    ],
    plugins: [
      "Notes": .init(
        version: "1.0.0 beta",
        builds: [
          here: .init(file: digest("n"), libraries: ["libstore.so": digest("s")]),
          there: .init(file: digest("o")),
        ], path: "lib/my notes"),
      "Dialogs": .init(version: "0.1", builds: [here: .init(file: digest("d"))]),
    ])
}

/// The codes of what is wrong with a lock, with their lines.
private func codes(_ text: String) -> [String] {
  LockReader.read(Array(text.utf8)).problems.map { "\($0.range.start.line) \($0.code)" }
}

/// What is wrong with single lines is in `Tests/Transcripts/plugins/lock-damaged.md`.
@Suite("LockReader")
struct LockReaderTests {
  private let text = sampleLock().text

  @Test("Reading stops after a hundred problems, and sources belong to a plugin")
  func problemLimit() {
    let lines = String(repeating: "nothing\n", count: 100_000)
    let problems = LockReader.read(Array(("appcore-lock 1\n" + lines).utf8)).problems
    #expect(problems.count == LockReader.problemLimit)
    var lock = sampleLock()
    lock.plugins["Notes"]?.isFolder = true
    #expect(LockReader.read(Array(lock.text.utf8)).lock == lock)
    let other = lock.text.replacing("sources Notes", with: "sources None")
    #expect(LockReader.read(Array(other.utf8)).problems.map(\.code) == ["lock-incomplete"])
    #expect(sampleLock().differences(from: lock).map(\.code) == ["plugin-modified"])
  }

  @Test("What is written is read again")
  func roundTrip() throws {
    let (lock, problems) = LockReader.read(Array(text.utf8))
    #expect(problems.isEmpty)
    #expect(lock == sampleLock())
  }

  @Test("Each fact is a line, and lines are sorted")
  func lines() {
    let zeros = digest()
    var lock = sampleLock()
    lock.plugins = lock.plugins.mapValues { plugin in
      var plugin = plugin
      plugin.builds = plugin.builds.mapValues {
        .init(file: zeros, libraries: $0.libraries.mapValues { _ in zeros })
      }
      return plugin
    }
    lock.files = lock.files.mapValues { _ in zeros }
    #expect(
      lock.text.replacing("\(zeros)", with: "DIGEST") == """
        appcore-lock 2
        app my app
        version 1.4
        manifest DIGEST app.yaml
        include DIGEST parts/a b.yaml
        include DIGEST parts/nodes.yaml
        plugin Dialogs 0.1
        plugin Notes 1.0.0 beta
        path Notes lib/my notes
        build Notes aarch64 1_swift_6_3_1 DIGEST
        build Dialogs x86_64 1_swift_6_3_1 DIGEST
        build Notes x86_64 1_swift_6_3_1 DIGEST
        library Notes x86_64 1_swift_6_3_1 DIGEST libstore.so

        """)
  }

  @Test("Lines may be in any order, as a merge leaves them")
  func order() {
    var lines = text.split(separator: "\n")
    let first = lines.removeFirst()
    var random = SplitMix64(seed: 3)
    for _ in 0..<20 {
      lines.shuffle(using: &random)
      let shuffled = ([first] + lines).map { $0 + "\n" }.joined()
      #expect(LockReader.read(Array(shuffled.utf8)).lock == sampleLock())
    }
  }

  @Test(
    "A path that leads out of the folder is reported, and one of a plugin that is not there",
    arguments: [
      ("path Notes lib/my notes", "path Notes ../notes", ["9 lock-bad-path"]),
      ("path Notes lib/my notes", "path None lib/my notes", ["9 lock-incomplete"]),
      ("libstore.so", "/etc/passwd", ["13 lock-bad-path"]),
      ("libstore.so", "parts/../../x.so", ["13 lock-bad-path"]),
      ("libstore.so", "./libstore.so", ["13 lock-bad-path"]), ("app my app", "app möh app", []),
    ])
  func paths(part: String, other: String, expected: [String]) throws {
    try #require(text.contains(part))
    #expect(codes(text.replacing(part, with: other)) == expected)
  }

  @Test("A line that is there twice is told from two that contradict each other")
  func twice() {
    for line in text.split(separator: "\n").dropFirst() {
      #expect(codes(text + line + "\n") == ["14 lock-duplicate-line"], "\(line)")
      let other =
        ["app ", "version", "plugin", "path"].contains { line.hasPrefix($0) }
        ? line + "0" : line.replacing(/[0-9a-f]{64}/, with: "\(digest("z"))")[...]
      #expect(codes(text + other + "\n") == ["14 lock-contradiction"], "\(line)")
    }
    #expect(
      codes(text + "include \(digest("z")) app.yaml\n") == ["14 lock-contradiction"])
  }

  @Test("What is missing or cut off is reported")
  func incomplete() {
    let lines = text.split(separator: "\n").map { $0 + "\n" }
    for (index, line) in lines.enumerated() {
      let rest = (lines[..<index] + lines[(index + 1)...]).joined()
      switch line.split(separator: " ")[0] {
      case "appcore-lock": #expect(codes(rest) == ["1 lock-malformed"])
      case "app", "manifest": #expect(codes(rest) == ["1 lock-incomplete"])
      // Each of its builds, and then their libraries, has none.
      case "plugin":
        #expect(!codes(rest).isEmpty && codes(rest).allSatisfy { $0.hasSuffix("lock-incomplete") })
      case "build" where line.hasPrefix("build Notes x86_64 "):
        #expect(codes(rest) == ["12 lock-incomplete"])
      // Any other line is a fact of its own.
      default:
        let (lock, problems) = LockReader.read(Array(rest.utf8))
        #expect(problems.isEmpty)
        #expect(lock != nil && lock != sampleLock())
      }
    }
    // Cut anywhere, it is a lock only where a line ends, and of fewer facts.
    for count in 0..<text.utf8.count {
      let bytes = Array(text.utf8.prefix(count))
      guard LockReader.read(bytes).lock != nil else { continue }
      #expect(bytes.last == 0x0a)
    }
  }

  @Test("A lock that is too large is not read")
  func large() {
    let line = "plugin P\(String(repeating: "x", count: 100)) 1\n"
    let text =
      self.text + String(repeating: line, count: (LockReader.sizeLimit / line.utf8.count) + 1)
    #expect(codes(text) == ["1 lock-malformed"])
  }

  @Test("Bytes that were changed at random never make another lock that is read without a word")
  func damage() {
    var random = SplitMix64(seed: 11)
    let bytes = Array(text.utf8)
    for _ in 0..<2000 {
      var changed = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        changed[Int.random(in: 0..<changed.count, using: &random)] =
          UInt8.random(in: 0...255, using: &random)
      }
      let (lock, problems) = LockReader.read(changed)
      #expect((lock == nil) == !problems.isEmpty)
      // What is read says what its text says: written again, it has the same lines, but for the
      // format.
      guard let lock else { continue }
      #expect(
        Set(lock.text.split(separator: "\n").dropFirst())
          == Set(String(decoding: changed, as: UTF8.self).split(separator: "\n").dropFirst()))
    }
  }
}
