import Foundation
import TestSupport
import Testing

/// The documents of an installed tree are for who has nothing else: what they say is run there.
@Suite("The documents of an installed tree", .long)
struct InstalledDocumentsTests {
  let tree: InstalledTree

  init() async throws { tree = try await InstalledTree.shared }

  /// The guide for contributors is not installed.
  private static let documents = CodeBlock.documents.filter { $0 != "CONTRIBUTING.md" }

  @Test("Commands print what the document says", arguments: documents)
  func commands(_ document: String) async throws {
    let root = tree.root
    let place = root.appendingPathComponent("share/doc/appcore/" + document)
    let text = try String(contentsOf: place, encoding: .utf8)
    let runner = TranscriptRunner(file: document, showsEndings: false, timeout: 900) {
      try TranscriptFolder(ofDocumentsIn: root)
    }
    for failure in try await runner.run(text).failures { Issue.record("\(failure)") }
  }

  @Test("They name no folder of the checkout")
  func checkout() throws {
    let folder = tree.root.appendingPathComponent("share/doc/appcore")
    let files = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    for file in files where file.hasSuffix(".md") && !file.hasPrefix("reference/") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      #expect(!text.contains(packageFolder.path), "\(file)")
    }
  }
}
