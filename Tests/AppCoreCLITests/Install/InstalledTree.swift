import Foundation
import TestSupport
import Testing

/// A tree that was installed from this build and then moved, and a folder to work in.
final class InstalledTree: Sendable {
  /// Where the tree stands now, which nothing in it can know.
  let root: URL
  /// A folder beside the tree, with the shipped manifests by link and the README's plugin, compiled
  /// by the command of the document on embedding.
  let folder: URL
  private static let scratch = FileManager.default.temporaryDirectory
    .appendingPathComponent("appcore-install-\(UUID().uuidString)")

  /// Made once for all tests; its folder goes when the process ends.
  private static let made = Task { try await InstalledTree() }

  static var shared: InstalledTree {
    get async throws { try await made.value }
  }

  private init() async throws {
    let scratch = Self.scratch
    root = scratch.appendingPathComponent("moved here/tree")
    folder = scratch.appendingPathComponent("work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let install = try await Command.run(
      "scripts/install.sh --build '\(buildFolder.path)' --prefix /opt/appcore --destdir"
        + " '\(scratch.path)/stage'", in: packageFolder)
    try #require(install.status == 0, "\(install.output)")
    try FileManager.default.createDirectory(
      at: root.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: scratch.appendingPathComponent("stage/opt/appcore"), to: root)
    try linkManifests(in: folder)
    try write("Greeter.swift", Listing.beginning("// Greeter.swift", in: "README.md"))
    try write("greeter.yaml", Listing.beginning("# greeter.yaml", in: "README.md"))
    let commands = try Self.documented("swiftc -emit-library").components(separatedBy: "\n\n")
    let greeter = try await run(commands[0])
    try #require(greeter.status == 0, "\(greeter.output)")
    atexit { try? FileManager.default.removeItem(at: InstalledTree.scratch) }
  }

  /// The commands of the block of the document on embedding that begins with `start`.
  ///
  /// The tree's folder has a space in its name, as the document's has not.
  static func documented(_ start: String) throws -> String {
    try Listing.beginning(start, in: "docs/embedding.md")
      .replacing(/-rpath=\$APPCORE\/lib/, with: "\"-rpath=$APPCORE/lib\"")
      .replacing(/(\s)(\$APPCORE[^\s]*)/) { "\($0.1)\"\($0.2)\"" }
  }

  /// Makes the shipped manifests reachable as in the checkout.
  func linkManifests(in folder: URL) throws {
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("manifests"),
      withDestinationURL: root.appendingPathComponent("share/appcore/manifests"))
  }

  /// What the commands of these tests find in their environment.
  var environment: [String: String] {
    [
      "APPCORE": root.path, "NO_COLOR": "1", "COLUMNS": "80",
      "XDG_CACHE_HOME": Self.scratch.appendingPathComponent("cache").path,
      "APPCORE_DPKG_STATUS": packageFolder.path + "/Tests/Fixtures/dpkg/demo-status",
    ]
  }

  /// Runs a command beside the tree.
  func run(
    _ line: String, in subfolder: String = "", input: String = "",
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await Command.run(
      line, in: folder.appendingPathComponent(subfolder), input: input,
      environment: self.environment.merging(environment) { $1 })
  }

  /// Makes a folder beside the tree.
  @discardableResult
  func makeFolder(_ name: String) throws -> URL {
    let made = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
    return made
  }

  /// Writes a file beside the tree.
  func write(_ name: String, _ text: String) throws {
    try Data(text.utf8).write(to: folder.appendingPathComponent(name))
  }

  /// The programs and libraries of the tree.
  func binaries() throws -> [String] {
    let all = FileManager.default.enumerator(atPath: root.path)?.allObjects as? [String] ?? []
    return all.filter { path in
      // A link is used by compilers, not by the loader, for which it would be another place.
      let isLink =
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(root.path)/\(path)")) != nil
      return !isLink && (path.hasSuffix(".so") || path.hasPrefix("bin/"))
    }.sorted()
  }
}

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

/// A block of a document, as a person would copy it.
enum Listing {
  /// The block whose first line begins with `start`.
  static func beginning(_ start: String, in document: String) throws -> String {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(document), encoding: .utf8)
    let blocks = text.components(separatedBy: "\n```")
    let block = try #require(
      blocks.first { $0.split(separator: "\n").dropFirst().first?.hasPrefix(start) == true },
      "\(document) has no block that begins with '\(start)'")
    return block.split(separator: "\n", omittingEmptySubsequences: false).dropFirst()
      .joined(separator: "\n") + "\n"
  }
}
