internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Support

/// `appcore schema`: prints the JSON Schema of manifests, for editors.
struct SchemaCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "schema",
    abstract: "Print the JSON Schema of manifests, for editors.",
    discussion: """
      Given a manifest, the schema also covers its nodes and the delegate actions, arguments and \
      inputs of its plugins' features. An editor finds the schema through a first line such as
        # yaml-language-server: $schema=../schema/appcore-1.json
      """)

  @Argument(
    help: "A manifest whose nodes and features the schema should cover.",
    completion: .file(extensions: ["yaml", "yml"]))
  var manifest: String?

  @OptionGroup var plugins: PluginOptions

  func run() throws {
    guard let manifest else {
      Console.print(ManifestReport.schemaOfFormat, terminator: "", as: .json)
      return
    }
    let report = try ManifestReport(manifest, options: plugins.appOptions)
    guard let schema = report.schema else { throw AppLoadError.problems(report) }
    for name in report.unavailablePlugins {
      Console.printError(
        "appcore: can't load plugin '\(name)', so the schema does not know its features; "
          + "'appcore check \(manifest)' says why")
    }
    Console.print(schema, terminator: "", as: .json)
  }
}
