import Foundation
import TestSupport
import Testing

/// The constructs of the SDK by which code gets around the type system, against the table of them in
/// `docs/architecture.md`.
@Suite("Unsafe constructs")
struct UnsafeCodeTests {
  /// What counts: a pointer, a reference that is counted by hand, a cast of bits, a symbol looked up by
  /// its name.
  private static let constructs = #"""
    \b(unsafe[A-Z]\w*|withUnsafe\w*|Unsafe\w+|Unmanaged|OpaquePointer|assumingMemoryBound\
    |withMemoryRebound|bindMemory|initializeMemory|dlsym|_silgen_name|unowned\(unsafe\)\
    |nonisolated\(unsafe\)|unchecked\w*Downcast)
    """#.replacing("\\\n", with: "")

  /// The lines with such a construct in each file, comments not counted.
  private func counted() throws -> [String: Int] {
    let folder = packageFolder.appending(path: "Sources/SDK/AppCore")
    let names = FileManager.default.enumerator(atPath: folder.path)?.allObjects as? [String] ?? []
    // Of Unicode's words, `start.load` is one.
    let construct = try Regex(Self.constructs).wordBoundaryKind(.simple)
    var counts: [String: Int] = [:]
    for name in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      let lines = text.split(separator: "\n").filter { line in
        !line.drop { $0 == " " }.hasPrefix("//") && line.contains(construct)
      }
      if !lines.isEmpty { counts[name] = lines.count }
    }
    return counts
  }

  /// The rows of the table: each begins with a file and a number of lines.
  private func listed() throws -> [String: Int] {
    let page = packageFolder.appending(path: "docs/architecture.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    var rows: [String: Int] = [:]
    for row in text.matches(of: /\n\| `([A-Za-z+\/]+\.swift)` \| ([0-9]+) \| [^|]+ \| [^|]+ \|/) {
      rows[String(row.1)] = Int(row.2)
    }
    return rows
  }

  @Test("They are those that the page lists, each with its reason and with what it relies on")
  func table() throws {
    let (counted, listed) = (try counted(), try listed())
    for file in Set(counted.keys).union(listed.keys).sorted() where counted[file] != listed[file] {
      Issue.record(
        """
        \(file) has unsafe constructs in \(counted[file] ?? 0) lines, and docs/architecture.md lists \
        \(listed[file] ?? 0): write it in plain Swift, or give the reason there
        """)
    }
  }

  @Test("There are none in states, reducers and effects")
  func folders() throws {
    for folder in ["State/", "Reducers/", "Effects/"] {
      #expect(try counted().keys.filter { $0.hasPrefix(folder) } == [])
    }
  }
}
