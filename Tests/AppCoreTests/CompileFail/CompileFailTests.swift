import Foundation
import TestSupport
import Testing

/// Code that must not compile, with what the compiler says of it.
///
/// A snippet is a file in `Tests/Fixtures/compile-fail`. A comment `// expect: TEXT` says that the
/// compiler complains about the line below with a message that holds the text; a snippet without one
/// must compile without a word.
@Suite("Misuse that the compiler rejects")
struct CompileFailTests {
  private static let folder = packageFolder.appending(path: "Tests/Fixtures/compile-fail")

  static let snippets: [String] = {
    let files = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
    return (files ?? []).filter { $0.hasSuffix(".swift") }.sorted()
  }()

  /// What the compiler says about the lines of a snippet.
  private func diagnostics(_ name: String) async throws -> [(line: Int, text: String)] {
    let compiler = try #require(Program.find("swiftc"), "there is no 'swiftc' on the search path")
    let output = try await Program.run(
      compiler,
      [
        "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm",
        "-I", buildFolder.appending(path: "Modules").path, Self.folder.appending(path: name).path,
        Self.folder.appending(path: "Support/Editor.swift").path,
      ], mergesErrors: true
    ).output
    return output.split(separator: "\n").compactMap { line in
      guard line.contains("error: ") || line.contains("warning: ") else { return nil }
      let parts = line.split(separator: ":", maxSplits: 3)
      guard parts.count == 4, parts[0].hasSuffix("/\(name)"), let number = Int(parts[1]) else {
        // About something else than the snippet, such as a module that can't be loaded.
        return (0, String(line))
      }
      return (number, String(parts[3]))
    }
  }

  @Test("The snippets are there")
  func presence() {
    #expect(Self.snippets.contains("allowed.swift"))
    #expect(Self.snippets.count > 10)
  }

  @Test(
    "A snippet is refused where it says so, in the words it says, and nowhere else",
    arguments: snippets)
  func snippet(name: String) async throws {
    let lines = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false)
    let marker = "// expect: "
    var expected: [Int: String] = [:]
    for (index, line) in lines.enumerated() {
      guard let range = line.range(of: marker) else { continue }
      // The line below, counted from 1.
      expected[index + 2] = String(line[range.upperBound...])
    }
    #expect(expected.isEmpty == (name == "allowed.swift"))
    let found = try await diagnostics(name)
    for (line, text) in expected {
      #expect(found.contains { $0.line == line && $0.text.contains(text) }, "\(found)")
    }
    #expect(found.allSatisfy { expected[$0.line] != nil }, "\(found)")
  }
}
