internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser

/// What every command takes that reads one manifest.
struct ManifestOptions: ParsableArguments {
  @Argument(help: "The manifest.", completion: .file(extensions: ["yaml", "yml"]))
  var manifest: String

  @OptionGroup var reading: ReadingOptions

  var plugins: PluginOptions { reading.plugins }

  /// The same as the host takes it.
  ///
  /// - Throws: a usage error where a setting has no `=`.
  func appOptions() throws -> AppOptions { try reading.appOptions() }
}

/// What a manifest is read with.
struct ReadingOptions: ParsableArguments {
  @OptionGroup var plugins: PluginOptions

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp("Set a variable; repeatable.", valueName: "name=value"))
  var settings: [String] = []

  @Flag(
    name: .customLong("allow-outside"),
    help: "Allow includes outside the manifest's folder.")
  var allowsOutside = false

  /// The same as the host takes it.
  ///
  /// - Throws: a usage error where a setting has no `=`.
  func appOptions() throws -> AppOptions {
    var options = plugins.appOptions
    options.allowsOutside = allowsOutside
    for setting in settings {
      guard let equals = setting.firstIndex(of: "="), equals != setting.startIndex else {
        throw ValidationError("'--set \(setting)' has no value; write '--set name=value'.")
      }
      options.settings[String(setting[..<equals])] = String(
        setting[setting.index(after: equals)...])
    }
    return options
  }
}
