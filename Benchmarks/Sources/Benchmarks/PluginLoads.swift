import AppCore
import Glibc
import PluginHost

/// What it costs to load a plugin, beside a bare `dlopen` and `dlsym` of files of the same kind.
struct PluginLoads {
  /// Distinct files: one that is loaded already is not loaded again.
  let count: Int

  /// The rows: reading, judging and loading; with the private copy to be made, and with it there.
  func rows() throws -> [Row] {
    let folder = try Folder()
    let files = try folder.copies(count: 3 * count)
    let raw = try microseconds(files[..<count]) { path in
      guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE),
        dlsym(handle, "appcore_plugin_BenchCounter") != nil
      else { throw BenchError.noPlugin(path) }
    }
    let first = try microseconds(files[count..<2 * count], load(folder))
    // Another loader, as in the next process: the private copies are there, nothing is loaded.
    let rest = files[(2 * count)...]
    for path in rest { try folder.copyOnly(path) }
    let again = try microseconds(rest, load(folder))
    return [
      Row(
        name: "plugin: read, judged, copied, loaded", nanoseconds: first * 1000,
        baseline: "dlopen + dlsym", baselineNanoseconds: raw * 1000),
      Row(
        name: "plugin: read, judged, loaded from its copy", nanoseconds: again * 1000,
        baseline: "dlopen + dlsym", baselineNanoseconds: raw * 1000),
    ]
  }

  private func load(_ folder: Folder) throws -> (String) throws -> Void {
    let loader = try folder.loader()
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

/// A temporary folder with copies of the benchmark's plugin, each with another digest.
private final class Folder {
  private let path: String

  init() throws {
    var template = Array("/tmp/appcore-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BenchError.noPlugin("no temporary folder") }
    path = String(cString: made)
  }

  deinit { _ = system("rm -rf '\(path)'") }

  /// A loader whose private copies are in this folder.
  func loader() throws -> PluginLoader {
    guard let contract = Contract(symbol: SDK.contractSymbol) else {
      throw BenchError.noPlugin("the SDK's contract can't be read")
    }
    return PluginLoader(contract: contract, environment: ["XDG_CACHE_HOME": path])
  }

  /// Copies of the plugin, told apart by bytes after its end.
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

  /// Makes the private copy of a plugin in another process.
  func copyOnly(_ file: String) throws {
    let program = CommandLine.arguments[0]
    guard system("'\(program)' --load '\(file)' '\(path)'") == 0 else {
      throw BenchError.noPlugin(file)
    }
  }
}
