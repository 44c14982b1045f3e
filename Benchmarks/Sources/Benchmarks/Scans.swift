@_spi(Host) import AppCore
import Glibc
import PluginHost

/// The cost of scanning plugins for the first time, and of a start at which they are known.
struct Scans {
  /// The number of plugins of a large app.
  let count: Int

  private static let form = "bench"
  /// The number of plugins of a small app.
  private static let few = 5

  /// The rows: a first scan, in wall-clock time, and starts at which every plugin is known.
  ///
  /// A start reads one file, whatever the number of plugins. There are therefore three figures: for
  /// the start of a small and of a large app, and for each further plugin.
  func rows() throws -> [Row] {
    let folder = try Folder()
    let files = try folder.copies(count: count)
    let small = try Folder()
    let fewFiles = try small.copies(count: Self.few)
    try folder.waitUntilSettled()
    let raw = try Self.rawLoads(files)

    try Self.scan(fewFiles, cache: small.path)
    let start = Self.wall()
    try Self.scan(files, cache: folder.path)
    let first = Self.wall() - start

    let read = try files.map { try PluginFile(path: $0) }
    let beforeJudging = Self.wall()
    for file in read { _ = try ValidatedPlugin(file) }
    let judging = Self.wall() - beforeJudging

    var ofFew: [Double] = []
    var ofAll: [Double] = []
    var stats: [Double] = []
    for _ in 0..<31 {
      ofFew.append(try Self.known(fewFiles, cache: small.path))
      stats.append(Self.stats(files))
      ofAll.append(try Self.known(files, cache: folder.path))
    }
    let (few, all) = (Self.median(ofFew), Self.median(ofAll))
    func row(_ name: String, _ time: Double) -> Row {
      Row(
        name: name, nanoseconds: time, baseline: "stat", baselineNanoseconds: Self.median(stats))
    }
    return [
      Row(
        name: "first scan of \(count) distinct plugins: read, judged, copied, asked",
        nanoseconds: first, baseline: "dlopen + dlsym of all", baselineNanoseconds: raw),
      Row(
        name: "of which: contract, libraries, and whether each symbol of the SDK is there",
        nanoseconds: judging, baseline: "first scan", baselineNanoseconds: first),
      row("start with \(Self.few) known plugins, the whole by \(Self.few)", few),
      row("start with \(count) known plugins, the whole by \(count)", all),
      row(
        "each further known plugin, from \(Self.few) to \(count)",
        (all * Double(count) - few * Double(Self.few)) / Double(count - Self.few)),
    ]
  }

  private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }

  /// Scans plugins, with this program as the scanning process.
  static func scan(_ files: [String], cache: String) throws {
    let loader = PluginLoader(
      environment: ["XDG_CACHE_HOME": cache])
    let scanner = PluginScanner(
      process: ScanProcess(
        executable: "/proc/self/exe", arguments: ["--serve"],
        environment: ["PATH": "/usr/bin:/bin"]),
      form: form, cache: try Self.cache(cache))
    for path in files {
      scanner.add(try loader.prepare(loader.open(path: path, trust: .guarded)))
    }
    for result in scanner.finish() { _ = try result.get() }
  }

  /// Runs as the scanning process.
  static func serve() -> Int32 {
    ScanServer.run(form: form) { plugin, _ throws(PluginError) in
      guard let exported = plugin.entry() else {
        throw PluginError.notRegistered(plugin.path, "nothing")
      }
      return Array(LoadedPlugin(exported: exported).features.map(\.name).joined().utf8)
    }
  }

  static func cache(_ folder: String) throws -> ScanCache? {
    ScanCache(
      environment: ["XDG_CACHE_HOME": folder], form: form)
  }

  /// The time for opening the cache and finding each plugin in it, in nanoseconds per plugin.
  private static func known(_ files: [String], cache: String) throws -> Double {
    let start = Measurement.now()
    guard let cache = try Self.cache(cache) else { throw BenchError.noPlugin("no cache") }
    for path in files where cache.known(path, trust: .guarded) == nil {
      throw BenchError.noPlugin("\(path) is not known")
    }
    return Double(Measurement.now() - start) / Double(files.count)
  }

  private static func stats(_ files: [String]) -> Double {
    let start = Measurement.now()
    var status = Glibc.stat()
    for path in files { _ = path.withCString { stat($0, &status) } }
    return Double(Measurement.now() - start) / Double(files.count)
  }

  /// The time for loading all of them into a process without plugins, in wall-clock nanoseconds.
  private static func rawLoads(_ files: [String]) throws -> Double {
    let start = wall()
    for path in files {
      guard dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE) != nil else {
        throw BenchError.noPlugin(path)
      }
    }
    return wall() - start
  }

  private static func wall() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }
}
