internal import AppCheck
internal import AppCoreHost
import Foundation
import TestSupport

/// A folder of its own for one test: manifests, plugins, and a cache.
final class Workbench {
  let folder: String

  /// Where the results of scans are kept.
  private let cache: String

  /// Creates the folder.
  ///
  /// If `sharesScans`, the cache is that of all tests, for tests that load the build's
  /// plugins as they are; otherwise nobody else uses it.
  init(sharesScans: Bool = false) throws {
    folder = NSTemporaryDirectory() + "appcore-host-tests-" + UUID().uuidString
    cache = sharesScans ? Project.build + "/test-cache" : folder + "/cache"
    try FileManager.default.createDirectory(
      atPath: folder + "/plugins", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Plugins are searched in this folder first.
  var options: AppOptions {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_CACHE_HOME"] = cache
    var options = AppOptions(environment: environment)
    options.pluginPath = [folder + "/plugins"]
    return options
  }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    let path = folder + "/" + name
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// Puts a plugin of the build, changed by `damage`, where it is found first.
  func damage(_ plugin: String, _ damage: (inout Data) -> Void) throws {
    let file = "lib\(plugin).so"
    var bytes = try Data(contentsOf: URL(fileURLWithPath: Project.build + "/" + file))
    damage(&bytes)
    try bytes.write(to: URL(fileURLWithPath: folder + "/plugins/" + file))
  }

  /// Runs a shell's command in this folder, `$BUILD` being the folder of the build.
  ///
  /// - Returns: what it writes to either output.
  @discardableResult
  func shell(_ command: String) async throws -> String {
    try await Program.run(
      "/bin/sh", ["-c", command],
      environment: options.environment.merging(["BUILD": Project.build]) { $1 },
      folder: URL(fileURLWithPath: folder), mergesErrors: true
    ).output
  }

  /// A text of the host with the paths of this machine as `$DIR` and `$BUILD`.
  func portable(_ text: String) -> String {
    text.replacingOccurrences(of: folder, with: "$DIR")
      .replacingOccurrences(of: Project.build, with: "$BUILD")
  }

  /// What became of a process.
  struct Outcome: Equatable {
    /// Its exit status; 128 + n where signal n ended it.
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the real `appcore` of the build.
  func appcore(_ arguments: [String], input: String = "") async throws -> Outcome {
    try await run("appcore", arguments + ["--plugin-path", folder + "/plugins"], input: input)
  }

  /// Runs a program of the build.
  func run(
    _ program: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:]
  ) async throws -> Outcome {
    let result = try await Program.run(
      Project.build + "/" + program, arguments, input: input,
      onlyEnvironment: options.environment.merging(environment) { $1 })
    return Outcome(
      status: result.wasSignalled ? 128 + result.status : result.status,
      output: portable(result.output), errors: portable(result.errors))
  }
}

/// The symbols of an ELF file.
enum Symbols {
  /// The mangled names that a file defines for others to see, as `nm` tells them.
  static func external(of path: String) async throws -> Set<Substring> {
    let nm = try await Program.run(
      "/usr/bin/env", ["nm", "--defined-only", "--extern-only", "--format=just-symbols", path])
    return Set(nm.output.split(separator: "\n"))
  }
}

/// Where things lie: the checkout, and the folder of the build that this test belongs to.
enum Project {
  /// The checkout.
  static let root = packageFolder.path

  /// The folder of the running test, which is where the build put plugins and `appcore`.
  static let build = buildFolder.path

  static func path(_ name: String) -> String { root + "/" + name }

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// What an app of the packages plugin is given to read the small database.
  static var smallDatabase: AppOptions {
    var options = AppOptions()
    options.settings["status"] = path("Tests/Fixtures/dpkg/status")
    return options
  }
}
