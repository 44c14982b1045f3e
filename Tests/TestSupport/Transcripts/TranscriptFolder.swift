package import Foundation

/// A folder in which the files of a transcript or a document are written and its commands run.
///
/// It has the checkout's manifests and fixtures by link, so that commands read as in the checkout,
/// and settings and data of its own. What scans found is shared by all tests of a build.
package final class TranscriptFolder: Sendable {
  /// The folder that the commands run in.
  package let folder: URL
  private let root: TemporaryFolder
  /// The installed tree whose documents are run; `nil` for the checkout.
  private let tree: URL?
  /// Whether the commands are run in an installed tree.
  var isInstalled: Bool { tree != nil }

  /// Creates a folder for the documents of an installed tree, with what they come with.
  package init(ofDocumentsIn tree: URL) throws {
    self.tree = tree
    root = try TemporaryFolder()
    folder = root.url.appendingPathComponent("work")
    // A copy, since the folder of the documents may not be writable.
    try FileManager.default.copyItem(
      at: tree.appendingPathComponent("share/doc/appcore"), to: folder)
  }

  package init() throws {
    tree = nil
    root = try TemporaryFolder()
    folder = root.url.appendingPathComponent("work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["manifests", "Tests", "docs", "Sources", "Plugins", "scripts", "examples"] {
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent(name),
        withDestinationURL: packageFolder.appendingPathComponent(name))
    }
  }

  /// Writes a block that is a file.
  package func write(_ block: CodeBlock, name: String) throws {
    try root.write("work/" + name, block.lines.joined(separator: "\n") + "\n")
  }

  /// Runs a command and returns what it printed on both streams.
  package func run(_ command: String) async throws -> String {
    String(decoding: try await result(of: command, timeout: 1500).bytes, as: UTF8.self)
  }

  /// Runs a command of a transcript, which is killed after `timeout` seconds.
  package func output(of command: String, timeout: Int) async throws -> TranscriptOutput {
    let result = try await result(of: command, timeout: timeout)
    let ending: TranscriptOutput.Ending =
      result.duration >= .seconds(timeout) && result.wasSignalled
      ? .killed(after: timeout)
      : result.wasSignalled ? .signal(result.status) : .status(result.status)
    let names = environment.filter { $0.value.hasPrefix("/") && $0.key != "PATH" }
      .map { (text: $0.value, name: "$" + $0.key) }
    return TranscriptOutput(
      ending: ending, bytes: result.bytes, names: names.sorted { $0.text.count > $1.text.count })
  }

  private func result(of command: String, timeout: Int) async throws -> ProgramResult {
    // Another test of this process may ignore SIGPIPE, which programs would inherit.
    let place = tree.map { $0.appendingPathComponent("share/doc/appcore").path }
    let setup =
      place.map { "cd '\($0)' && . docs/environment.sh && cd '\(folder.path)' || exit\n" } ?? ""
    return try await Program.run(
      "/usr/bin/env", ["--default-signal=PIPE", "/bin/bash", "-c", setup + command],
      environment: environment, folder: folder, mergesErrors: true, timeout: timeout)
  }

  private var environment: [String: String] {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let own = { (name: String) in self.root.url.appendingPathComponent(name).path }
    var variables = [
      "PATH": "\(buildFolder.path):\(path)", "APPCORE_BUILD": buildFolder.path,
      "FOLDER": folder.path, "CHECKOUT": packageFolder.path, "COLUMNS": "80",
      "LC_ALL": "C.UTF-8", "TZ": "UTC",
      "XDG_CONFIG_HOME": own("config"), "XDG_DATA_HOME": own("data"),
      "XDG_STATE_HOME": own("state"),
      "XDG_CACHE_HOME": buildFolder.appendingPathComponent("test-cache").path,
    ]
    guard let tree else { return variables }
    variables["PATH"] = path
    variables["APPCORE_BUILD"] = tree.appendingPathComponent("lib/appcore/build").path
    variables["XDG_CACHE_HOME"] = own("cache")
    return variables
  }
}
