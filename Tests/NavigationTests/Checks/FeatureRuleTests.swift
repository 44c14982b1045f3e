import Foundation
import Support
import Testing

@testable import Manifest
@testable import Navigation

@Suite("The rules for features")
struct FeatureRuleTests {
  private static let range = SourceRange(
    file: 0, start: SourcePosition(line: 1, column: 1), end: SourcePosition(line: 1, column: 2))

  /// One of each kind that only the features of plugins can tell.
  private static let findings: [Finding] = [
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

  @Test("Every rule for features has its words")
  func wordsFeatureProblems() throws {
    let printed = Self.findings.map { finding in
      let problem = Diagnostic(finding, at: Self.range)
      return "\(problem.severity): \(problem.message) [\(problem.code)]\n"
    }.joined()
    let golden = URL(filePath: #filePath).appending(
      path: "../../../Fixtures/manifests/feature-problems.out"
    )
    .standardized
    if ProcessInfo.processInfo.environment["RECORD"] == "1" {
      try printed.write(to: golden, atomically: true, encoding: .utf8)
    }
    #expect(printed == (try String(contentsOf: golden, encoding: .utf8)))
  }

  @Test("Only plugins that can't be loaded, and what stops nothing, make another exit status")
  func tellsMissingPlugins() {
    let plugin = Diagnostic(.pluginUnavailable(plugin: "A", cause: "b"), at: Self.range)
    let warning = Diagnostic(.unreachableNode("a"), at: Self.range)
    let error = Diagnostic(.mergeKey, at: Self.range)
    #expect([plugin, warning].onlyPluginsAreMissing)
    #expect(![plugin, error].onlyPluginsAreMissing)
    #expect(![warning].onlyPluginsAreMissing)
    #expect(![warning].containsErrors)
  }
}

extension Suggestion: ExpressibleByStringLiteral {
  public init(stringLiteral name: String) { self.init(name, isCertain: true) }
}
