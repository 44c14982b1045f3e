import Foundation
import TestSupport
import Testing

/// A folder with an app of a plugin's file, and a scanner that leaves a mark when it is started.
final class LockedFolder: Sendable {
  let folder = Result { try TemporaryFolder() }

  init() throws {
    for name in ["MockSlow", "MockConsole"] { try copy(name) }
    try write(
      "app.yaml",
      """
      appcore: 1
      name: counter
      version: 1.2
      include: [parts/nodes.yaml]
      plugins: [{ path: lib/libMockSlow.so }]
      start: counter

      """)
    try write(
      "parts/nodes.yaml",
      """
      appcore: 1
      nodes:
        counter: { feature: MockSlow.Counter }

      """)
    let program = buildFolder.appendingPathComponent("appcore").path
    try write("scanner", "#!/bin/sh\n: > '\(path("scanned"))'\nexec '\(program)' \"$@\"\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: path("scanner"))
  }

  func path(_ name: String) -> String { ((try? folder.get().path) ?? "/none") + "/" + name }

  func copy(_ plugin: String) throws {
    let target = path("lib/lib\(plugin).so")
    try FileManager.default.createDirectory(
      atPath: path("lib"), withIntermediateDirectories: true)
    try? FileManager.default.removeItem(atPath: target)
    try FileManager.default.copyItem(
      atPath: buildFolder.path + "/lib\(plugin).so", toPath: target)
  }

  func write(_ name: String, _ text: String) throws { try folder.get().write(name, text) }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// Replaces a part of a file, which must be there.
  func replace(_ part: String, _ other: String, in name: String) throws {
    let text = try read(name)
    try #require(text.contains(part))
    try write(name, text.replacingOccurrences(of: part, with: other))
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }

  /// Changes one byte of the plugin.
  func modify() throws {
    let file = URL(fileURLWithPath: path("lib/libMockSlow.so"))
    var bytes = try Data(contentsOf: file)
    bytes.append(0)
    try bytes.write(to: file)
  }

  /// Runs the program in the folder, with a cache of its own.
  func appcore(_ arguments: String..., environment: [String: String] = [:]) async throws
    -> ProgramResult
  {
    try await appcore(arguments, environment: environment)
  }

  func appcore(_ arguments: [String], environment: [String: String] = [:]) async throws
    -> ProgramResult
  {
    try? remove("scanned")
    return try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, arguments,
      environment: [
        "XDG_CACHE_HOME": path("cache"), "APPCORE_SCANNER": path("scanner"),
      ].merging(environment) { $1 }, folder: try folder.get().url)
  }

  /// Whether the last run scanned a plugin.
  var hasScanned: Bool { FileManager.default.fileExists(atPath: path("scanned")) }

  /// The codes in brackets, and those below messages, of the last errors.
  static func codes(_ result: ProgramResult) -> [String] {
    result.errors.split(separator: "\n").compactMap { line in
      if let match = line.firstMatch(of: /^  code: ([a-z-]+)$/) { return String(match.1) }
      guard !line.contains("[plugin-unavailable]") else { return nil }
      return line.firstMatch(of: /\[([a-z-]+)\]$/).map { String($0.1) }
    }
  }
}
