@_spi(Host) import AppCore
import Manifest
import Support
import Testing

@_spi(Host) @testable import AppCheck
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

  @Test("Nodes, actions and values under 'with' multiply only up to a limit")
  func values() {
    let loaded = ManifestLoader().load(
      Array(
        (Self.head + """
          start: home
          nodes:
            home: { tabs: [list, detail] }
            list: { feature: Shop.List }
            detail: { feature: Shop.List }
            other: { feature: Shop.Any }
          routes:
            - { from: [list, detail], action: selected, push: other, with: { tags: [a, b, c] } }
          """).utf8), path: "test.yaml")
    // For each node a step, and four values.
    for (limit, codes) in [(10, []), (6, []), (5, ["too-many-pairs"])] {
      let result = loaded.built(limit: limit)
      #expect(result.problems.map(\.code) == codes)
      #expect((result.graph == nil) == !codes.isEmpty)
    }
  }

  @Test("A route that names the node wins over one for any, which may then never apply")
  func namedWins() throws {
    let report = BuildReport.expect(
      "idle-route",
      in: Self.head + """
        start: list
        nodes:
          list: { feature: Shop.List }
          detail: { feature: Shop.Detail, with: { id: 1, title: One } }
        routes:
          - { from: list, action: selected, push: detail }
          - { from: §any, action: closed, do: ignore }
          - { from: detail, action: closed, do: back }
        """)
    let graph = try #require(report.result.graph)
    #expect(graph.route(from: 1, action: "closed")?.verbs.map(\.word) == ["back"])
  }

  @Test("A plugin's configuration is read like arguments")
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

  @Test("A parameter of a link is a text, which has no fields")
  func fieldOfParameter() {
    BuildReport.expect(
      "unknown-field",
      in: Self.head + """
        start: quiet
        nodes:
          quiet: { feature: Shop.Quiet }
          detail: { feature: Shop.Any }
        links:
          - { path: "d/{id}", open: [{ push: detail, with: { text: $.id.§x } }] }
        """)
  }

  @Test("A container that passes on a part of an argument needs the argument")
  func partOfArgument() {
    BuildReport.expect(
      "missing-field",
      in: Self.head + """
        start: §home
        nodes:
          home: { tabs: [{ node: detail, with: { id: $.x.id, title: T } }] }
          detail: { feature: Shop.Detail }
        routes: [{ from: detail, action: closed, do: ignore }]
        """)
  }

  @Test("A dialog over a tab of a background container opens over what is in front")
  func tabsInBackground() {
    BuildReport.expect(
      in: Self.head + """
        start: quiet
        background: [box]
        nodes:
          quiet: { feature: Shop.Quiet }
          box: { tabs: [ticker] }
          ticker: { feature: Shop.List }
          alert: { feature: Shop.Detail }
        routes:
          - { from: ticker, action: selected, present: alert, with: { id: $.id, title: $.title } }
          - { from: alert, action: closed, do: [{ notify: opener, as: asked, with: true }, dismiss] }
        """)
  }

  @Test("The first of every stack that it is in can't be removed with what is above it")
  func inclusiveRoot() {
    BuildReport.expect(
      "never-applies",
      in: Self.head + """
        start: list
        nodes:
          list: { feature: Shop.List }
          detail: { feature: Shop.Detail }
        routes:
          - { from: list, action: selected, push: detail, with: { id: 1, title: a } }
          - { from: detail, action: closed, §popTo: list, inclusive: true }
        """)
  }
}
