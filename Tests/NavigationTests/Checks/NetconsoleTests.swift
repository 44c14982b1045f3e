@_spi(Host) import AppCore
import Foundation
import Manifest
internal import Support
import Testing

@_spi(Host) @testable import Navigation

@Suite("GraphBuilder: the example manifest")
struct NetconsoleTests {
  @Test("The manifest that explains the grammar checks clean")
  func checksClean() throws {
    let result = try build { $0 }
    #expect(result.problems.map(\.message) == [])
    let graph = try #require(result.graph)
    #expect(graph.nodes.map(\.name).first == "login")
    #expect(graph.allRoutes.count { $0.action == "sessionExpired" } == 2)
    #expect(result.configurations["Monitor"]?.resolved(.null) == ["interval": 5])
  }

  @Test("Arguments of a container's background are due where the container is entered")
  func containerNeedsToken() throws {
    let result = try build {
      $0.replacing("replace: home, with: { token: $.token }", with: "replace: home")
    }
    #expect(result.problems.map(\.code) == ["missing-field"])
    #expect(result.problems.map(\.range.start.line) == [30])
    #expect(result.graph == nil)
  }

  private func build(_ change: (String) -> String) throws -> GraphBuilder.Result {
    let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .appending(path: "Fixtures/manifests/ok/netconsole/netconsole.yaml")
      .path(percentEncoded: false)
    let text = change(try String(contentsOfFile: path, encoding: .utf8))
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    let loaded = loader.load(Array(text.utf8), path: path)
    #expect(loaded.problems == [])
    return GraphBuilder.build(
      try #require(loaded.manifest), catalog: Self.catalog,
      pluginNames: ["Session", "Devices", "Monitor", "Dialogs"])
  }

  private static var catalog: FeatureCatalog {
    let id = payload(("id", .string))
    let text = payload(("text", .string))
    var catalog = FeatureCatalog()
    catalog["Session"] = .available(
      configuration: .object([]),
      features: [
        FeatureInfo(
          name: "Session.Login", arguments: payload(("server", .string)),
          delegates: [CaseSchema(name: "loggedIn", payload: payload(("token", .secret)))]),
        FeatureInfo(
          name: "Session.Settings",
          delegates: [
            CaseSchema(name: "intervalChanged", payload: payload(("seconds", .int))),
            CaseSchema(name: "logoutRequested", payload: nil),
            CaseSchema(name: "sessionExpired", payload: nil),
          ]),
      ])
    catalog["Devices"] = .available(
      configuration: .object([]),
      features: [
        FeatureInfo(
          name: "Devices.List",
          delegates: [
            CaseSchema(name: "deviceSelected", payload: id),
            CaseSchema(name: "listed", payload: .int),
          ], inputs: [CaseSchema(name: "alertRaised", payload: text)]),
        FeatureInfo(name: "Devices.Overview", arguments: id),
        FeatureInfo(name: "Devices.Ports", arguments: id),
      ])
    catalog["Monitor"] = .available(
      configuration: payload(("interval", .int)),
      features: [
        FeatureInfo(
          name: "Monitor.Watch", arguments: payload(("server", .string), ("token", .secret)),
          delegates: [
            CaseSchema(name: "raised", payload: text),
            CaseSchema(name: "critical", payload: payload(("text", .string), ("id", .string))),
            CaseSchema(name: "sessionExpired", payload: nil),
          ],
          inputs: [CaseSchema(name: "intervalChosen", payload: payload(("seconds", .int)))]),
        FeatureInfo(
          name: "Monitor.AlertList", delegates: [CaseSchema(name: "alertSelected", payload: id)]),
        FeatureInfo(
          name: "Monitor.AlertDetail", arguments: id,
          delegates: [CaseSchema(name: "deviceRequested", payload: id)]),
      ])
    catalog["Dialogs"] = .available(
      configuration: .object([]),
      features: [
        FeatureInfo(
          name: "Dialogs.Notice", arguments: payload(("text", .string), ("id", .string)),
          delegates: [
            CaseSchema(name: "opened", payload: id), CaseSchema(name: "closed", payload: nil),
          ]),
        FeatureInfo(
          name: "Dialogs.Confirm", arguments: payload(("question", .string)),
          delegates: [
            CaseSchema(name: "confirmed", payload: nil),
            CaseSchema(name: "declined", payload: nil),
          ]),
      ])
    return catalog
  }

  private static func payload(_ fields: (String, Schema)...) -> Schema {
    .object(fields.map { Schema.Field(name: $0.0, schema: $0.1) })
  }
}
