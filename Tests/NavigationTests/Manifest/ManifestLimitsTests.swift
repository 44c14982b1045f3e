import Foundation
import Manifest
internal import Support
import Testing

@Suite("ManifestLimits")
struct ManifestLimitsTests {
  private func codes(_ text: String, limits: ManifestLimits = .init()) -> [String] {
    let options = ManifestLoader.Options(environment: { _ in nil }, limits: limits)
    return ManifestLoader(options: options).load(Array(text.utf8), path: "app.yaml").problems
      .map(\.code)
  }

  private let head = "appcore: 1\nstart: a\nnodes: { a: { feature: A.A } }\n"

  @Test("A file over the limit is named, and not read")
  func limitsBytes() {
    var limits = ManifestLimits()
    limits.bytes = 1000
    #expect(codes(head + String(repeating: "#\n", count: 600), limits: limits) == ["too-large"])
    #expect(codes(head, limits: limits).isEmpty)
  }

  @Test("Nesting of every style ends at its limit, before libyaml's time grows")
  func limitsNesting() {
    let deep = 200_000
    #expect(codes(head + "x-a: " + String(repeating: "[", count: deep)) == ["too-nested"])
    #expect(codes(head + "x-a: " + String(repeating: "{a: ", count: deep)) == ["too-nested"])
    #expect(
      codes(head + "x-a:\n  " + String(repeating: "- ", count: deep)) == ["too-nested"])
    #expect(codes(head + "x-a:\n  " + String(repeating: "? ", count: deep)) == ["too-nested"])
    #expect(codes(String(repeating: "[\n", count: deep)) == ["too-nested"])
  }

  @Test("Aliases of aliases count with all that they stand for")
  func limitsAliases() {
    var limits = ManifestLimits()
    limits.aliases = 3
    let some = head + "x-a: &a 1\nx-b: [*a, *a, *a"
    #expect(codes(some + "]\n", limits: limits).isEmpty)
    #expect(codes(some + ", *a]\n", limits: limits) == ["too-many-aliases"])
    // Levels through aliases are levels: readers that follow them must not run out of stack.
    let chain = (1..<300).map { "x-\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
    #expect(codes(head + "x-0: &a0 [1]\n" + chain) == ["too-nested"])
  }

  @Test("Variables count at each use with all that is in their lists and maps")
  func limitsVariables() throws {
    var limits = ManifestLimits()
    limits.expansion = 10
    func text(_ uses: Int) -> String {
      let use = Array(repeating: "$vars.a", count: uses).joined(separator: ", ")
      return """
        appcore: 1
        start: a
        vars: { a: { default: [1, { b: 2 }, 3] }, text: { default: x } }
        nodes: { a: { feature: A.A, with: { a: [\(use)] } }, b: { feature: A.A, with: $vars.text } }
        routes: [{ from: a, action: a, push: b }]

        """
    }
    #expect(codes(text(2), limits: limits).isEmpty)
    #expect(codes(text(20), limits: limits) == ["too-much-expansion"])
    let options = ManifestLoader.Options(environment: { _ in nil }, limits: limits)
    let result = ManifestLoader(options: options).load(Array(text(3).utf8), path: "app.yaml")
    let problem = try #require(result.problems.first)
    #expect(problem.range.start == SourcePosition(line: 4, column: 59))
    #expect(
      problem.message
        == "with '$vars.a' here, the variables expand to more than the limit of 10 values; "
        + "shorten its default, or use it in fewer places")
    // So that nothing that reads the manifest expands it in spite of that.
    #expect(result.manifest?.variables.map(\.value?.kind).first == .invalid)
    // A variable can't refer to another one, so that uses do not multiply.
    let nested =
      "vars: { a: { default: [$vars.b, $vars.b] }, b: { default: [$vars.c, $vars.c] } }\n"
    #expect(Set(codes(head + nested)) == ["variable-not-literal", "unused-variable"])
  }

  @Test("A link brings no more containers along than may nest")
  func limitsContainers() throws {
    let count = 300
    let text =
      "appcore: 1\nstart: c0\nnodes:\n"
      + (0..<count).map { "  c\($0): { tabs: [c\($0 + 1)] }\n" }.joined()
      + "  c\(count): { feature: A.A }\nlinks:\n"
      + (0..<count).map { "  - { path: a\($0), open: [c\(count)] }\n" }.joined()
    #expect(codes(text) == ["too-nested"])
    let manifest = try #require(ManifestLoader().load(Array(text.utf8), path: "a.yaml").manifest)
    #expect(manifest.links.allSatisfy { $0.open.count <= 34 })
  }

  @Test("Directives, documents and comments in any number end soon")
  func limitsPreamble() {
    let many = 200_000
    #expect(
      codes(String(repeating: "%TAG !a! tag:a\n", count: many) + "---\n" + head) == ["custom-tag"])
    #expect(
      codes(head + "...\n" + String(repeating: "%TAG !a! tag:a\n", count: many))
        == ["several-documents"])
    #expect(codes(head + String(repeating: "---\n", count: many)) == ["several-documents"])
    #expect(codes(head + "...\n# the end\n\n").isEmpty)
  }

  @Test("A manifest full of mistakes reports each of them")
  func reportsEverything() {
    let many = 5000
    let routes = (0..<many).map { "  - { from: a, action: x\($0), push: b\($0) }\n" }.joined()
    #expect(codes(head + "routes:\n" + routes) == Array(repeating: "unknown-node", count: many))
    let keys = (0..<many).map { "  n\($0): { feature: A.A, featur: A.B, with: { a: 1, a: 2 } }\n" }
    let text = "appcore: 1\nstart: n0\nnodes:\n" + keys.joined()
    let found = codes(text)
    #expect(found.count { $0 == "unknown-key" } == many)
    #expect(found.count { $0 == "duplicate-key" } == many)
  }

  @Test("Unused names are compared with texts that are no references only within a budget")
  func limitsMeantNames() {
    func text(_ count: Int) -> String {
      let names = (0..<count).map { "v\($0): { default: 1 }" } + ["zebra: { default: 1 }"]
      let texts = (0..<count).map { ".t\($0)tttttttttt" } + [".zebro"]
      return """
        appcore: 1
        start: a
        vars: { \(names.joined(separator: ", ")) }
        nodes: { a: { feature: A.A, with: { a: [\(texts.joined(separator: ", "))] } } }

        """
    }
    #expect(codes(text(10)).count { $0 == "unused-variable" } == 10)
    #expect(codes(text(700)).count { $0 == "unused-variable" } == 701)
  }

  @Test("Every unknown key of a manifest is reported, and every field of repeated plugins compared")
  func reportsLargeMaps() {
    let many = 10_000
    let keys = (0..<many).map { "qqqqqqqqqqqq\($0): 1\n" }.joined()
    #expect(codes(head + keys) == Array(repeating: "unknown-key", count: many))
    let fields = (0..<many).map { "f\($0): 1" }
    func plugins(_ first: [String], _ second: [String]) -> String {
      let entries = [first, second].map { "{ name: A, with: { \($0.joined(separator: ", ")) } }" }
      return head + "plugins: [\(entries.joined(separator: ", "))]\n"
    }
    #expect(codes(plugins(fields, fields.reversed())).isEmpty)
    #expect(codes(plugins(fields, fields.dropLast() + ["g: 1"])) == ["conflicting-plugin"])
  }

  @Test("Lists of nodes and actions multiply only up to a limit")
  func limitsPairs() {
    let many = 3000
    let nodes = (0..<many).map { "  n\($0): { feature: A.A }\n" }.joined()
    let names = (0..<many).map { "n\($0)" }.joined(separator: ", ")
    let route = "  - { from: [\(names)], action: [\(names)], do: ignore }\n"
    let text = "appcore: 1\nstart: n0\nnodes:\n\(nodes)routes:\n\(route)\(route)"
    #expect(codes(text) == ["too-many-pairs"])
  }

  @Test("Includes nest no deeper than their limit")
  func limitsIncludes() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for index in 0..<30 {
      let rest = index == 0 ? "start: a\nnodes: { a: { feature: A.A } }\n" : ""
      try "appcore: 1\ninclude: [\(index + 1).yaml]\n\(rest)"
        .write(to: folder.appending(path: "\(index).yaml"), atomically: true, encoding: .utf8)
    }
    let path = folder.appending(path: "0.yaml").path(percentEncoded: false)
    let result = try Fixtures.loader.load(path: path)
    #expect(result.problems.map(\.code) == ["includes-too-deep"])
    #expect(!result.isComplete)
    #expect(result.sources.files.count == 17)
  }
}
