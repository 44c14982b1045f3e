@_spi(Host) import AppCheck
@_spi(Host) import AppCore
@_spi(Host) import Navigation

/// A manifest of any number of lines that says one thing again and again.
struct GrowingManifest: Sendable {
  let name: String
  /// The manifest of about so many lines.
  let text: @Sendable (Int) -> String

  private init(_ name: String, _ text: @escaping @Sendable (Int) -> String) {
    self.name = name
    self.text = text
  }

  /// Nodes with a route each: half of the lines are nodes.
  private init(
    _ name: String, head: String = "", node: String = "feature: P.Page",
    route: @escaping @Sendable (Int, Int) -> String, links: (@Sendable (Int, Int) -> String)? = nil
  ) {
    self.init(name) { lines in
      let count = max(1, lines / (links == nil ? 2 : 3))
      let nodes = (0..<count).map { "  n\($0): { \(node) }\n" }.joined()
      let routes = (0..<count).map { "  - { \(route($0, count)) }\n" }.joined()
      let all = (0..<count).map { number in
        links.map { "  - { path: \"l\(number)\", \($0(number, count)) }\n" } ?? ""
      }
      return """
        appcore: 1
        plugins: [P]
        start: n0
        \(head)
        nodes:
        \(nodes)
        routes:
        \(routes)
        \(links == nil ? "" : "links:\n" + all.joined())
        """
    }
  }

  /// A route from each node to the next.
  private static func next(_ name: String, _ verb: String) -> GrowingManifest {
    GrowingManifest(name) { "from: n\($0), action: go, \(verb): n\(($0 + 1) % $1)" }
  }

  /// What follows the push of each node by the one before it.
  private static func pushed(_ name: String, _ step: String) -> GrowingManifest {
    GrowingManifest(name) { lines in
      let count = max(1, lines / 3)
      let routes = (0..<count).map { number in
        let next = "n\((number + 1) % count)"
        let step = step.replacing("NEXT", with: next)
          .replacing("BEFORE", with: "n\(max(0, number - 1))")
          .replacing("FAR", with: "n\((number * 7919 + 13) % count)")
        return "  - { from: n\(number), action: go, push: \(next) }\n"
          + "  - { from: n\(number), action: more, \(step) }\n"
      }
      return """
        appcore: 1
        plugins: [P]
        start: n0
        nodes:
        \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
        routes:
        \(routes.joined())
        """
    }
  }

  /// Containers with one tab each.
  private static func containers(
    _ name: String, _ tab: @escaping @Sendable (Int, Int) -> String
  ) -> GrowingManifest {
    GrowingManifest(name) { lines in
      """
      appcore: 1
      plugins: [P]
      start: n0
      nodes:
        page: { feature: P.Page }
      \((0..<lines).map { "  n\($0): { \(tab($0, lines)) }\n" }.joined())
      """
    }
  }
}

extension GrowingManifest {
  /// Every verb and every receiver.
  static let verbs: [GrowingManifest] =
    ["push", "present", "replace", "reset", "select", "popTo", "notify"].map { next($0, $0) } + [
      GrowingManifest("push with maxDepth", node: "feature: P.Page, maxDepth: 3") {
        "from: n\($0), action: go, push: n\(($0 + 1) % $1)"
      },
      GrowingManifest("push singleTop") {
        "from: n\($0), action: go, push: n\(($0 + 1) % $1), singleTop: true"
      },
      pushed("back", "do: back"), pushed("dismiss", "do: dismiss"), pushed("ignore", "do: ignore"),
      pushed("popTo what is beneath", "popTo: BEFORE"),
      pushed("popTo what is above", "popTo: NEXT"),
      pushed("popTo what is far", "popTo: FAR"), pushed("popTo root", "popTo: root"),
      pushed("popTo inclusive", "popTo: BEFORE, inclusive: true"),
      pushed("cut", "present: FAR, ifCovered: cut"),
      pushed("reset far", "reset: FAR"), pushed("present far", "present: FAR"),
      pushed("notify current", "notify: current, as: told"),
      pushed("notify presenter", "notify: presenter, as: told"),
      pushed("notify opener", "notify: opener, as: told"),
      pushed("notify far", "notify: FAR, as: told, toAll: true"),
      pushed("notify what nobody receives", "notify: current, as: tolt"),
      pushed("replace by far", "replace: FAR"),
      pushed("over", "do: [{ present: FAR, ifCovered: over }, { notify: opener, as: told }]"),
      pushed(
        "several", "do: [{ push: FAR }, back, { push: NEXT }, { notify: presenter, as: told }]"),
      GrowingManifest("notify after replaces") {
        "from: n\($0), action: go, do: [{ replace: n\(($0 + 1) % $1) }, { notify: presenter, as: told }]"
      },
      GrowingManifest("present, then notify opener") {
        "from: n\($0), action: go, do: [{ notify: opener, as: told }, { present: n\(($0 + 1) % $1) }]"
      },
      GrowingManifest("select of one container") { lines in
        let count = max(2, lines / 2)
        return """
          appcore: 1
          plugins: [P]
          start: home
          nodes:
            home: { tabs: [\((0..<count).map { "n\($0)" }.joined(separator: ", "))] }
          \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
          routes:
          \((0..<count).map { "  - { from: n\($0), action: go, select: n\(($0 + 1) % count) }\n" }.joined())
          """
      },
      GrowingManifest("select of many containers") { lines in
        let count = max(2, lines / 3)
        return """
          appcore: 1
          plugins: [P]
          start: c0
          nodes:
            page: { feature: P.Page }
          \((0..<count).map { "  c\($0): { tabs: [n\($0), page] }\n" }.joined())
          \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
          routes:
          \((0..<count).map { "  - { from: n\($0), action: go, do: [{ push: c\(($0 + 1) % count) }, { select: page }] }\n" }.joined())
          """
      },
    ]

  /// Every kind of mistake, and what grows without one.
  static let mistakes: [GrowingManifest] = [
    GrowingManifest("unrouted actions") { number, _ in
      "from: n\(number), action: closed, do: dismiss"
    },
    GrowingManifest("misspelt actions") { "from: n\($0), action: goo, push: n\($1 - 1)" },
    GrowingManifest("different misspelt actions") { number, _ in
      "from: n\(number), action: go\(number), push: n0"
    },
    GrowingManifest("actions of any") { "from: any, action: go\($0), push: n\($1 - 1)" },
    GrowingManifest("the same action of any") { "from: any, action: go, push: n\($0 % $1)" },
    GrowingManifest("unknown nodes") { number, _ in "from: n\(number), action: go, push: m\(number)"
    },
    GrowingManifest("unknown inputs") { number, _ in
      "from: n\(number), action: go, notify: n0, as: told\(number)"
    },
    GrowingManifest("unknown keys", node: "feature: P.Page, titel: x") { number, _ in
      "from: n\(number), action: go, psuh: n0, wiht: { id: x }"
    },
    GrowingManifest("unknown keys of one node") { lines in
      let keys = (0..<lines).map { "    titl\($0): x\n" }.joined()
      return "appcore: 1\nstart: n\nnodes:\n  n:\n    feature: P.Page\n\(keys)"
    },
    GrowingManifest("missing keys", node: "title: x") { _, _ in "action: go" },
    GrowingManifest("wrong shapes", node: "feature: [P.Page], maxDepth: x, with: 1") { _, _ in
      "from: { a: b }, action: {}, do: { push: [n0] }"
    },
    GrowingManifest("unknown values") { number, _ in
      "from: n\(number), action: go, push: n0, ifCovered: ovre, singleTop: yes"
    },
    GrowingManifest("unknown verbs") { number, _ in "from: n\(number), action: go, do: dismis" },
    GrowingManifest("several verbs") { number, _ in
      "from: n\(number), action: go, push: n0, do: back, reset: n0"
    },
    GrowingManifest("references that are none") { number, _ in
      "from: n\(number), action: go, push: n0, with: { id: $idd, size: $dir/x }"
    },
    GrowingManifest("duplicate nodes") { lines in
      let nodes = (0..<lines).map { "  n\($0 / 2): { feature: P.Page }\n" }.joined()
      return "appcore: 1\nplugins: [P]\nstart: n0\nnodes:\n\(nodes)"
    },
    GrowingManifest("unused variables") { lines in
      let variables = (0..<lines).map { "  v\($0): { default: 1 }\n" }.joined()
      return
        "appcore: 1\nplugins: [P]\nstart: n\nvars:\n\(variables)nodes: { n: { feature: P.Page } }\n"
    },
    GrowingManifest("unreachable nodes") { _, _ in "from: n0, action: go, do: ignore" },
    GrowingManifest("selects of what is no tab") { "from: n\($0), action: go, select: n\($1 - 1)" },
    GrowingManifest("what a container is never given") { lines in
      let count = max(1, lines / 2)
      let tabs = (0..<count).map { "{ node: n\($0), with: { id: $.f\($0) } }" }
      return """
        appcore: 1
        plugins: [P]
        start: n0
        nodes:
          home: { tabs: [\(tabs.joined(separator: ", "))] }
        \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
        routes:
        \((0..<count).map { "  - { from: n\($0), action: go, push: home, with: { g\($0): x } }\n" }.joined())
        """
    },
    GrowingManifest("unknown features", node: "feature: P.Pag") {
      "from: n\($0), action: go, push: n\(($0 + 1) % $1)"
    },
    GrowingManifest("unknown plugins", node: "feature: Q.Page") {
      "from: any, action: go\($0), push: n\(($0 + 1) % $1)"
    },
    GrowingManifest("missing plugins") { lines in
      let plugins = (0..<lines).map { "  - Lost\($0)\n" }.joined()
      let nodes = (0..<lines).map { "  n\($0): { feature: Last\($0).Page }\n" }.joined()
      return "appcore: 1\nstart: n0\nplugins:\n\(plugins)nodes:\n\(nodes)"
    },
    GrowingManifest("unknown fields") { number, _ in
      "from: n\(number), action: go, push: n0, with: { id: $.idd, nam: x }"
    },
    GrowingManifest("wrong types") { number, _ in
      "from: n\(number), action: go, push: n0, with: { size: $.id }"
    },
    GrowingManifest("unknown variables") { number, _ in
      "from: n\(number), action: go, push: n0, with: { id: $vars.v\(number) }"
    },
    GrowingManifest("duplicate routes") { _, _ in "from: n0, action: go, push: n0" },
    GrowingManifest("popTo that empties") { number, _ in
      "from: n\(number), action: go, popTo: root, inclusive: true"
    },
    GrowingManifest("verbs of the background", head: "background: [n0]") { _, _ in
      "from: n0, action: go, do: back"
    },
    containers("nested containers") { "tabs: [\($0 + 1 < $1 ? "n\($0 + 1)" : "page")]" },
    containers("containers in a circle") { "tabs: [n\(($0 + 1) % $1)]" },
    containers("containers that open the first") {
      "tabs: [n\(min($0 + 1, $1 - 1))], background: [n0]"
    },
    containers("containers that hand on all") {
      "tabs: [{ node: \($0 + 1 < $1 ? "n\($0 + 1)" : "page"), with: $ }, { node: page, with: { id: $.f\($0) } }]"
    },
    GrowingManifest("fields of a container") { lines in
      let count = max(1, lines / 2)
      let tabs = (0..<count).map { "{ node: n\($0), with: { id: $.f\($0) } }" }
      return """
        appcore: 1
        plugins: [P]
        start: n0
        nodes:
          home: { tabs: [\(tabs.joined(separator: ", "))] }
        \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
        routes:
        \((0..<count).map { "  - { from: n\($0), action: go, push: home, with: { f\($0): $.id, g\($0): x } }\n" }.joined())
        """
    },
    GrowingManifest("a long list of nodes") { lines in
      let names = (0..<lines).map { "n\($0)" }
      return """
        appcore: 1
        plugins: [P]
        start: n0
        nodes:
        \(names.map { "  \($0): { feature: P.Page }\n" }.joined())
        routes:
          - { from: [\(names.joined(separator: ", "))], action: [go, more, closed], do: [\
        \(names.prefix(20).map { "{ push: \($0) }" }.joined(separator: ", "))] }
        """
    },
  ]

  /// Links of every kind.
  static let links: [GrowingManifest] = [
    GrowingManifest("links", route: { "from: n\($0), action: go, push: n\(($0 + 1) % $1)" }) {
      "open: [n\($0), n\(($0 + 1) % $1)], needs: n0"
    },
    GrowingManifest(
      "links with unknown parameters", route: { "from: n\($0), action: go, push: n\($1 - 1)" }
    ) {
      number, _ in "open: [{ push: n\(number), with: { id: $.x\(number) } }]"
    },
    GrowingManifest("links of tabs") { lines in
      let count = max(2, lines / 2)
      return """
        appcore: 1
        plugins: [P]
        start: home
        nodes:
          home: { tabs: [\((0..<count).map { "n\($0)" }.joined(separator: ", "))] }
        \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
        links:
        \((0..<count).map { "  - { path: \"t\($0)\", open: [home, n\($0)] }\n" }.joined())
        """
    },
    GrowingManifest("links of tabs alone") { lines in
      let count = max(2, lines / 2)
      return """
        appcore: 1
        plugins: [P]
        start: page
        nodes:
          page: { feature: P.Page }
          home: { tabs: [\((0..<count).map { "n\($0)" }.joined(separator: ", "))] }
        \((0..<count).map { "  n\($0): { feature: P.Page }\n" }.joined())
        links:
        \((0..<count).map { "  - { path: \"t\($0)\", open: [n\($0)] }\n" }.joined())
        """
    },
    GrowingManifest("links that shadow each other") { lines in
      let paths = (0..<lines).map { $0 % 2 == 0 ? "a\($0)/{id}/x" : "{id}/b\($0)/x" }
      return """
        appcore: 1
        plugins: [P]
        start: n
        nodes: { n: { feature: P.Page } }
        links:
        \(paths.map { "  - { path: \"\($0)\", open: [{ push: n, with: { id: $.id } }] }\n" }.joined())
        """
    },
    GrowingManifest("a link of many steps") { lines in
      let steps = (0..<lines).map { $0 % 3 == 2 ? "{ select: a }" : "home" }
      return """
        appcore: 1
        plugins: [P]
        start: home
        nodes:
          home: { tabs: [b, a] }
          a: { feature: P.Page }
          b: { feature: P.Page }
        links:
          - { path: long, open: [\(steps.joined(separator: ",\n"))] }
        """
    },
  ]

  /// The plugins that a manifest of so many lines may name: `P`, of which they all are made, and those
  /// of `missing plugins`.
  static func catalog(lines: Int) -> FeatureCatalog {
    let id = Schema.object([.init(name: "id", schema: .optional(.string))])
    var catalog = FeatureCatalog()
    catalog["P"] = .available(
      configuration: .object([]),
      features: [
        FeatureInfo(
          name: "P.Page",
          arguments: .object([
            .init(name: "id", schema: .optional(.string)),
            .init(name: "size", schema: .int, defaultValue: 1),
          ]),
          delegates: [
            CaseSchema(name: "go", payload: id), CaseSchema(name: "more", payload: id),
            CaseSchema(name: "closed", payload: nil),
          ],
          inputs: [CaseSchema(name: "told", payload: id), CaseSchema(name: "go", payload: id)])
      ])
    for number in 0..<lines { catalog["Lost\(number)"] = .unavailable(cause: "it is lost") }
    return catalog
  }
}
