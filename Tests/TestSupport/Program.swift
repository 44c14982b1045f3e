package import Foundation

/// The result of a program that has ended: its exit status, output and duration.
package struct ProgramResult: Equatable, Sendable {
  /// The exit status, or the number of the signal that ended the program.
  package let status: Int32
  /// Whether a signal ended the program.
  package let wasSignalled: Bool
  /// The bytes of the standard output, which include the standard error if the two were merged.
  package let bytes: Data
  /// The standard output as text.
  package var output: String { String(decoding: bytes, as: UTF8.self) }
  /// The standard error, unless it was merged into ``output``.
  package let errors: String
  /// The time from the program's start to its end.
  package let duration: Duration

  /// The lines of the output that are not empty.
  package var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// Runs programs and waits until they end.
///
/// No thread is blocked meanwhile: Swift's pool has as many threads as there are cores, and effects
/// in other tests need them. The number of programs that run at the same time is limited to the
/// number of cores, or to two on a single core.
package enum Program {
  /// Runs the `appcore` of this build in the checkout's root folder.
  package static func appcore(
    _ arguments: [String], input: String = "", environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await run(
      buildFolder.appendingPathComponent("appcore").path, arguments, input: input,
      environment: environment)
  }

  /// Runs a program with this process's environment, `NO_COLOR=1`, a state folder of the tests, in
  /// which reports of crashes are kept, and the given variables.
  package static func run(
    _ path: String, _ arguments: [String], input: String = "",
    environment: [String: String] = [:], folder: URL = packageFolder, mergesErrors: Bool = false,
    timeout: Int = ChildProcess.timeout
  ) async throws -> ProgramResult {
    try await run(
      path, arguments, input: input,
      onlyEnvironment: ProcessInfo.processInfo.environment
        .merging([
          "NO_COLOR": "1", "XDG_STATE_HOME": buildFolder.appendingPathComponent("test-state").path,
        ]) { $1 }.merging(environment) { $1 },
      folder: folder, mergesErrors: mergesErrors, timeout: timeout)
  }

  /// Runs a program with only the given environment variables.
  package static func run(
    _ path: String, _ arguments: [String], input: String = "",
    onlyEnvironment environment: [String: String], folder: URL = packageFolder,
    mergesErrors: Bool = false, timeout: Int = ChildProcess.timeout
  ) async throws -> ProgramResult {
    await slots.take()
    let result: Result<ProgramResult, any Error>
    do {
      result = .success(
        try await runNow(
          path, arguments, input: input, environment: environment, folder: folder,
          mergesErrors: mergesErrors, timeout: timeout))
    } catch {
      result = .failure(error)
    }
    await slots.give()
    return try result.get()
  }

  private static func runNow(
    _ path: String, _ arguments: [String], input: String, environment: [String: String],
    folder: URL, mergesErrors: Bool, timeout: Int
  ) async throws -> ProgramResult {
    let scratch = try TemporaryFolder()
    // Files instead of pipes, so that a full or empty pipe can't block either side.
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
      output: handles[1], errors: handles[mergesErrors ? 1 : 2], timeout: timeout)
    let end = await process.end()
    return ProgramResult(
      status: end.status, wasSignalled: end.wasSignalled,
      bytes: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self),
      duration: start.duration(to: .now))
  }

  private static let slots = Slots(max(2, ProcessInfo.processInfo.activeProcessorCount))

  /// The path of the first executable with this name in the folders of `PATH`; `nil` if none.
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
