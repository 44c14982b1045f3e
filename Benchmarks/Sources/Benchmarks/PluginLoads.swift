import AppCore
import Glibc
import PluginHost

/// The cost of loading a plugin, compared with a bare `dlopen` and `dlsym` of similar files.
struct PluginLoads {
  /// The number of files for each row; they are distinct, because no file is loaded twice.
  let count: Int

  /// The rows for reading, validating and loading a plugin.
  ///
  /// In the first one its private copy must be created, in the second one the copy exists, and in
  /// the third one the plugin is known and need not be read.
  func rows() throws -> [Row] {
    let folder = try Folder()
    let files = try folder.copies(count: 4 * count)
    let known = Array(files[(3 * count)...])
    // Scanned by another process, as if at an earlier start; the files must be old enough to be
    // known.
    try folder.waitUntilSettled()
    try folder.scanOnly(known)
    let raw = try microseconds(files[..<count]) { path in
      guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
        dlsym(handle, "appcore_plugin_BenchCounter") != nil
      else { throw BenchError.noPlugin(path) }
    }
    let first = try microseconds(files[count..<2 * count], load(folder))
    // Another loader, as in the next process: the private copies exist, but nothing is loaded.
    let rest = files[(2 * count)..<(3 * count)]
    for path in rest { try folder.copyOnly(path) }
    let again = try microseconds(rest, load(folder))
    let loader = folder.loader()
    guard let cache = try Scans.cache(folder.path) else { throw BenchError.noPlugin("no cache") }
    let unread = try microseconds(known[...]) { path in
      guard let plugin = cache.known(path, trust: .guarded) else {
        throw BenchError.noPlugin("\(path) is not known")
      }
      _ = try loader.load(plugin)
    }
    func row(_ name: String, _ time: Double) -> Row {
      Row(
        name: name, nanoseconds: time * 1000, baseline: "dlopen + dlsym",
        baselineNanoseconds: raw * 1000)
    }
    return [
      row("plugin: read, judged, copied, loaded", first),
      row("plugin: read, judged, loaded from its copy", again),
      row("plugin: known by its state, loaded from its copy", unread),
    ]
  }

  private func load(_ folder: Folder) throws -> (String) throws -> Void {
    let loader = folder.loader()
    return { path in _ = try loader.load(loader.open(path: path)) }
  }

  /// The median over the files, in microseconds of processor time.
  private func microseconds(
    _ files: ArraySlice<String>, _ body: (String) throws -> Void
  ) throws -> Double {
    let times = try files.map { path in
      let start = Measurement.now()
      try body(path)
      return Double(Measurement.now() - start) / 1000
    }
    return times.sorted()[times.count / 2]
  }
}

/// A temporary folder with copies of the benchmark's plugin, each with a different digest.
final class Folder {
  let path: String

  init() throws {
    var template = Array("/tmp/appcore-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BenchError.noPlugin("no temporary folder") }
    path = String(cString: made)
  }

  deinit { _ = system("rm -rf '\(path)'") }

  /// A loader whose private copies are in this folder.
  func loader() -> PluginLoader {
    PluginLoader(environment: ["XDG_CACHE_HOME": path])
  }

  /// Copies of the plugin that differ in the bytes after its end.
  func copies(count: Int) throws -> [String] {
    guard let folder = PluginLocator.executableFolder() else {
      throw BenchError.noPlugin("the program's folder is not known")
    }
    return try (0..<count).map { index in
      let copy = "\(path)/plugin\(index).so"
      let command =
        "cp '\(folder)/libBenchCounter.so' '\(copy)' && printf '%d' \(index) >> '\(copy)'"
      guard system(command) == 0 else { throw BenchError.noPlugin(copy) }
      return copy
    }
  }

  /// Waits until the files are older than a tick of the file system's clock.
  func waitUntilSettled() throws { usleep(2_300_000) }

  /// Scans plugins in another process, which saves the result in the cache.
  func scanOnly(_ files: [String]) throws {
    let program = CommandLine.arguments[0]
    let arguments = files.map { "'\($0)'" }.joined(separator: " ")
    guard system("'\(program)' --scan '\(path)' \(arguments)") == 0 else {
      throw BenchError.noPlugin("not scanned")
    }
  }

  /// Creates the private copy of a plugin in another process.
  func copyOnly(_ file: String) throws {
    let program = CommandLine.arguments[0]
    guard system("'\(program)' --load '\(file)' '\(path)'") == 0 else {
      throw BenchError.noPlugin(file)
    }
  }
}
