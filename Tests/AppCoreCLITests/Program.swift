import Foundation

/// The folder of this test program: what `swift build` made.
let buildFolder = URL(
  fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
).deletingLastPathComponent()

/// The folder of the package.
let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// What a program's run came to.
struct ProgramResult {
  let status: Int32
  /// Whether a signal ended it.
  let wasSignalled: Bool
  let output: String
  let errors: String
}

/// Runs programs of the build as a person would.
enum Program {
  /// Runs `appcore` in the package's folder.
  static func appcore(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(
      buildFolder.appendingPathComponent("appcore").path, arguments, input: input,
      environment: environment)
  }

  /// Runs any program to its end.
  static func run(
    _ path: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:], folder: URL = packageFolder
  ) throws -> ProgramResult {
    let scratch = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .merging(["NO_COLOR": "1"]) { $1 }.merging(environment) { $1 }
    // Files instead of pipes: neither side can block the other.
    process.standardInput = try FileHandle(forReadingFrom: scratch.write("input", input))
    let output = try scratch.write("output", "")
    let errors = try scratch.write("errors", "")
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    process.waitUntilExit()
    return ProgramResult(
      status: process.terminationStatus,
      wasSignalled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// A folder that goes with the test.
final class TemporaryFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("appcore-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// Writes a file and returns where it is.
  @discardableResult
  func write(_ name: String, _ text: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file
  }
}
