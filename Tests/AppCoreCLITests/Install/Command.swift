import Foundation
import TestSupport

/// Lines of bash.
enum Command {
  /// Runs a line of bash to its end, with no variables but the given ones, `PATH` and `HOME`.
  static func run(
    _ line: String, in folder: URL, input: String = "", environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await Program.run(
      "/bin/bash", ["-c", line], input: input,
      onlyEnvironment: ProcessInfo.processInfo.environment
        .filter { ["PATH", "HOME"].contains($0.key) }.merging(environment) { $1 },
      folder: folder, mergesErrors: true)
  }
}
