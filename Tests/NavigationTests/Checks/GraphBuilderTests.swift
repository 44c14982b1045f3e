@_spi(Host) import AppCore
import Manifest
import Support
import Testing

@_spi(Host) @testable import Navigation

@Suite("GraphBuilder")
struct GraphBuilderTests {
  static let head = "appcore: 1\nname: test\nplugins: [Shop]\n"

  @Test("A right manifest becomes a graph, with nodes and routes as they are written")
  func graph() throws {
    let report = BuildReport.expect(
      in: Self.head + """
        start: home
        background: [{ node: watch, with: { text: app } }]
        nodes:
          home: { title: Home, tabs: [list, quiet], background: [watch] }
          list: { feature: Shop.List }
          quiet: { feature: Shop.Quiet }
          watch: { feature: Shop.Any }
          detail: { feature: Shop.Detail, maxDepth: 3 }
        routes:
          - { from: list, action: selected, push: detail, with: { id: $.id, title: $.title } }
          - { from: any, action: closed, do: back }
        """)
    let graph = try #require(report.result.graph)
    #expect(graph.name == "test")
    #expect(graph.nodes.map(\.name) == ["home", "list", "quiet", "watch", "detail"])
    #expect(graph.nodes[0].title == "Home")
    #expect(graph.nodes[0].background.map(\.node) == [3])
    #expect(graph.nodes[4].maxDepth == 3)
    #expect(graph.start.node == 0)
    #expect(graph.background.map(\.node) == [3])
    #expect(graph.background.first?.arguments.resolved(.null) == ["text": "app"])
    #expect(graph.allRoutes.map(\.action) == ["selected", "closed"])
    #expect(graph.route(from: 4, action: "closed")?.verbs.first?.word == "back")
  }

  @Test("A feature that no plugin has, and a plugin that nobody has")
  func unknownFeature() throws {
    let report = BuildReport.expect(
      "unknown-feature", "unknown-plugin",
      in: Self.head + """
        start: list
        nodes:
          list: { feature: Shop.Quiet }
          detail: { feature: §Shop.Detial }
          other: { feature: §Shap.Detail }
        links:
          - { path: a, open: [detail] }
          - { path: b, open: [other] }
        """)
    #expect(report.messages[0].contains("did you mean 'Shop.Detail'?"))
    #expect(report.messages[1].contains("did you mean 'Shop'?"))
    #expect(report.result.graph == nil)
  }

  @Test("A plugin that can't be loaded is one problem, whatever depends on it")
  func unavailablePlugin() {
    let report = BuildReport.expect(
      "plugin-unavailable",
      in: """
        appcore: 1
        name: test
        plugins: [Shop, §Lost]
        start: list
        nodes:
          list: { feature: Shop.List }
          lost: { feature: Lost.Feature, with: { a: 1 } }
          home: { tabs: [{ node: lost, with: { b: $.c } }, list] }
        routes:
          - { from: list, action: selected, push: lost, with: { id: $.id } }
          - { from: lost, action: gone, do: [{ notify: lost, as: what }, { present: home }] }
          - { from: [list, lost], action: also, do: ignore }
          - { from: any, action: lostToo, notify: presenter }
        """)
    #expect(report.result.problems.onlyPluginsAreMissing)
  }

  @Test("A feature with a defect can't be used")
  func defect() {
    var catalog = FeatureCatalog()
    catalog["Shop"] = .available(
      configuration: .object([]), features: [FeatureInfo(name: "Shop.List", defect: "it is odd")])
    BuildReport.expect(
      "unusable-feature",
      in: Self.head + "start: list\nnodes:\n  list: { feature: §Shop.List }\n", catalog: catalog)
  }

  @Test("A plugin that nothing uses is a warning, and the graph is made")
  func unusedPlugin() {
    var catalog = FeatureCatalog.mocks
    catalog["Spare"] = .available(configuration: .object([]), features: [])
    let report = BuildReport.expect(
      "unused-plugin",
      in: """
        appcore: 1
        name: test
        plugins:
          - Shop
          - §Spare
        start: quiet
        nodes: { quiet: { feature: Shop.Quiet } }
        """, catalog: catalog)
    #expect(report.result.graph != nil)
  }

  @Test("A plugin's configuration is checked like arguments")
  func configuration() throws {
    let text = { (with: String) in
      """
      appcore: 1
      name: test
      plugins: [{ name: Shop, with: { \(with) } }]
      start: quiet
      nodes: { quiet: { feature: Shop.Quiet } }
      """
    }
    BuildReport.expect("superfluous-field", in: text("§databse: x"))
    BuildReport.expect("type-mismatch", in: text("limit: §many"))
    let report = BuildReport.expect(in: text("database: 1.10, limit: 7"))
    #expect(
      report.result.configurations["Shop"]?.resolved(.null) == ["database": "1.10", "limit": 7])
  }

  @Test("A plugin's configuration that is due and not given is missing")
  func missingConfiguration() {
    var catalog = FeatureCatalog()
    catalog["Shop"] = .available(
      configuration: .object([Schema.Field(name: "path", schema: .string)]),
      features: [FeatureInfo(name: "Shop.Quiet")])
    BuildReport.expect(
      "missing-field",
      in: """
        appcore: 1
        name: test
        plugins: [§Shop]
        start: quiet
        nodes: { quiet: { feature: Shop.Quiet } }
        """, catalog: catalog)
  }

  @Test("A node that nothing reaches is a warning; to be told or popped to is not to be reached")
  func unreachable() {
    let report = BuildReport.expect(
      "unreachable-node", "unreachable-node",
      in: Self.head + """
        start: list
        nodes:
          list: { feature: Shop.List }
          §quiet: { feature: Shop.Quiet }
          §form: { feature: Shop.Any }
        routes:
          - { from: list, action: selected, do: [{ notify: quiet, as: asked, with: true }, { popTo: form }] }
        """)
    #expect(report.result.graph != nil)
  }

  @Test("Routes for any reach from those nodes only that have the action")
  func reachedByAny() {
    BuildReport.expect(
      "unreachable-node", "unreachable-node",
      in: Self.head + """
        start: quiet
        nodes:
          quiet: { feature: Shop.Quiet }
          §list: { feature: Shop.List }
          §form: { feature: Shop.Any }
        routes:
          - { from: any, action: selected, push: form }
        """)
  }

  @Test("A node that can be pushed onto itself is noted, unless maxDepth or singleTop bound it")
  func recursion() {
    let text = { (mark: String, depth: String, option: String) in
      Self.head + """
        start: list
        nodes:
          \(mark)list: { feature: Shop.List\(depth) }
        routes:
          - { from: any, action: selected, push: list\(option) }
        """
    }
    let report = BuildReport.expect("unbounded-recursion", in: text("§", "", ""))
    #expect(report.result.problems.first?.severity == .note)
    BuildReport.expect(in: text("", ", maxDepth: 4", ""))
    BuildReport.expect(in: text("", "", ", singleTop: true"))
  }
}
