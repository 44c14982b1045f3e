import Foundation
import Testing

@testable import PluginHost
@testable import Support

/// What is kept of scans, and what lifts it.
@Suite("ScanCache")
struct ScanCacheTests {
  var bench: ScanBench

  init() throws { bench = try ScanBench() }

  @Test("A plugin is scanned once for each content and form")
  mutating func once() throws {
    let path = try bench.workshop.plugin("Scanned", answer: "one")
    for _ in 0..<3 { #expect(try bench.scan([path]) == ["one"]) }
    #expect(bench.runs == 1)
    bench.form = "other"
    _ = try bench.scan([path])
    #expect(bench.runs == 2)
    try bench.workshop.plugin("Scanned", answer: "two")
    #expect(try bench.scan([path]) == ["two"])
    #expect(bench.runs == 3)
  }

  @Test("The same bytes elsewhere need no other scan")
  func elsewhere() throws {
    let path = try bench.workshop.plugin("Scanned")
    let other = bench.workshop.path("other.so")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    _ = try bench.scan([path])
    #expect(try bench.scan([other]) == ["hello"])
    #expect(bench.runs == 1)
  }

  @Test("A plugin that crashes is in quarantine, with its last words, until it is fixed")
  func quarantine() throws {
    let path = try bench.plugin("Crashing", initializer: "fputs(\"words\\n\", stderr); abort();")
    let first = try bench.scan([path])
    #expect(first[0].contains("stderr: words"))
    #expect(try bench.scan([path]) == first)
    #expect(bench.runs == 1)
    try bench.workshop.plugin("Crashing", answer: "well")
    #expect(try bench.scan([path]) == ["well"])
  }

  @Test("A fixed library beside the plugin lifts the quarantine")
  func mendedLibrary() throws {
    let name = "Companion\(UInt64.random(in: 0 ... .max))"
    func library(_ body: String) throws {
      try bench.workshop.library(
        "lib\(name).so", "#include <stdlib.h>\nint companion(void) { \(body) }",
        ["-Wl,-soname,lib\(name).so"])
    }
    try library("abort();")
    let path = try bench.workshop.plugin(
      "Pair",
      more: """
        extern int companion(void);
        __attribute__((constructor)) static void start(void) { companion(); }
        """, options: ["-L" + bench.workshop.folder, "-l" + name, "-Wl,-rpath,$ORIGIN"])
    #expect(try bench.scan([path])[0].contains("SIGABRT"))
    #expect(try bench.scan([path])[0].contains("SIGABRT"))
    #expect(bench.runs == 1)
    try library("return 1;")
    #expect(try bench.scan([path]) == ["hello"])
  }

  @Test("Stored results are forgotten on request")
  mutating func rescan() throws {
    let mark = bench.workshop.path("mark")
    let path = try bench.plugin(
      "Moody", initializer: "if (access(\"\(mark)\", F_OK) != 0) abort();")
    #expect(try bench.scan([path])[0].contains("SIGABRT"))
    try bench.workshop.write("x", to: "mark")
    #expect(try bench.scan([path])[0].contains("SIGABRT"))
    bench.rescans = true
    #expect(try bench.scan([path]) == ["hello"])
    bench.rescans = false
    #expect(try bench.scan([path]) == ["hello"])
    #expect(bench.runs == 2)
  }

  @Test("A failure that may be the machine's fault is tried again")
  func transient() throws {
    let mark = bench.workshop.path("mark")
    let path = try bench.plugin(
      "Unlucky", initializer: "if (access(\"\(mark)\", F_OK) != 0) kill(getpid(), SIGKILL);")
    #expect(
      try bench.scan([path])[0].contains("with signal 9 (SIGKILL, killed) while it was loaded"))
    try bench.workshop.write("x", to: "mark")
    #expect(try bench.scan([path]) == ["hello"])
  }

  @Test("A file that is older than a tick of the clock is known by its state alone")
  func known() throws {
    let path = try bench.workshop.plugin("Old")
    func known() throws -> PreparedPlugin? { try bench.cache()?.known(path, trust: .all) }
    _ = try bench.scan([path])
    // It was written just now: a second build could have the same times.
    #expect(try known() == nil)
    let prepared = try bench.prepared(path)
    #expect(!prepared.isSettled)
    let later = PreparedPlugin(
      file: prepared.file, libraries: [], systemLibraries: [], absent: [], isGuarded: true,
      isSettled: true, isKept: true, trust: .all, temporaryFolder: nil, span: prepared.span,
      buildID: prepared.buildID, digests: nil)
    let cache = try #require(try bench.cache())
    cache.remember(later)
    cache.save()
    #expect(try known() == later)
    #expect(try known()?.hasSoundCopies == true)
    // Any change of it, and be it of its times alone, makes it one that has to be read.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    #expect(try known() == nil)
  }

  @Test("A file is settled once it is older than the longest tick of a clock")
  func settled() throws {
    let path = try bench.workshop.plugin("Aging")
    var file = try PluginFile(path: path)
    #expect(!file.isSettled)
    for _ in 0..<600 where !file.isSettled {
      usleep(100_000)
      file = try PluginFile(path: path)
    }
    #expect(file.isSettled)
    #expect(FileClock.now() - file.identity.changed > FileClock.margin)
    _ = try bench.scan([path])
    let known = try bench.cache()?.known(path, trust: .guarded)
    #expect(known?.identity == file.identity)
    // From the next start on the copy is what is loaded, and nothing is read.
    let loaded = try bench.workshop.loader().load(try #require(known))
    #expect(loaded.copyPath == known?.file.copy)
  }

  @Test("A copy that is gone is made again, from the same bytes only")
  func goneCopy() throws {
    let path = try bench.workshop.plugin("Copied", answer: "first")
    let prepared = try bench.prepared(path)
    #expect(unlink(prepared.file.copy) == 0)
    let loaded = try bench.workshop.loader().load(prepared)
    #expect(FileManager.default.fileExists(atPath: loaded.copyPath))

    #expect(unlink(prepared.file.copy) == 0)
    try bench.workshop.plugin("Copied", answer: "second")
    let problem = try bench.workshop.problem { try bench.workshop.loader().load(prepared) }
    #expect(
      bench.workshop.text(problem) == """
        $DIR/libCopied.so: error: plugin not loaded: the file has changed since the manifest was \
        checked [plugin-changed]
          help: start the app again, so that its manifest is checked with the new file
        """)
  }

  @Test("A cache that is cut off or damaged anywhere is an empty one")
  func damaged() throws {
    let paths = [
      try bench.workshop.plugin("Stored", answer: "a long answer"),
      try bench.plugin("Crashing", initializer: "abort();"),
    ]
    _ = try bench.scan(paths)
    let folder = bench.workshop.path("cache/appcore/scans")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let whole = try bench.workshop.read(folder + "/" + name)
    let plugins = try paths.map { try bench.prepared($0) }
    func scanResults() throws -> Int {
      let cache = try #require(try bench.cache())
      return plugins.count { cache.scanResult(on: $0) != nil }
    }
    #expect(try scanResults() == 2)
    for count in 0..<whole.count {
      try bench.workshop.write(Array(whole.prefix(count)), to: "cache/appcore/scans/\(name)")
      #expect(try scanResults() == 0, "cut at \(count)")
      var changed = whole
      changed[count] ^= 0x10
      try bench.workshop.write(changed, to: "cache/appcore/scans/\(name)")
      #expect(try scanResults() == 0, "changed at \(count)")
    }
  }

  @Test("Results of two processes at the same time are both kept")
  func merging() throws {
    let first = try bench.prepared(try bench.workshop.plugin("First"))
    let second = try bench.prepared(try bench.workshop.plugin("Second", answer: "other"))
    let one = try #require(try bench.cache())
    let other = try #require(try bench.cache())
    one.store(.answer([1]), on: first)
    other.store(.answer([2]), on: second)
    one.save()
    other.save()
    let both = try #require(try bench.cache())
    #expect(both.scanResult(on: first) == .answer([1]))
    #expect(both.scanResult(on: second) == .answer([2]))
  }

  /// A plugin that nobody has scanned, by a number.
  private func madeUp(_ number: UInt64) throws -> PreparedPlugin {
    let path = try bench.workshop.write("\(number)", to: "plugins/\(number).so")
    let identity = try #require(PluginFile.identity(of: path))
    return PreparedPlugin(
      file: PreparedPlugin.File(
        name: "P\(number)", path: path, identity: identity, digest: number,
        copy: "/copies/\(number)", copyIdentity: identity, isKnownByName: false),
      libraries: [], systemLibraries: [], absent: ["/absent/\(number)"], isGuarded: true,
      isSettled: true, isKept: true, trust: .guarded, temporaryFolder: nil, span: number,
      buildID: nil, digests: nil)
  }

  @Test("Of many files and results each is found, what was stored and what is new")
  func many() throws {
    let plugins = try (0..<300).map { try madeUp($0) }
    func known(_ plugin: PreparedPlugin, _ cache: ScanCache) -> PreparedPlugin? {
      cache.known(plugin.path, trust: .guarded)
    }
    for part in [plugins[..<200], plugins[200...]] {
      let cache = try #require(try bench.cache())
      for plugin in part {
        cache.remember(plugin)
        cache.store(.answer([UInt8(truncatingIfNeeded: plugin.file.digest)]), on: plugin)
      }
      // Before it is written and after.
      for plugin in part { #expect(known(plugin, cache) == plugin) }
      cache.save()
    }
    let cache = try #require(try bench.cache())
    for plugin in plugins {
      #expect(known(plugin, cache) == plugin)
      #expect(
        cache.scanResult(on: plugin) == .answer([UInt8(truncatingIfNeeded: plugin.file.digest)]))
    }
    // The file by another path is read again.
    let other = bench.workshop.path("plugins/other.so")
    #expect(link(plugins[0].path, other) == 0)
    #expect(cache.known(other, trust: .guarded) == nil)
    let new = try madeUp(300)
    #expect(known(new, cache) == nil)
    #expect(cache.scanResult(on: new) == nil)
  }

  @Test("The oldest records go first")
  func oldest() throws {
    let plugins = try (0..<10).map { try madeUp($0) }
    let cache = try #require(try bench.cache())
    for plugin in plugins {
      cache.remember(plugin, at: 100 - plugin.file.digest)
      cache.store(.answer([1]), on: plugin, at: 100 - plugin.file.digest)
    }
    cache.save(keeping: 4)
    let kept = try #require(try bench.cache())
    for plugin in plugins {
      let isKept = plugin.file.digest < 4
      #expect((kept.scanResult(on: plugin) != nil) == isKept)
      #expect((kept.known(plugin.path, trust: .guarded) != nil) == isKept)
    }
  }
}
