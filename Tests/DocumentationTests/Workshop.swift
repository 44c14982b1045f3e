import Foundation
import TestSupport

/// A folder in which a document's files are written and its commands run.
///
/// It has the package's manifests and fixtures by link, so that commands read as in the checkout.
final class Workshop {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("appcore-docs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["manifests", "Tests", "docs", "Sources", "Plugins", "scripts", "examples"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent(name),
        withDestinationURL: packageFolder.appendingPathComponent(name))
    }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Writes a block that is a file.
  func write(_ block: CodeBlock, name: String) throws {
    let file = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data((block.lines.joined(separator: "\n") + "\n").utf8).write(to: file)
  }

  /// Runs a command and returns what it printed, on both streams.
  func run(_ command: String) async throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    // Another test of this process may ignore SIGPIPE, which programs would inherit.
    return try await Program.run(
      "/usr/bin/env", ["--default-signal=PIPE", "/bin/bash", "-c", command],
      environment: [
        "PATH": "\(buildFolder.path):\(path)", "APPCORE_BUILD": buildFolder.path, "COLUMNS": "80",
      ], folder: folder, mergesErrors: true
    ).output
  }
}
