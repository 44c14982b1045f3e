internal import Glibc
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

extension Rejection {
  static var noFolder: Rejection { Rejection(.pluginNoSources, "there is no such folder") }

  static var noSources: Rejection {
    Rejection(.pluginNoSources, "the folder holds no Swift sources")
  }

  static func severalModules(_ names: [String]) -> Rejection {
    Rejection(
      .pluginSeveralModules, "the folder holds \(names.count) modules instead of one",
      details: names.map { "module: \($0)" })
  }

  static func noSourceEntry(sources: Int) -> Rejection {
    Rejection(
      .pluginSourceNoEntry, "no 'appcore_plugin_<Name>' is in its \(counted(sources, "source"))")
  }

  static func severalSourceEntries(_ names: [String]) -> Rejection {
    Rejection(
      .pluginSourceSeveralEntries, "its sources name \(names.count) entries instead of one",
      details: names.map { "entry: appcore_plugin_\($0)" })
  }

  /// The entry, at `file` and `line`, is named for another plugin than the module.
  static func otherEntry(_ entry: String, module: String, file: String, line: Int) -> Rejection {
    Rejection(
      .pluginSourceOtherName,
      "\(file):\(line): the entry is named for '\(entry)', and the module is '\(module)'",
      remedy: "name the entry 'appcore_plugin_\(module)', or rename the folder of the sources")
  }

  static func invalidModuleName(_ name: String) -> Rejection {
    Rejection(
      .pluginSourceOtherName, "'\(name)' can't be the name of a plugin",
      remedy: "a name is letters, digits and `_`, and does not begin with a digit")
  }

  static func noModules(libraryFolder: String) -> Rejection {
    Rejection(
      .pluginNoModules, "there are no modules of the SDK beside '\(libraryFolder)/libAppCore.so'")
  }

  static var noCompiler: Rejection {
    Rejection(.pluginNoCompiler, "there is no 'swiftc' on the PATH")
  }

  static func silentCompiler(path: String) -> Rejection {
    Rejection(
      .pluginNoCompiler, "'\(path) --version' names no version",
      remedy: "put a `swiftc` that works first on the `PATH`")
  }

  static func otherCompiler(path: String, found: String, expected: String) -> Rejection {
    Rejection(
      .pluginOtherCompiler,
      "'\(path)' is Swift \(found), and this appcore's SDK was built by Swift \(expected)",
      remedy: "put Swift \(expected) first on the `PATH`, or install an appcore that was built by "
        + "yours")
  }

  /// The compiler rejects the sources; `errors` are the first lines of its errors.
  static func notCompiled(_ errors: [String], folder: String) -> Rejection {
    Rejection(
      .pluginNotCompiled, errors.first ?? "the compiler refuses, and does not say why",
      details: errors.dropFirst().prefix(4).map { "also: \($0)" }
        + (errors.count > 5 ? ["and \(counted(errors.count - 5, "other error"))"] : []),
      remedy: "correct the sources; `\(buildCommand(folder))` shows all that the compiler says")
  }

  /// The compiler crashed; `doing` is what it was doing, outermost first.
  static func compilerCrashed(doing: [String], folder: String) -> Rejection {
    Rejection(
      .pluginCompilerEnded, "the compiler crashed" + (doing.last.map { ": \($0)" } ?? ""),
      details: doing.dropLast().suffix(4).map { "note: \($0)" },
      remedy: "the mistake is the compiler's: write what it names in another way, or report it; "
        + "`\(buildCommand(folder))` shows all that the compiler says")
  }

  static func compilerEnded(path: String, reason: String) -> Rejection {
    Rejection(
      .pluginCompilerEnded, "'\(path)' \(reason)",
      remedy: "try again; if it happens again, check the installation of Swift")
  }

  static func fileRefused(path: String, error: Int32) -> Rejection {
    let remedy =
      switch error {
      case ENOENT: "if it is a link, correct or remove it: it leads to nothing"
      case ELOOP: "remove the link that leads back to where it is"
      default: "check the permissions of the folder, and the free space"
      }
    return Rejection(
      .pluginBuildRefused, "'\(path)': \(errorText(error))", remedy: remedy)
  }

  static func locked(path: String, seconds: Int) -> Rejection {
    Rejection(
      .pluginBuildRefused, "another program has held '\(path)' locked for \(seconds) s",
      remedy: "end the other build; `fuser -v \(shellWord(path))` names it")
  }

  /// The command that builds a folder, as it is typed.
  static func buildCommand(_ folder: String) -> String {
    "appcore plugin build" + (folder == "." ? "" : " " + shellWord(folder))
  }
}
