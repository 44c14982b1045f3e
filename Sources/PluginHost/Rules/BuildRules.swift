package import Support

// The requirements for a folder of sources from which a plugin can be built.
extension Rule {
  package static let pluginNoSources = Rule(
    "plugin-no-sources", means: "There is no such folder, or it holds no Swift sources.",
    remedy:
      "Name the folder that holds `Sources/<Name>/*.swift`; `appcore plugin new <Name>` makes "
      + "one.")

  static let pluginSeveralModules = Rule(
    "plugin-several-modules",
    means:
      "The folder's `Sources` hold several modules. A plugin that `appcore plugin build` makes "
      + "is one module, in `Sources/<Name>`.",
    remedy: "Give each plugin a folder of its own, or build this one with `swift build`.")

  static let pluginSourceNoEntry = Rule(
    "plugin-source-no-entry", means: "No source names an entry, `appcore_plugin_<Name>`.",
    remedy: "Export one function with `@c(appcore_plugin_<Name>)`.")

  static let pluginSourceSeveralEntries = Rule(
    "plugin-source-several-entries",
    means: "The sources name the entries of several plugins, none of which has the name of the "
      + "folder.",
    remedy: "Give each plugin a folder of its own.")

  static let pluginSourceOtherName = Rule(
    "plugin-source-other-name",
    means: "The entry in the sources has a different name from the folder in `Sources`, or its "
      + "name is not a plugin name: letters, digits and `_`, not beginning with a digit.",
    remedy: "Name the entry for the folder of the sources, or rename the folder.")

  package static let pluginNoModules = Rule(
    "plugin-no-modules",
    means: "Beside the SDK's library there are no modules that a plugin could be compiled against.",
    remedy: "Use a complete installation of appcore: run `make install` in its checkout.")

  package static let pluginNoCompiler = Rule(
    "plugin-no-compiler",
    means: "There is no `swiftc` on the `PATH`, or it does not print its version.",
    remedy: "Install Swift, or add its folder to `PATH`.")

  package static let pluginOtherCompiler = Rule(
    "plugin-other-compiler",
    means: "The `swiftc` on the `PATH` has a different version from the compiler that built the "
      + "SDK of this appcore. It could not read the SDK's modules; both versions are shown.",
    remedy: "Put a Swift of the SDK's version first on the `PATH`, or install an appcore that was "
      + "built by yours.")

  package static let pluginNotCompiled = Rule(
    "plugin-not-compiled",
    means: "The compiler refuses the plugin's sources. The first errors are shown, each with its "
      + "place.",
    remedy: "Correct the sources; `appcore plugin build` shows all that the compiler says.")

  package static let pluginCompilerEnded = Rule(
    "plugin-compiler-ended",
    means: "The compiler could not be started, was ended by a signal, or crashed on the sources.",
    remedy: "Try again; if it happens again, rewrite the code that the message names, or check "
      + "the installation of Swift.")

  package static let pluginBuildRefused = Rule(
    "plugin-build-refused",
    means: "A source can't be read, the output can't be written to the plugin's `.build/appcore`, "
      + "or another build of the folder has been running for two minutes.",
    remedy: "Check the permissions of the folder, and the free space; end the other build.")

  static let buildRules: [Rule] = [
    .pluginNoSources, .pluginSeveralModules, .pluginSourceNoEntry, .pluginSourceSeveralEntries,
    .pluginSourceOtherName, .pluginNoModules, .pluginNoCompiler, .pluginOtherCompiler,
    .pluginNotCompiled, .pluginCompilerEnded, .pluginBuildRefused,
  ]
}
