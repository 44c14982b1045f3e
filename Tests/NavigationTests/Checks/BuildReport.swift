@_spi(Host) import AppCore
import Manifest
internal import Support
import Testing

@_spi(Host) @testable import AppCheck
@_spi(Host) @testable import Navigation

/// What checking a manifest says, and the graph that came of it.
struct BuildReport {
  /// Codes with the places they are at, such as `unknown-feature 3:14`.
  let problems: [String]
  /// The problems' messages.
  let messages: [String]
  let result: GraphBuilder.Result

  /// Checks a manifest in which each expected problem's place is marked with `§`.
  init(_ text: String, catalog: FeatureCatalog = .mocks, settings: [String: String] = [:]) {
    let loader = ManifestLoader(options: .init(settings: settings, environment: { _ in nil }))
    let loaded = loader.load(Array(text.replacing("§", with: "").utf8), path: "test.yaml")
    result = loaded.built(catalog)
    let all = (loaded.problems + result.problems).sortedByPosition()
    problems = all.map { "\($0.code) \($0.range.start.line):\($0.range.start.column)" }
    messages = all.map(\.message)
  }

  /// The marks in a text, as places in what is left without them.
  static func marks(in text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
      .flatMap { line, text in
        text.split(separator: "§", omittingEmptySubsequences: false).dropLast()
          .reduce(into: [Int]()) { columns, part in
            columns.append((columns.last ?? 0) + part.count)
          }
          .map { "\(line + 1):\($0 + 1)" }
      }
  }

  /// Expects problems with these codes at the marks of a text, in their order, and no others.
  @discardableResult
  static func expect(
    _ codes: String..., in text: String, catalog: FeatureCatalog = .mocks,
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> BuildReport {
    let report = BuildReport(text, catalog: catalog)
    let due = zip(codes, marks(in: text)).map { "\($0) \($1)" }
    #expect(marks(in: text).count == codes.count, "marks", sourceLocation: sourceLocation)
    #expect(
      report.problems == due, "\(report.messages)", sourceLocation: sourceLocation)
    return report
  }

  /// The arguments that the only verb of a route gives for a payload.
  func arguments(from node: String, _ action: String, payload: Value) throws -> Value {
    let graph = try #require(result.graph, "\(messages)")
    let index = try #require(graph.index(of: node))
    let route = try #require(graph.route(from: index, action: action))
    switch try #require(route.verbs.last) {
    case .push(let target, _, _), .present(let target, _), .replace(let target, _),
      .reset(let target):
      return target.arguments.resolved(
        payload, over: graph.nodes[target.node].arguments.resolved(.null))
    case .notify(_, _, let template, _): return template.resolved(payload)
    default: return .null
    }
  }
}

extension ManifestResult {
  /// What the checks with features make of it.
  func built(
    _ catalog: FeatureCatalog = .mocks, limit: Int = ManifestLimits().pairs
  ) -> GraphBuilder.Result {
    manifest.map {
      GraphBuilder.build(
        $0, catalog: catalog, pluginNames: $0.plugins.map { $0.reference.description }, gaps: gaps,
        limit: limit)
    } ?? GraphBuilder.Result(graph: nil, configurations: [:], problems: [])
  }
}

extension FeatureCatalog {
  /// A catalog of one plugin.
  init(
    _ plugin: String, _ features: [FeatureInfo], configuration: Schema = .object([])
  ) {
    self.init()
    self[plugin] = .available(configuration: configuration, features: features)
  }

  /// `Shop` with features for each check, `Toys` with none, and `Lost`, which can't be loaded.
  static var mocks: FeatureCatalog {
    typealias Field = Schema.Field
    var catalog = FeatureCatalog()
    catalog["Shop"] = .available(
      configuration: .object([
        Field(name: "database", schema: .string, defaultValue: "shop.db"),
        Field(name: "limit", schema: .optional(.int)),
      ]),
      features: [
        FeatureInfo(
          name: "Shop.List",
          delegates: [
            CaseSchema(
              name: "selected",
              payload: .object([
                Field(name: "id", schema: .int), Field(name: "title", schema: .string),
                Field(name: "note", schema: .optional(.string)),
                Field(name: "tags", schema: .array(.string)),
                Field(
                  name: "owner",
                  schema: .optional(.object([Field(name: "name", schema: .string)]))),
                Field(name: "kind", schema: .choice(["new", "old", "odd"])),
              ]))
          ],
          inputs: [
            CaseSchema(name: "renamed", payload: .object([Field(name: "to", schema: .string)]))
          ]
        ),
        FeatureInfo(
          name: "Shop.Detail",
          arguments: .object([
            Field(name: "id", schema: .int), Field(name: "title", schema: .string),
            Field(name: "note", schema: .optional(.string)),
            Field(name: "size", schema: .double, defaultValue: 1.5),
          ]),
          delegates: [CaseSchema(name: "closed", payload: nil)],
          inputs: [CaseSchema(name: "refreshed", payload: nil)]),
        FeatureInfo(
          name: "Shop.Any",
          arguments: .object([
            Field(name: "flag", schema: .optional(.bool)),
            Field(name: "count", schema: .optional(.int)),
            Field(name: "ratio", schema: .optional(.double)),
            Field(name: "text", schema: .optional(.string)),
            Field(name: "kind", schema: .optional(.choice(["new", "old"]))),
            Field(name: "tags", schema: .optional(.array(.string))),
            Field(name: "map", schema: .optional(.dictionary(.int))),
            Field(
              name: "nested",
              schema: .optional(
                .object([
                  Field(name: "a", schema: .int), Field(name: "b", schema: .optional(.string)),
                ]))),
          ])),
        FeatureInfo(
          name: "Shop.Quiet", inputs: [CaseSchema(name: "asked", payload: .bool)]),
      ])
    catalog["Toys"] = .available(configuration: .object([]), features: [])
    catalog["Lost"] = .unavailable(cause: "libLost.so was built with another SDK")
    return catalog
  }
}
