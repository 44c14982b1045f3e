@_spi(Host) import AppCore
import Testing

@_spi(Host) @testable import AppCheck
@_spi(Host) @testable import Navigation

@Suite("GraphBuilder: what receivers are supplied with")
struct NotifySupplyTests {
  private static var catalog: FeatureCatalog {
    FeatureCatalog(
      "Lab",
      [
        FeatureInfo(name: "Lab.Bench", delegates: [CaseSchema(name: "weighed", payload: nil)]),
        FeatureInfo(name: "Lab.Gauge", inputs: [CaseSchema(name: "shown", payload: .double)]),
        FeatureInfo(name: "Lab.Label", inputs: [CaseSchema(name: "shown", payload: .string)]),
        FeatureInfo(name: "Lab.Lamp", inputs: [CaseSchema(name: "shown", payload: .bool)]),
      ])
  }

  private static func text(_ lamp: String = "") -> String {
    """
    appcore: 1
    plugins: [Lab]
    start: bench
    nodes:
      bench: { feature: Lab.Bench }
      gauge: { feature: Lab.Gauge }
      label: { feature: Lab.Label }
      \(lamp)
    background: [gauge]
    routes:
      - { from: bench, action: weighed, do: [{ push: gauge }, { notify: current, as: shown, with: §1.10 }] }
    links:
      - { path: label, open: [label] }
      - { path: lamp, open: [\(lamp.isEmpty ? "label" : "lamp")] }
    """
  }

  @Test("A literal is read by the type of each receiver")
  func byType() throws {
    let text = Self.text().replacing("§", with: "")
    let report = BuildReport.expect(in: text, catalog: Self.catalog)
    let route = try #require(report.result.graph?.route(from: 0, action: "weighed"))
    guard case .notify(_, _, let template, let others) = route.verbs[1] else {
      return #expect(Bool(false), "\(route)")
    }
    #expect(template == .value(1.1))
    #expect(others == ["Lab.Label": .value("1.10")])
  }

  @Test("It is checked for every receiver that has the input")
  func everyReceiver() {
    BuildReport.expect(
      "type-mismatch", in: Self.text("lamp: { feature: Lab.Lamp }"), catalog: Self.catalog)
  }
}
