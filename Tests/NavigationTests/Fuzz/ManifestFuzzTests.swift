@_spi(Host) import AppCore
import Foundation
import Glibc
import Manifest
@_spi(Host) import Navigation
import Support
internal import TestSupport
import Testing

/// Reading and checking, given whatever bytes there are.
///
/// `APPCORE_FUZZ_SECONDS` says for how long, `APPCORE_FUZZ_SEED` where to begin. What is being read
/// lies in a file that stays there when the process ends: the input that ended it.
@Suite(
  "Manifests that nobody would write",
  .notThreadSanitized("one thread for 100,000 steps, in which nothing can race"))
struct ManifestFuzzTests {
  @Test("None crashes or hangs what reads and checks it, and each problem can be printed")
  func survives() throws {
    let environment = ProcessInfo.processInfo.environment
    let seconds = environment["APPCORE_FUZZ_SECONDS"].flatMap(Double.init)
    let seed = environment["APPCORE_FUZZ_SEED"].flatMap(UInt64.init) ?? 1
    var mutator = ManifestMutator(seeds: try Self.seeds(), random: SplitMix64(seed: seed))
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("appcore-fuzz-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("input.yaml")
    let end = ContinuousClock.now + .seconds(seconds ?? 1)
    var count = 0
    var slowest = 0.0
    var graphs = 0
    while ContinuousClock.now < end || count <= 10 {
      let bytes = mutator.next()
      if seconds != nil {
        try Data(bytes).write(to: file)
        Self.limit(seconds: 10)
      }
      let start = Self.now()
      if Self.check(bytes, path: file.path) { graphs += 1 }
      let time = Self.now() - start
      slowest = max(slowest, time)
      count += 1
      if time > Self.limit {
        let kept = FileManager.default.temporaryDirectory
          .appendingPathComponent("appcore-fuzz-slow-\(count).yaml")
        try Data(bytes).write(to: kept)
        Issue.record("\(time) s for \(kept.path)")
      }
    }
    Self.limit(seconds: 0)
    try FileManager.default.removeItem(at: folder)
    if seconds != nil {
      print("\(count) manifests, \(graphs) of them with a graph; the slowest took \(slowest) s")
    }
    #expect(count > 10)
  }

  /// Seconds of processor time that one manifest may take; more is a hang.
  private static let limit = 2.0

  /// Reads, checks and prints; whether there is a graph.
  private static func check(_ bytes: [UInt8], path: String) -> Bool {
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    let result = loader.load(bytes, path: path)
    var problems = result.problems
    var hasGraph = false
    if let manifest = result.manifest, result.isComplete {
      let built = GraphBuilder.build(
        manifest, catalog: catalog(for: manifest),
        pluginNames: manifest.plugins.map { plugin in
          switch plugin.reference {
          case .name(let name): name
          case .path(_, let written): written
          }
        })
      problems = (problems + built.problems).sortedByPosition()
      hasGraph = built.graph != nil
    }
    #expect(problems == problems.sorted())
    let columns = SourceColumns(result.sources)
    let renderer = DiagnosticRenderer(sources: result.sources)
    // Thousands of problems are printed alike.
    for problem in problems.prefix(200) {
      let printed = renderer.render(problem)
      #expect(printed.contains("[\(problem.code)]"))
      #expect(!problem.message.contains("\n"))
      #expect(columns.utf16Column(of: problem.range.start, inFile: problem.range.file) > 0)
    }
    return hasGraph
  }

  /// Features for all that the manifest names, so that the checks go as far as they can.
  private static func catalog(for manifest: Manifest) -> FeatureCatalog {
    var catalog = FeatureCatalog()
    let actions = Set(manifest.routes.flatMap { $0.actions.map(\.value) }).sorted().prefix(40)
    var features: [String: [FeatureInfo]] = [:]
    var seen: Set<String> = []
    for node in manifest.nodes {
      guard let feature = node.feature, seen.insert(feature.name).inserted else { continue }
      let number = seen.count
      let cases = actions.enumerated().map { index, name in
        CaseSchema(name: name, payload: shapes[(index + number) % shapes.count])
      }
      features[feature.plugin, default: []].append(
        FeatureInfo(
          name: feature.name, arguments: shapes[number % shapes.count] ?? .object([]),
          delegates: cases, inputs: cases))
    }
    for (plugin, features) in features {
      catalog[plugin] = .available(configuration: .any, features: features)
    }
    return catalog
  }

  /// Shapes of payloads and arguments.
  private static let shapes: [Schema?] = [
    nil, .object([]),
    .object([.init(name: "id", schema: .string), .init(name: "text", schema: .optional(.string))]),
    .string, .int,
    .object([
      .init(name: "a", schema: .object([.init(name: "b", schema: .array(.double))])),
      .init(name: "kind", schema: .choice(["one", "two"])),
      .init(name: "any", schema: .any, defaultValue: .int(1)),
    ]),
    .dictionary(.bool), .recursive("Tree"),
    .variant([.init(name: "x", payload: .string), .init(name: "y", payload: nil)]),
  ]

  private static func seeds() throws -> [[UInt8]] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/manifests")
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    let seeds = try names.filter { $0.hasSuffix(".yaml") }.sorted().map {
      Array(try Data(contentsOf: folder.appendingPathComponent($0)))
    }
    try #require(seeds.count > 50)
    // Those that are right get further, so they come as often as the others together.
    let right = try names.filter { $0.hasPrefix("ok/") && $0.hasSuffix(".yaml") }.sorted().map {
      Array(try Data(contentsOf: folder.appendingPathComponent($0)))
    }
    return seeds + Array(repeating: right, count: seeds.count / right.count).joined()
  }

  /// Ends the process after so much processor time: a hang leaves its input behind.
  private static func limit(seconds: Int) {
    var timer = itimerval()
    timer.it_value.tv_sec = seconds
    setitimer(__itimer_which_t(ITIMER_PROF.rawValue), &timer, nil)
  }

  /// The thread's processor time, in seconds.
  private static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
