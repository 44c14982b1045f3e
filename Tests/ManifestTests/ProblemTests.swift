import Diagnostics
import Foundation
import Manifest
import Support
import Testing

@Suite("Problem")
struct ProblemTests {
  private static let range = SourceRange(
    file: 0, start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 1, column: 2))

  /// One of each kind that only the features of plugins can tell.
  private static let kinds: [Problem.Kind] = [
    .pluginUnavailable(plugin: "Packages", cause: "no libPackages.so in 'a', 'b'"),
    .unusedPlugin("Packages"),
    .unknownPlugin("Pakages", nearest: "Packages", allowed: ["Packages"]),
    .unknownFeature("Shop.Crat", nearest: "Shop.Cart", allowed: ["Shop.Cart"]),
    .unknownFeature("Shop.Zebra", nearest: nil, allowed: (1...12).map { "Shop.F\($0)" }),
    .unknownDelegate("opend", feature: "Shop.Cart", nearest: "opened", allowed: ["opened"]),
    .noSuchDelegate("opend", nearest: nil, allowed: ["closed", "opened"]),
    .idleSource(node: "list", actions: ["opened", "closed"]),
    .unroutedDelegate("opened", node: "list", feature: "Packages.List"),
    .unknownInput("go", feature: "Shop.Cart", nearest: nil, allowed: []),
    .noReceiver("go", receiver: "presenter"),
    .missingField("name", of: "Packages.Detail", type: "a string"),
    .superfluousField("nam", of: "Packages.Detail", nearest: "name", allowed: ["name"]),
    .superfluousField("nam", of: "Packages.List", nearest: nil, allowed: []),
    .unknownField("nam", of: "packageSelected", nearest: "name", allowed: ["name"]),
    .typeMismatch(field: "filter.size", expected: "an integer", actual: "a string"),
    .notInsertable("$.items", type: "a list"),
    .missingEnumCase(field: "level", cases: ["critical"]),
    .neverApplies(verb: "select", reason: "no container has the tab 'list'"),
    .idleRoute(actions: ["closed"]),
    .neverGiven("nuber", node: "box", nearest: "number", allowed: ["number"]),
    .textForReference(".title", field: "title", node: "box"),
    .parameterConflict("id", first: "an integer", second: "a string"),
    .unsayableParameter("tags", type: "a list of string"),
    .unreachableNode("detail"),
    .unboundedRecursion("detail"),
  ]

  @Test("What the features tell is worded here too")
  func wordsFeatureProblems() throws {
    let printed = Self.kinds.map { kind in
      let problem = Problem(kind, at: Self.range)
      return "\(problem.severity): \(problem.message) [\(problem.code)]\n"
    }.joined()
    let golden = Fixtures.folder.appending(path: "feature-problems.out")
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try printed.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(printed == (try String(contentsOf: golden, encoding: .utf8)))
  }

  @Test("Only plugins that can't be had, and what stops nothing, make another exit status")
  func tellsMissingPlugins() {
    let plugin = Problem(.pluginUnavailable(plugin: "A", cause: "b"), at: Self.range)
    let warning = Problem(.unreachableNode("a"), at: Self.range)
    let error = Problem(.mergeKey, at: Self.range)
    #expect([plugin, warning].onlyPluginsAreMissing)
    #expect(![plugin, error].onlyPluginsAreMissing)
    #expect(![warning].onlyPluginsAreMissing)
    #expect(![warning].containsErrors)
  }

  @Test("Text from a manifest can't send codes to a terminal")
  func quotesSafely() {
    let problem = Problem(
      .unknownNode("a\u{1B}[2J\n\u{202E}b", nearest: nil, allowed: []), at: Self.range)
    #expect(problem.message == "unknown node 'a\u{FFFD}[2J\\n\u{FFFD}b'")
  }
}

@Suite("NearestName")
struct NearestNameTests {
  @Test(
    "A name is near when few edits part them",
    arguments: [
      ("detial", "detail"), ("DETAIL", "detail"), ("detai", "detail"), ("detaill", "detail"),
      ("lst", "list"), ("zebra", nil), ("d", nil), ("", nil),
    ] as [(String, String?)])
  func findsNearest(name: String, expected: String?) {
    #expect(NearestName.of(name, among: ["list", "detail", "home"]) == expected)
  }

  @Test("Of equally near names the first one wins")
  func prefersTheFirst() {
    #expect(NearestName.of("node", among: ["nodes", "mode"]) == "nodes")
  }
}

@Suite("VersionRequirement")
struct VersionRequirementTests {
  @Test(
    "A version will do when every comparison holds",
    arguments: [
      (">=1.0 <2", "1.0.0", true), (">=1.0 <2", "1.99", true), (">=1.0 <2", "2", false),
      (">=1.0 <2", "0.9", false), ("1.2", "1.2.0", true), ("=1.2", "1.2.1", false),
      (">1", "1.0.1", true), ("<=1", "1.0", true), ("<=1", "1.0.1", false),
      (">=1.10", "1.9", false),
    ])
  func compares(text: String, version: String, expected: Bool) throws {
    #expect(try #require(VersionRequirement(text)).allows(version) == expected)
  }

  @Test("What is no requirement is refused", arguments: ["", "~1", ">=", "1.x", "1..2", ">= 1"])
  func refuses(text: String) {
    #expect(VersionRequirement(text) == nil)
  }

  @Test("A version that is none is neither allowed nor refused")
  func doesNotCompareNonsense() throws {
    #expect(try #require(VersionRequirement(">=1")).allows("beta") == nil)
  }
}
