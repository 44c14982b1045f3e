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

  @Test("Each walk has at most 12 hops, and each file declares or extends what the hop names first")
  func walks() throws {
    let file = packageFolder.appendingPathComponent("docs/architecture.md")
    let text = try String(contentsOf: file, encoding: .utf8)
    let section = try #require(text.components(separatedBy: "\n## Walks through").last)
    let walks = try #require(section.components(separatedBy: "\n## ").first)
      .components(separatedBy: "\n### ").dropFirst()
    #expect(walks.count == 7)
    for walk in walks {
      let named = #/^[0-9]+\. [^`]*`(?<name>\w+)(?:\.(?<member>\w+))?[^0-9]*?\(`(?<file>[^`]+)`\)/#
      let hops = walk.matches(of: named.anchorsMatchLineEndings())
      let count = walk.matches(of: #/^[0-9]+\. /#.anchorsMatchLineEndings()).count
      #expect((5...12).contains(count))
      let files = Set(hops.map(\.file)).count
      #expect(files <= (walk.hasPrefix("A typed line") ? 10 : 12), "\(walk.prefix(30))")
      // Two hops of a diagnostic name no type.
      #expect(hops.count >= count - 2)
      for hop in hops {
        let file = sources.appendingPathComponent(String(hop.file))
        let text = try String(contentsOf: file, encoding: .utf8)
        let (name, member) = (hop.name, hop.member ?? "")
        let type = try Regex("(class|struct|enum|actor|extension) \(name)\\b")
        #expect(text.contains(type), "\(name) is not in \(hop.file)")
        guard !member.isEmpty else { continue }
        #expect(text.contains("func \(member)"), "\(name).\(member) is not in \(hop.file)")
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
