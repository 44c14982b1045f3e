import Foundation

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
  func run(_ command: String) throws -> String {
    let output = folder.appendingPathComponent(".output")
    try Data().write(to: output)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Another test of this process may ignore SIGPIPE, which programs would inherit.
    process.arguments = ["--default-signal=PIPE", "/bin/bash", "-c", command]
    process.currentDirectoryURL = folder
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    process.environment = ProcessInfo.processInfo.environment.merging([
      "PATH": "\(buildFolder.path):\(path)", "APPCORE_BUILD": buildFolder.path, "NO_COLOR": "1",
      "COLUMNS": "80",
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    let handle = try FileHandle(forWritingTo: output)
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    process.waitUntilExit()
    try handle.close()
    return String(decoding: try Data(contentsOf: output), as: UTF8.self)
  }
}
