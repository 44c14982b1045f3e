@_spi(Host) import AppCore
internal import Support
import Testing

@_spi(Host) @testable import AppCheck
@_spi(Host) @testable import Navigation

/// Something that is given once and used twice has to fit both.
@Suite("GraphBuilder: arguments and parameters with several uses")
struct SharedArgumentTests {
  @Test("A link's parameter for two lists of names is one of those that are in both")
  func parameter() {
    func feature(_ name: String, _ names: [String]) -> FeatureInfo {
      FeatureInfo(
        name: "Q.\(name)", arguments: .object([.init(name: "kind", schema: .choice(names))]))
    }
    let catalog = FeatureCatalog(
      "Q",
      [
        FeatureInfo(name: "Q.Begin"), feature("A", ["new", "old"]), feature("B", ["old", "odd"]),
        feature("C", ["odd"]),
      ])
    func text(_ second: String) -> String {
      """
      appcore: 1
      plugins: [Q]
      start: begin
      nodes:
        begin: { feature: Q.Begin }
        a: { feature: Q.A }
        other: { feature: Q.\(second) }
      links:
        - path: "x/{k}"
          open: [begin, { push: a, with: { kind: $.k } }, { push: other, with: { kind: §$.k } }]
      """
    }
    let report = BuildReport(text("B").replacing("§", with: ""), catalog: catalog)
    #expect(report.problems == [])
    #expect(report.result.graph?.links.first?.types["k"] == .choice(["old"]))
    BuildReport.expect("parameter-conflict", in: text("C"), catalog: catalog)
  }

  @Test("A conflict points at the use that gave the parameter its type, not at an earlier one")
  func firstOfConflict() throws {
    func feature(_ name: String, _ type: Schema) -> FeatureInfo {
      FeatureInfo(name: "Q.\(name)", arguments: .object([.init(name: "value", schema: type)]))
    }
    let catalog = FeatureCatalog(
      "Q",
      [
        FeatureInfo(name: "Q.Begin"), feature("Ratio", .double), feature("Count", .int),
        feature("Name", .string),
      ])
    let report = BuildReport(
      """
      appcore: 1
      plugins: [Q]
      start: begin
      nodes:
        begin: { feature: Q.Begin }
        ratio: { feature: Q.Ratio }
        count: { feature: Q.Count }
        name: { feature: Q.Name }
      links:
        - path: "x/{v}"
          open:
            - begin
            - { push: ratio, with: { value: $.v } }
            - { push: count, with: { value: $.v } }
            - { push: name, with: { value: $.v } }
      """, catalog: catalog)
    let problem = try #require(report.result.problems.first)
    #expect(problem.code == "parameter-conflict")
    #expect(problem.range.start.line == 15)
    #expect(problem.related?.range.start.line == 14, "\(problem.message)")
  }
}
