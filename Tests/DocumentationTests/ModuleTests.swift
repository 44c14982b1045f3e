import Foundation
import TestSupport
import Testing

/// The table of `docs/architecture.md`, held against the sources.
@Suite("The modules")
struct ModuleTests {
  /// A row of the table.
  struct Module {
    let name: String
    let imports: Set<String>
  }

  @Test("The table names every module of the host")
  func complete() throws {
    let others: Set = ["SDK", "SDKTesting", "CYAML"]
    let folders = try FileManager.default.contentsOfDirectory(atPath: sources.path)
    #expect(Set(try Self.modules().map(\.name)) == Set(folders).subtracting(others))
  }

  @Test("A module imports what the table says, and only modules above it")
  func imports() throws {
    let modules = try Self.modules()
    let names = Set(modules.map(\.name))
    for (index, module) in modules.enumerated() {
      let found = try imported(by: module.name).intersection(names)
      #expect(found == module.imports, "\(module.name)")
      let above = Set(modules[..<index].map(\.name))
      #expect(
        found.isSubset(of: above), "\(module.name) imports \(found.subtracting(above).sorted())")
    }
  }

  @Test("Each walk has at most 12 hops, and the files that it names exist")
  func walks() throws {
    let file = packageFolder.appendingPathComponent("docs/architecture.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## Three walks").last)
    let walks = try #require(section.components(separatedBy: "\n## ").first)
      .components(separatedBy: "\n### ").dropFirst()
    #expect(walks.count == 3)
    for walk in walks {
      let hops = walk.split(separator: "\n").count { $0.prefixMatch(of: #/[0-9]+\. /#) != nil }
      #expect((5...12).contains(hops))
      for match in walk.matches(of: /`(\w+\/[\w+\/]+\.swift)`/) {
        let path = sources.appendingPathComponent(String(match.1)).path
        #expect(FileManager.default.fileExists(atPath: path), "\(match.1)")
      }
    }
  }

  private var sources: URL { packageFolder.appendingPathComponent("Sources") }

  /// The modules that any file of a module imports.
  private func imported(by module: String) throws -> Set<String> {
    let folder = sources.appendingPathComponent(module)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    var found: Set<String> = []
    for file in files where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      let pattern = /^(?:@\w+(?:\(\w+\))? )*(?:(?:internal|package|public) )?import (\w+)/
        .anchorsMatchLineEndings()
      found.formUnion(text.matches(of: pattern).map { String($0.1) })
    }
    return found
  }

  private static func modules() throws -> [Module] {
    let file = packageFolder.appendingPathComponent("docs/architecture.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.matches(of: /^\| `(\w+)` \|[^|]*\|([^|]*)\|$/.anchorsMatchLineEndings()).map {
      Module(
        name: String($0.1),
        imports: Set($0.2.matches(of: /`(\w+)`/).map { String($0.1) }))
    }
  }
}
