@_spi(Host) import AppCore
import Testing

@_spi(Host) @testable import AppCheck
@_spi(Host) @testable import Navigation

/// What routes give for a payload; what they may not give is in the manifests under `err/features`.
@Suite("GraphBuilder: arguments")
struct ArgumentCheckTests {
  /// A list that pushes a detail, or what else is named, with what is given.
  static func text(
    _ with: String, push: String = "detail", node: String = "", vars: String = ""
  ) -> String {
    """
    appcore: 1
    name: test
    plugins: [Shop]
    \(vars)
    start: list
    nodes:
      list: { feature: Shop.List }
      detail: { feature: Shop.Detail\(node) }
      form: { feature: Shop.Any }
      box: { tabs: [{ node: detail, with: { id: $.number, title: "No {$.number} {$.more}" } }] }
    routes:
      - { from: list, action: selected, push: \(push)\(with) }
      - { from: detail, action: closed, do: ignore }
    links:
      - { path: detail, open: [{ push: detail, with: { id: 1, title: a } }] }
      - { path: form, open: [form] }
      - { path: box, open: [{ push: box, with: { number: 1, more: x } }] }
    """
  }

  static let payload: Value = [
    "id": 7, "title": "Seven", "note": nil, "tags": ["a"], "owner": nil, "kind": "new",
  ]

  private func arguments(_ with: String, push: String = "detail", node: String = "") throws -> Value
  {
    try BuildReport.expect(in: Self.text(with, push: push, node: node))
      .arguments(from: "list", "selected", payload: Self.payload)
  }

  @Test("A whole payload is checked by its shape, and what is too much of it is left out")
  func wholePayload() throws {
    #expect(try arguments(", with: $")["id"] == 7)
  }

  @Test("An optional may feed what is optional, and what something else stands in for")
  func optionals() throws {
    #expect(try arguments(", with: { id: 1, title: a, note: $.note }")["note"] == .null)
    #expect(try arguments(", with: { text: $.owner.name }", push: "form")["text"] == .null)
    // What the node itself gives is in for null.
    let node = ", with: { title: Own }"
    #expect(try arguments(", with: { id: 1, title: $.note }", node: node)["title"] == "Own")
    #expect(try arguments(", with: { id: 1, title: $.title }", node: node)["title"] == "Seven")
    #expect(try arguments(", with: { id: 1 }", node: node)["title"] == "Own")
  }

  @Test("A whole payload may lack what the node itself gives")
  func wholePayloadOverNode() throws {
    let text = Self.text(", with: $.owner", node: ", with: { id: 3, title: Own }")
    let report = BuildReport.expect(
      "type-mismatch", in: text.replacing(": $.owner", with: ": §$.owner"))
    #expect(report.messages[0].hasPrefix("'with' must be an object"))
    var catalog = FeatureCatalog.mocks
    guard case .available(let configuration, var features)? = catalog["Shop"] else { return }
    features[0] = .init(
      name: "Shop.List",
      delegates: [
        CaseSchema(name: "selected", payload: .object([.init(name: "id", schema: .int)]))
      ])
    catalog["Shop"] = .available(configuration: configuration, features: features)
    BuildReport.expect(
      in: Self.text(", with: $", node: ", with: { title: Own }"), catalog: catalog)
    BuildReport.expect("missing-field", in: Self.text(", with: §$"), catalog: catalog)
  }

  @Test("Literals are read by the type that is due")
  func literals() throws {
    let with = """
      , with: { flag: true, count: 12, ratio: 2, text: 1.10, kind: old, tags: [010, no], \
      map: { a: 1 }, nested: { a: 4, b: 010 } }
      """
    #expect(
      try arguments(with, push: "form") == [
        "flag": true, "count": 12, "ratio": 2.0, "text": "1.10", "kind": "old",
        "tags": ["010", "no"], "map": ["a": 1], "nested": ["a": 4, "b": "010"],
      ])
  }

  @Test("Scalars are inserted into text")
  func insertions() throws {
    #expect(
      try arguments(", with: { text: 'No. {$.id}: {$.title}{$.note} {$$} {x}' }", push: "form")[
        "text"]
        == "No. 7: Seven {$} {x}")
  }

  @Test("Variables are checked where they are used, and read by the type that is due there")
  func variables() throws {
    let vars = "vars: { text: { default: 1.10 }, list: { default: [a, b] }, used: { default: 5 } }"
    let right = Self.text(
      ", with: { text: 'v{$vars.text}', tags: $vars.list, count: $vars.used, ratio: $vars.used }",
      push: "form", vars: vars)
    let arguments = try BuildReport.expect(in: right)
      .arguments(from: "list", "selected", payload: Self.payload)
    #expect(arguments == ["text": "v1.10", "tags": ["a", "b"], "count": 5, "ratio": 5.0])
    let wrong = Self.text(
      ", with: { text: '§{$vars.list}', count: §$vars.text, tags: [§$vars.list, $vars.used] }",
      push: "form", vars: vars)
    BuildReport.expect("not-insertable", "type-mismatch", "type-mismatch", in: wrong)
  }

  @Test("A value from outside is a text where a text is due, and is named elsewhere")
  func given() throws {
    let vars = "vars: { v: { default: x } }"
    for text in ["", "null", "~", "\"q\"", "5", "yes"] {
      let right = Self.text(
        ", with: { id: 1, title: $vars.v, note: $vars.v }", vars: vars)
      let report = BuildReport(right, settings: ["v": text])
      let arguments = try report.arguments(from: "list", "selected", payload: Self.payload)
      let isNull = text == "null" || text == "~"
      #expect(
        arguments == ["id": 1, "title": .string(text), "note": isNull ? nil : .string(text)])
    }
    let wrong = BuildReport(
      Self.text(", with: { count: $vars.v }", push: "form", vars: vars), settings: ["v": "many"])
    #expect(wrong.problems == ["type-mismatch 12:64"])
    #expect(
      wrong.messages == ["'count' must be an integer, not a string, which '--set v=…' gave"])
  }

  @Test("A container is given what its tabs take, and read by their types")
  func containers() throws {
    #expect(try arguments(", with: { number: $.id }", push: "box") == ["number": 7])
    #expect(
      try arguments(", with: { number: 1, more: x }", push: "box") == ["number": 1, "more": "x"])
  }

  @Test("A text that is set is that text, the empty one too, whatever the default")
  func setTexts() throws {
    let text = """
      appcore: 1
      vars: { database: { default: a.db }, limit: { default: 1 } }
      plugins: [ { name: Shop, with: { database: $vars.database, limit: $vars.limit } } ]
      start: quiet
      nodes: { quiet: { feature: Shop.Quiet } }
      """
    func configuration(_ settings: [String: String]) -> Value? {
      BuildReport(text, settings: settings).result.configurations["Shop"]?.resolved(.null)
    }
    #expect(configuration(["database": ""])?["database"] == .string(""))
    #expect(configuration(["database": "null"])?["database"] == .string("null"))
    #expect(configuration(["limit": ""])?["limit"] == .null)
    #expect(configuration(["limit": "null"])?["limit"] == .null)
  }

  @Test("A plain text that is called like a secret is warned about, once for each feature")
  func plainSecrets() {
    var catalog = FeatureCatalog()
    let fields = ["password", "userToken", "tokens", "name"].map {
      Schema.Field(name: $0, schema: .optional(.string))
    }
    catalog["Safe"] = .available(
      configuration: .object([]),
      features: [
        FeatureInfo(
          name: "Safe.Door",
          arguments: .object(fields + [Schema.Field(name: "secret", schema: .optional(.secret))]))
      ])
    let report = BuildReport.expect(
      "plain-secret", "plain-secret",
      in: """
        appcore: 1
        plugins: [Safe]
        start: one
        nodes:
          one: { tabs: [two, three] }
          two: { feature: §§Safe.Door }
          three: { feature: Safe.Door }
        """, catalog: catalog)
    #expect(report.messages[0].hasPrefix("'password' of 'Safe.Door' is a plain string"))
    #expect(report.messages[1].hasPrefix("'userToken' of 'Safe.Door' is a plain string"))
  }

  @Test("A feature that can't be used is one problem, however many nodes have it")
  func unusableFeature() {
    let catalog = FeatureCatalog(
      "Shop",
      [
        FeatureInfo(
          name: "Shop.Pair", delegates: [CaseSchema(name: "pair", payload: nil)],
          defect: "its delegate action 'pair' has several values without labels")
      ])
    BuildReport.expect(
      "unusable-feature",
      in: """
        appcore: 1
        plugins: [Shop]
        start: home
        nodes:
          home: { tabs: [one, two] }
          one: { feature: §Shop.Pair }
          two: { feature: Shop.Pair }
        """, catalog: catalog)
  }
}
