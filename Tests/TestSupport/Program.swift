package import Foundation

/// The exit status and the output of a program.
package struct ProgramResult: Equatable, Sendable {
  /// The exit status, or the number of the signal that ended it.
  package let status: Int32
  /// Whether a signal ended it.
  package let wasSignalled: Bool
  /// The standard output, and the standard error if the two were merged.
  package let output: String
  /// The standard error, unless it was merged into ``output``.
  package let errors: String
  /// The time from the program's start to its end.
  package let duration: Duration

  /// The lines of the output that are not empty.
  package var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs programs to their end.
///
/// No thread blocks meanwhile: Swift's pool has as many threads as there are cores, and effects in
/// other tests need them. At most as many programs as there are cores, but at least two, run at
/// once, whatever the number of tests that want one.
package enum Program {
  /// Runs `appcore` of this build, in the package's folder.
  package static func appcore(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await run(
      buildFolder.appendingPathComponent("appcore").path, arguments, input: input,
      environment: environment)
  }

  /// Runs a program with the environment of this process, `NO_COLOR`, and the given variables.
  package static func run(
    _ path: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:], folder: URL = packageFolder, mergesErrors: Bool = false
  ) async throws -> ProgramResult {
    try await run(
      path, arguments, input: input,
      onlyEnvironment: ProcessInfo.processInfo.environment.merging(["NO_COLOR": "1"]) { $1 }
        .merging(environment) { $1 },
      folder: folder, mergesErrors: mergesErrors)
  }

  /// Runs a program with only the given environment variables.
  package static func run(
    _ path: String, _ arguments: [String], input: String = "",
    onlyEnvironment environment: [String: String], folder: URL = packageFolder,
    mergesErrors: Bool = false
  ) async throws -> ProgramResult {
    await slots.take()
    let result: Result<ProgramResult, any Error>
    do {
      result = .success(
        try await runNow(
          path, arguments, input: input, environment: environment, folder: folder,
          mergesErrors: mergesErrors))
    } catch {
      result = .failure(error)
    }
    await slots.give()
    return try result.get()
  }

  private static func runNow(
    _ path: String, _ arguments: [String], input: String, environment: [String: String],
    folder: URL, mergesErrors: Bool
  ) async throws -> ProgramResult {
    let scratch = try TemporaryFolder()
    // Files instead of pipes, so that neither side can block the other.
    let output = try scratch.write("output", "")
    let errors = try scratch.write("errors", "")
    let handles = [
      try FileHandle(forReadingFrom: scratch.write("input", input)),
      try FileHandle(forWritingTo: output), try FileHandle(forWritingTo: errors),
    ]
    defer { for handle in handles { try? handle.close() } }
    let start = ContinuousClock.now
    let process = try ChildProcess(
      path, arguments, environment: environment, folder: folder, input: handles[0],
      output: handles[1], errors: handles[mergesErrors ? 1 : 2])
    let end = await process.end()
    return ProgramResult(
      status: end.status, wasSignalled: end.wasSignalled,
      output: String(decoding: try Data(contentsOf: output), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
      duration: start.duration(to: .now))
  }

  private static let slots = Slots(max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// The path of a tool that is found through `PATH`; `nil` if there is none.
  package static func find(_ tool: String) -> String? {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.map { "\($0)/\(tool)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }
}

/// A semaphore that limits the number of running programs.
private actor Slots {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func take() async {
    guard free == 0 else {
      free -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func give() {
    guard !waiting.isEmpty else {
      free += 1
      return
    }
    waiting.removeFirst().resume()
  }
}
