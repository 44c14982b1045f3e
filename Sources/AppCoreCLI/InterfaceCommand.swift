internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Support

struct InterfaceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interface",
    abstract: "Print a plugin's interface, or compare two versions.",
    usage: """
      appcore interface <plugin> [<option> ...]
      appcore interface --compare <old> <new> [<option> ...]
      """,
    discussion: """
      Exits with status 65 if the new version breaks something.

      Examples:
        appcore interface Notes
        appcore interface build/libNotes.so --json > notes.interface.json
        appcore interface --compare notes.interface.json build/libNotes.so
        appcore interface --compare old.json new.json --manifest app.yaml
      """)

  @Argument(
    help: "Plugin files, folders of sources, plugin names, or JSON interface files.",
    completion: .file(extensions: ["so", "json"]))
  var plugins: [String]

  @Flag(help: "Compare the second interface with the first one.")
  var compare = false

  @Option(
    help: ArgumentHelp(
      "With --compare: also list which routes of a manifest break.", valueName: "manifest"),
    completion: .file(extensions: ["yaml", "yml"]))
  var manifest: String?

  @Flag(help: "Print one JSON object, for programs.")
  var json = false

  @OptionGroup var options: ReadingOptions

  func validate() throws {
    if compare, plugins.count != 2 {
      throw ValidationError(
        "'--compare' takes two interfaces, the old one first; \(plugins.count) given.")
    }
    if !compare, plugins.count != 1 {
      throw ValidationError(
        "'interface' takes one plugin; to compare two versions of it, add '--compare'.")
    }
    if !compare, manifest != nil {
      throw ValidationError("'--manifest' goes with '--compare'.")
    }
  }

  func run() throws {
    let interfaces = try plugins.map { try interface($0) }
    guard compare else {
      let text = json ? interfaces[0].json : interfaces[0].text
      return Console.print(text, terminator: "", as: json ? .json : .text)
    }
    var comparison = InterfaceComparison(from: interfaces[0], to: interfaces[1])
    if let manifest {
      comparison.impact = try ManifestImpact(
        manifest, comparison, options: options.appOptions())
    }
    Console.print(
      json ? comparison.json : comparison.text, terminator: "", as: json ? .json : .text)
    if comparison.exitStatus != 0 { throw ExitCode(comparison.exitStatus) }
  }

  /// Reads the interface from a JSON file, or scans a plugin for it.
  private func interface(_ plugin: String) throws -> PluginInterface {
    plugin.hasSuffix(".json")
      ? try PluginInterface(file: plugin)
      : try PluginReport.interface(of: plugin, options: options.plugins.appOptions)
  }
}
