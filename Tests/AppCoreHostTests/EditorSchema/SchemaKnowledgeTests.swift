internal import AppCheck
internal import AppCore
internal import AppCoreHost
import Foundation
import TestSupport
import Testing

@Suite("The schema for one manifest")
struct SchemaKnowledgeTests {
  /// The manifest that ships, and the schema that is made of it and of the real plugins.
  private func packages() throws -> (text: String, validator: SchemaValidator) {
    let path = Project.path("manifests/packages.yaml")
    let report = try ManifestReport(path)
    #expect(report.unavailablePlugins == [])
    let schema = try #require(report.schema)
    return (try Project.text("manifests/packages.yaml"), try SchemaValidator(schema))
  }

  @Test("The manifest that it was made of fits")
  func fits() throws {
    let (text, validator) = try packages()
    let value = try #require(ManifestValue.of(text: text))
    #expect(validator.problems(of: value) == [])
  }

  @Test(
    "It knows features, delegate actions, arguments and configuration",
    arguments: [
      ("Packages.List,", "Packages.Lst,"), ("action: packageSelected", "action: packageSelectd"),
      (
        "with: { name: $.name } }\n  - { from: detail",
        "with: { nam: $.name } }\n  - { from: detail"
      ),
      ("{ database:", "{ databas:"), ("yes: Show it", "yse: Show it"),
      ("from: list, action: packageSelected", "from: list, action: confirmed"),
      ("present: confirmOpen, with: { question:", "present: confirmOpen, with: { questin:"),
    ])
  func refuses(_ old: String, _ new: String) throws {
    let (text, validator) = try packages()
    let changed = text.replacingOccurrences(of: old, with: new)
    #expect(changed != text)
    let value = try #require(ManifestValue.of(text: changed))
    #expect(validator.problems(of: value) != [])
  }

  @Test("It knows what each receiver takes, and what it takes with it")
  func inputs() throws {
    let text = """
      appcore: 1
      plugins: [MockGood, Dialogs]
      start: ask
      nodes:
        ask: { feature: Dialogs.Confirm }
        tree: { feature: MockGood.Tree }
      routes: []

      """
    let report = ManifestReport(text: text, path: "m.yaml")
    let validator = try SchemaValidator(try #require(report.schema))
    func fits(_ verb: String) throws -> Bool {
      let route = "routes: [{ from: ask, action: confirmed, \(verb) }]"
      let changed = text.replacingOccurrences(of: "routes: []", with: route)
      return validator.problems(of: try #require(ManifestValue.of(text: changed))).isEmpty
    }
    #expect(try fits("notify: tree, as: cancelled"))
    #expect(try !fits("notify: tree, as: canceled"))
    #expect(try fits("notify: tree, as: answered, with: { text: $.a }"))
    #expect(try !fits("notify: tree, as: answered, with: { txet: $.a }"))
    #expect(try !fits("push: tree, as: cancelled"))
  }

  @Test("A plugin that can't be loaded is named, and its features are not refused")
  func incomplete() throws {
    let text = "appcore: 1\nplugins: [Nowhere]\nstart: a\nnodes: { a: { feature: Nowhere.A } }\n"
    let report = ManifestReport(text: text, path: "m.yaml")
    #expect(report.unavailablePlugins == ["Nowhere"])
    let validator = try SchemaValidator(try #require(report.schema))
    #expect(validator.problems(of: try #require(ManifestValue.of(text: text))) == [])
  }
}
