import Foundation
import TestSupport
import Testing

/// A folder with an app that needs no compiler, and what makes bundles of it.
///
/// The checkout's build can't be bundled itself: the bundles are without the host.
final class BundleFolder {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try write("app/app.yaml", Self.manifest)
  }

  /// An app of one dialog.
  static let manifest = """
    appcore: 1
    name: asking
    title: Asking
    version: 1.0.0
    plugins: [Dialogs]
    start: ask
    nodes:
      ask: { feature: Dialogs.Confirm, with: { question: "Ready?" } }
    routes:
      - { from: ask, action: [confirmed, declined], do: ignore }

    """

  func write(_ path: String, _ text: String) throws { try folder.write(path, text) }

  func text(_ path: String) throws -> String {
    try String(contentsOf: folder.url.appendingPathComponent(path), encoding: .utf8)
  }

  func files(_ path: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/" + path)
      .filter { name in
        var isFolder: ObjCBool = false
        let file = "\(folder.path)/\(path)/\(name)"
        return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder)
          && !isFolder.boolValue
      }.sorted()
  }

  /// What is left of the folders in which bundles are made.
  var leftovers: [String] {
    get throws {
      try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        .filter { $0.contains(".appcore-bundle") }
    }
  }

  func appcore(
    _ arguments: String..., environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await appcore(arguments, environment)
  }

  private func appcore(
    _ arguments: [String], _ environment: [String: String]
  ) async throws -> ProgramResult {
    try await Program.run(
      buildFolder.appendingPathComponent("appcore").path, arguments,
      environment: ["XDG_CACHE_HOME": folder.path + "/cache"].merging(environment) { $1 },
      folder: folder.url)
  }

  /// Bundles the app without the host.
  func bundle(
    _ output: String, _ more: [String] = [], environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await appcore(
      ["bundle", "app/app.yaml", "--with-runtime=no", "-o", output] + more, environment)
  }

  /// Bundles the app without the host, which must succeed.
  func make(
    _ output: String, _ more: [String] = [], environment: [String: String] = [:]
  ) async throws {
    let made = try await bundle(output, more, environment: environment)
    #expect(made.status == 0, "\(made.output)\(made.errors)")
  }

  /// Runs a line of bash in the folder, with this build's programs on the `PATH`.
  func bash(_ line: String) async throws -> ProgramResult {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return try await Program.run(
      "/bin/bash", ["-c", line],
      environment: [
        "PATH": "\(buildFolder.path):\(path)", "XDG_CACHE_HOME": folder.path + "/cache",
      ], folder: folder.url, mergesErrors: true)
  }
}
