internal import AppCheck
internal import AppCoreHost
import Foundation

/// A folder of its own for one test: manifests, plugins, and a cache that nobody else uses.
final class Workbench {
  let folder: String

  init() throws {
    folder = NSTemporaryDirectory() + "appcore-host-tests-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder + "/plugins", withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Plugins are searched in this folder first.
  var options: AppOptions {
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_CACHE_HOME"] = folder + "/cache"
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
  func shell(_ command: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", command]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = options.environment.merging(["BUILD": Project.build]) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  /// A text of the host with the paths of this machine as `$DIR` and `$BUILD`.
  func portable(_ text: String) -> String {
    text.replacingOccurrences(of: folder, with: "$DIR")
      .replacingOccurrences(of: Project.build, with: "$BUILD")
  }

  /// What became of a process.
  struct Outcome: Equatable {
    var status: Int32
    var output: String
    var errors: String
  }

  /// Runs the real `appcore` of the build.
  func appcore(_ arguments: [String], input: String = "") throws -> Outcome {
    try run("appcore", arguments + ["--plugin-path", folder + "/plugins"], input: input)
  }

  /// Runs a program of the build.
  func run(
    _ program: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:]
  ) throws -> Outcome {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Project.build + "/" + program)
    process.arguments = arguments
    process.environment = options.environment.merging(environment) { $1 }
    // Files, because a pipe that nobody empties would stop the process.
    let files = ["input", "output", "errors"].map { "\(folder)/\($0)-\(UUID().uuidString)" }
    try Data(input.utf8).write(to: URL(fileURLWithPath: files[0]))
    for file in files.dropFirst() {
      _ = FileManager.default.createFile(atPath: file, contents: nil)
    }
    let standardInput = FileHandle(forReadingAtPath: files[0])
    process.standardInput = standardInput
    process.standardOutput = FileHandle(forWritingAtPath: files[1])
    process.standardError = FileHandle(forWritingAtPath: files[2])
    try process.run()
    process.waitUntilExit()
    func text(_ path: String) -> String {
      String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }
    return Outcome(
      status: process.terminationReason == .exit
        ? process.terminationStatus : 128 + process.terminationStatus,
      output: portable(text(files[1])), errors: portable(text(files[2])))
  }
}
