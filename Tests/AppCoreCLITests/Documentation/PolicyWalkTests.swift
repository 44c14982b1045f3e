import Foundation
import TestSupport
import Testing

/// The document's commands that need a policy, run by one shell in a mount namespace, where
/// `/etc/appcore` is a folder of the test.
///
/// Its blocks are those of the language `console policy`; a line that begins with `> ` continues the
/// command before it. `RECORD=1` writes what was printed.
@Suite(
  "A policy's walk",
  .enabled("this system allows no mount namespaces", { await PolicyNamespace.isAllowed() }))
struct PolicyWalkTests {
  private let document = "docs/signing.md"
  private let fence = "```console policy"

  /// A command, as it is written and as a shell reads it.
  private struct Command {
    var lines: [String]
    var text: String { lines.map { String($0.dropFirst(2)) }.joined(separator: "\n") }
  }

  @Test("Every command prints what the document says")
  func walk() async throws {
    let file = packageFolder.appendingPathComponent(document)
    let lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    let folder = try TranscriptFolder()
    // What the blocks before have made: the app, its plugin, the lock, and its signature.
    for block in try CodeBlock.all(in: document) where block.fileName?.hasPrefix("door/") ?? false {
      try folder.write(block, name: try #require(block.fileName))
    }
    _ = try await folder.run(
      """
      mkdir door/lib policy && cp $APPCORE_BUILD/libSession.so door/lib && appcore lock door/app.yaml &&
      cd door && ssh-keygen -q -t ed25519 -N '' -C release -f release &&
      appcore sign app.yaml --key release
      """)
    let commands = Self.commands(in: lines, fence)
    #expect(commands.count > 5)
    // One shell for all of them, since each sees the policy that those before have written.
    let mark = "---- \(UUID().uuidString)"
    let body = commands.map { $0.text + "\necho '\(mark)'\n" }.joined()
    try body.write(
      to: folder.folder.appendingPathComponent("walk.sh"), atomically: true, encoding: .utf8)
    let printed = try await folder.run("'\(PolicyNamespace.script)' policy bash walk.sh 2>&1")
      .components(separatedBy: mark + "\n")
    try #require(printed.count == commands.count + 1, "\(printed.last ?? "")")
    var outputs = zip(commands, printed).makeIterator()
    var recorded: [String] = []
    var isInside = false
    for line in lines {
      if isInside, line == "```" { isInside = false }
      if isInside {
        guard line.hasPrefix("$ "), let (command, output) = outputs.next() else { continue }
        recorded += command.lines
        recorded += output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
          .map(String.init)
      } else {
        recorded.append(line)
        if line == fence { isInside = true }
      }
    }
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try recorded.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(recorded == lines, "run with RECORD=1 to write what was printed")
    }
  }

  private static func commands(in lines: [String], _ fence: String) -> [Command] {
    var commands: [Command] = []
    var isInside = false
    for line in lines {
      if line == fence { isInside = true } else if line == "```" { isInside = false }
      guard isInside else { continue }
      if line.hasPrefix("$ ") {
        commands.append(Command(lines: [line]))
      } else if line.hasPrefix("> "), !commands.isEmpty {
        commands[commands.count - 1].lines.append(line)
      }
    }
    return commands
  }
}
