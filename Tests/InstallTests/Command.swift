import Foundation

/// What a command came to.
struct Command {
  let status: Int32
  /// Whether a signal ended it.
  let wasSignalled: Bool
  /// What it wrote, on both streams.
  let output: String

  /// Runs a line of bash to its end, with no variables but the given ones, `PATH` and `HOME`.
  static func run(
    _ line: String, in folder: URL, input: String = "", environment: [String: String] = [:]
  ) throws -> Command {
    let scratch = FileManager.default.temporaryDirectory
      .appendingPathComponent("appcore-command-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: scratch) }
    // Files instead of pipes: neither side can block the other.
    let inputFile = scratch.appendingPathComponent("input")
    let outputFile = scratch.appendingPathComponent("output")
    try Data(input.utf8).write(to: inputFile)
    try Data().write(to: outputFile)
    let output = try FileHandle(forWritingTo: outputFile)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/bash")
    process.arguments = ["-c", line]
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment
      .filter { ["PATH", "HOME"].contains($0.key) }.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: inputFile)
    process.standardOutput = output
    process.standardError = output
    try process.run()
    process.waitUntilExit()
    return Command(
      status: process.terminationStatus,
      wasSignalled: process.terminationReason == .uncaughtSignal,
      output: String(decoding: try Data(contentsOf: outputFile), as: UTF8.self))
  }

  /// The lines of what it wrote.
  var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// The folder of the package.
let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The folder of this test program: what `swift build` made.
let buildFolder = URL(
  fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
).deletingLastPathComponent()
