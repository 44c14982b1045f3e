import Foundation
import TestSupport
import Testing

/// The documents' ways from nothing to a tested plugin and to an app that is shipped, walked with
/// nothing but the installed tree and the compiler.
///
/// Their blocks are those of the language `console installed`. `RECORD=1` writes what was printed.
@Suite("A plugin's first minutes", .long)
struct PluginWalkTests {
  let tree: InstalledTree
  private let fence = "```console installed"

  init() async throws { tree = try await InstalledTree.shared }

  @Test(
    "Every command prints what the document says",
    arguments: ["plugins", "shipping", "native-libraries"])
  func walk(_ name: String) async throws { try await expectWalk(name) }

  @Test(
    "So does every command on the way to a device",
    .enabled("this system runs no services as other users", { await canRunServices() }))
  func device() async throws { try await expectWalk("fleet") }

  private func expectWalk(_ name: String) async throws {
    let document = "docs/\(name).md"
    try tree.makeFolder("walk-" + name)
    for block in try CodeBlock.all(in: document) where block.language == "sh" {
      guard let script = block.fileName else { continue }
      try tree.write("walk-\(name)/\(script)", block.lines.joined(separator: "\n") + "\n")
    }
    let file = packageFolder.appendingPathComponent(document)
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    var recorded: [String] = []
    var isInside = false
    var commands = 0
    for line in lines {
      if isInside, line == "```" { isInside = false }
      if isInside {
        guard line.hasPrefix("$ ") else { continue }
        commands += 1
        recorded.append(line)
        recorded += try await run(String(line.dropFirst(2)), in: "walk-" + name)
      } else {
        recorded.append(line)
        if line == fence { isInside = true }
      }
    }
    #expect(commands > 8)
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try recorded.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(
        recorded.map(Self.timeless) == lines.map(Self.timeless),
        "run with RECORD=1 to write what was printed")
    }
  }

  @Test("A new plugin names no path but in a file of its own, and nothing that would be fetched")
  func offline() async throws {
    // Not beside other tests' manifests, to one of which the plugin would be added.
    let made = try await tree.run(
      """
      mkdir empty && cd empty && "$APPCORE/bin/appcore" plugin new Offline >/dev/null 2>&1
      cat Offline/Package.swift
      """)
    let text = made.output
    #expect(!text.contains(tree.root.path), "\(text)")
    #expect(try await tree.run("cat empty/Offline/.appcore-tree").output == tree.root.path + "\n")
    #expect(!text.contains("dependencies: [.package"))
    #expect(!text.contains(packageFolder.path))
  }

  /// Runs a command where the one before left off.
  private func run(_ command: String, in folder: String) async throws -> [String] {
    let place = tree.folder.appendingPathComponent(folder + "-place").path
    let run = try await tree.run(
      """
      export PATH="$APPCORE/bin:$PATH"
      if [ -e '\(place)' ]; then cd "$(cat '\(place)')"; fi
      \(command)
      pwd > '\(place)'
      """, in: folder)
    var lines = run.output.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    return lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
  }

  /// A line without how long something took.
  private static func timeless(_ line: String) -> String {
    line.replacing(/[0-9.]+ ?s(econds)?\b/, with: "a while")
  }
}

/// Whether the user may run a service as another one, in namespaces, and has what checks its unit.
private func canRunServices() async -> Bool {
  let tools = ["setpriv", "systemd-analyze", "dpkg-deb", "llvm-symbolizer", "ssh-keygen"]
  guard geteuid() == 0, tools.allSatisfy({ Program.find($0) != nil }) else { return false }
  let result = try? await Program.run("/usr/bin/unshare", ["--mount", "--net", "true"])
  return result?.status == 0
}
