internal import AppCore
import Foundation
import Synchronization
import Testing

@testable import PluginHost
@testable internal import Support

/// What a command can't show; the rest is in `Tests/Transcripts/plugins/builds.md` and `build-failures.md`.
@Suite("PluginBuilder")
struct PluginBuilderTests {
  let bench: BuildBench

  init() throws { bench = try BuildBench() }

  @Test("Before the compiler runs the name is reported, and only then")
  func told() throws {
    var builder = try bench.builder()
    let told = Locked<[String]>([])
    builder.willCompile = { name in told.withLock { $0.append(name) } }
    for _ in 0..<2 { _ = try builder.build(folder: bench.workshop.path("Devices")) }
    #expect(told.withLock { $0 } == ["Devices"])
  }

  @Test("Sources that are saved while the compiler reads them are compiled again, in silence")
  func savedMeanwhile() throws {
    let source = bench.workshop.path("Devices/Sources/Devices/Devices.swift")
    let outrun = "echo \"error: input file '\(source)' was modified during the build\"; exit 1"
    try bench.compile(
      """
      if [ ! -e '\(bench.workshop.path("saved"))' ]; then
        touch '\(bench.workshop.path("saved"))'
        echo '// saved again' >> '\(source)'
        \(outrun)
      fi
      cat '\(bench.workshop.path("made.so"))' > "$output"
      """)
    let names = Locked<[String]>([])
    var builder = try bench.builder()
    builder.willCompile = { name in names.withLock { $0.append(name) } }
    #expect(try builder.build(folder: bench.workshop.path("Devices")).didCompile)
    #expect(bench.runs == 2)
    #expect(names.withLock { $0 } == ["Devices"])
    #expect(try !bench.build().didCompile)
    // Sources that never come to rest are told of at last.
    try bench.compile(outrun)
    try bench.write("Sources/Devices/Devices.swift", "// 2\n@c(appcore_plugin_Devices)\n")
    #expect(try bench.refusal().contains("was modified during the build"))
    #expect(bench.runs < 20)
  }

  @Test("A folder's path is shown as it was given, but not where it is within another path")
  func shown() throws {
    let path = FilePath.resolved(bench.workshop.path("Devices")) ?? ""
    let sources = try PluginSources(path + "/../Devices/.")
    let other = path + "/Sources" + path
    #expect(
      sources.shown("\(other)/A.swift:1: see '\(path)/B.swift'")
        == "\(path)/../Devices/Sources\(path)/A.swift:1: see '\(path)/../Devices/B.swift'")
  }

  @Test("Another state of the SDK's modules or library is a change")
  func sdk() throws {
    let tree = try bench.tree()
    #expect(try bench.build(.debug, tree.toolkit).didCompile)
    for file in [tree.module, tree.library] {
      #expect(try !bench.build(.debug, tree.toolkit).didCompile)
      try bench.workshop.write("another", to: file)
      #expect(try bench.build(.debug, tree.toolkit).didCompile, "\(file)")
    }
    // So is a tree at another place.
    #expect(try bench.build(.debug).didCompile)
  }

  @Test(
    "Sources that others can change are not built for who takes no such files",
    arguments: [
      "", "/Sources", "/Sources/Devices", "/Sources/Devices/Devices.swift", "/.build",
      "/.build/appcore", "/.build/appcore/debug",
    ])
  func trust(path: String) throws {
    try bench.workshop.makeFolder("Devices/.build/appcore/debug")
    chmod(bench.workshop.path("Devices" + path), 0o777)
    var builder = try bench.builder()
    let folder = bench.workshop.path("Devices")
    builder.trust = .guarded
    let problem = try bench.workshop.problem { try builder.build(folder: folder) }
    #expect(problem.stage == .built)
    #expect(
      problem.message
        == "other users can change '\(folder + path)', which is writable for everybody (mode 0777)")
    #expect(bench.runs == 0)
    chmod(bench.workshop.path("Devices" + path), 0o755)
    #expect(try builder.build(folder: folder).didCompile)
  }

  @Test("Another build that does not end is waited for, but not without end, and that is reported")
  func locked() throws {
    try bench.build()
    try bench.write("Sources/Devices/Devices.swift", "// new\n@c(appcore_plugin_Devices)\n")
    let lock = try PluginBuilder.lock(
      bench.workshop.path("Devices/.build/appcore/debug"), timeout: .seconds(2))
    defer { withExtendedLifetime(lock) {} }
    var builder = try bench.builder()
    builder.timeout = .seconds(2)
    let waiting = Mutex<[String]>([])
    builder.willWait = { name in waiting.withLock { $0.append(name) } }
    let problem = try bench.workshop.problem {
      try builder.build(folder: bench.workshop.path("Devices"))
    }
    #expect(
      bench.workshop.text(problem) == """
        $DIR/Devices: error: plugin not built: another program has held \
        '$DIR/Devices/.build/appcore/debug/.lock' locked for 2 s [plugin-build-refused]
          help: end the other build; `fuser -v $DIR/Devices/.build/appcore/debug/.lock` names it
        """)
    #expect(waiting.withLock { $0 } == ["Devices"])
  }

  @Test("Who builds at the same time waits for the first, and has nothing to do")
  func together() async throws {
    try bench.compile("sleep 0.2; cat '\(bench.workshop.path("made.so"))' > \"$output\"")
    let builder = try bench.builder()
    let folder = bench.workshop.path("Devices")
    let compiled = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<4 { group.addTask { try builder.build(folder: folder).didCompile } }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(compiled == 1)
    #expect(bench.runs == 1)
  }

  @Test("Who reads the library while it is built anew never sees half of it")
  func whole() throws {
    let path = try bench.build().path
    try bench.compile(
      """
      head -c 5000 '\(bench.workshop.path("made.so"))' > "$output"; sleep 0.02
      tail -c +5001 '\(bench.workshop.path("made.so"))' >> "$output"; sleep 0.02
      """)
    struct Reads { var count = 0, isDone = false, problem: String? }
    let reads = Locked(Reads())
    // A thread, and no task: tests that run at the same time take up the threads of those.
    let reader = Thread {
      while !reads.withLock({ $0.isDone }) {
        var problem: String?
        do { _ = try PluginFile(path: path) } catch { problem = "\(error)" }
        reads.withLock {
          $0.count += 1
          $0.problem = $0.problem ?? problem
        }
      }
    }
    reader.start()
    for round in 0..<10 {
      try bench.write(
        "Sources/Devices/Devices.swift", "// \(round)\n@c(appcore_plugin_Devices)\n")
      #expect(try bench.build().didCompile)
    }
    // It has read while the last build was at work, or does so now.
    let before = reads.withLock { $0.count }
    while reads.withLock({ $0.count }) <= before { usleep(1000) }
    let result = reads.withLock { reads in
      reads.isDone = true
      return reads
    }
    #expect(result.problem == nil)
  }
}

extension BuildBench {
  /// A tree that only looks like one, at another place.
  func tree() throws -> (toolkit: PluginToolkit, module: String, library: String) {
    let module = "tree/lib/appcore/modules/AppCore.swiftmodule"
    let library = "tree/lib/libAppCore.so"
    try workshop.write("a module", to: module)
    try workshop.write("a library", to: library)
    let toolkit = PluginToolkit(
      libraryFolder: workshop.path("tree/lib"), compilerVersion: SDK.compilerVersion)
    return (toolkit, module, library)
  }
}
