internal import Support

// The requirements for a library to be accepted as a plugin of this host.
extension Rule {
  static let pluginNoEntry = Rule(
    "plugin-no-entry", means: "The library exports no function `appcore_plugin_<Name>`.",
    remedy: "Is this a plugin? Export one function with `@c(appcore_plugin_<Name>)`.")

  static let pluginSeveralEntries = Rule(
    "plugin-several-entries", means: "The library exports the entries of several plugins.",
    remedy: "Build each plugin as a library of its own.")

  static let pluginOtherName = Rule(
    "plugin-other-name",
    means: "The name of the plugin's entry is not the name that was asked for.",
    remedy: "Ask for it by the name of its entry, or rename the entry.")

  static let pluginNoContract = Rule(
    "plugin-no-contract", means: "The library does not say which SDK it was built against.",
    remedy: "Build the plugin against the SDK in `libAppCore.so`.")

  static let pluginOwnSDK = Rule(
    "plugin-own-sdk", means: "The library holds an SDK of its own instead of using the host's.",
    remedy: "Depend on the product `AppCore` of the package `SDK`, which is dynamic; not on its "
      + "target.")

  static let contractMismatch = Rule(
    "contract-mismatch",
    means: "The plugin was built against another epoch of the SDK, or by another version of the "
      + "Swift compiler. If loaded, it would access the wrong memory; both sides are shown.",
    remedy: "Rebuild the plugin against this host's SDK: `appcore plugin build`, or `swift build` "
      + "for one that is built with the host.")

  static let pluginMissingSDKSymbols = Rule(
    "plugin-missing-sdk-symbols",
    means: "The library needs declarations of the SDK that this host lacks, usually from a later "
      + "release.",
    remedy: "Update appcore, or rebuild the plugin against this host's SDK.")

  static let pluginHostOnlySymbols = Rule(
    "plugin-host-only-symbols",
    means: "The library uses declarations of the SDK that are for hosts only (`@_spi(Host)`). They "
      + "may change in any release, and then the plugin would no longer load.",
    remedy: "Remove `@_spi(Host)` from the plugin's imports, and use the SDK's public interface.")

  static let pluginNeedsPlugin = Rule(
    "plugin-needs-plugin",
    means: "The library is linked against the library of another plugin. Features of different "
      + "plugins share no symbols.",
    remedy: "Remove the dependency: features of other plugins are reached by routes, with delegate "
      + "actions.")

  static let pluginOtherDependency = Rule(
    "plugin-other-dependency",
    means:
      "The plugin brings along a library that differs from the one loaded under the same name.",
    remedy: "Give the libraries different names; a changed one is loaded at the next start.")

  static let pluginBrokenDependency = Rule(
    "plugin-broken-dependency", means: "A library that the plugin needs can't be read.",
    remedy: "Rebuild or reinstall that library.")

  static let pluginSearchPath = Rule(
    "plugin-search-path",
    means: "An entry of the library search path (`DT_RUNPATH`, `DT_RPATH`) is empty or relative "
      + "to the current folder, or contains `$LIB` or `$PLATFORM`, which vary by system. The file "
      + "to be loaded is therefore unknown.",
    remedy: "Link the plugin with a run path of `$ORIGIN` and absolute folders only.")

  static let pluginFilter = Rule(
    "plugin-filter",
    means: "The file is a filter (`DT_FILTER`, `DT_AUXILIARY`): the loader would load another "
      + "library in its place.",
    remedy: "Link it without `--filter` and `--auxiliary`.")

  static let pluginUnnamedLibrary = Rule(
    "plugin-unnamed-library",
    means: "The `DT_SONAME` of a needed library differs from the name the plugin asks for, so that "
      + "the loader searches for it, and the library is not beside the plugin, or another file "
      + "would be found first. The loader would load whatever file it finds, not the validated copy.",
    remedy:
      "Link that library with `-soname`, or put it beside the plugin and link the plugin with "
      + "a run path of `$ORIGIN`.")

  static let libraryRules: [Rule] = [
    .pluginNoEntry, .pluginSeveralEntries, .pluginOtherName, .pluginNoContract, .pluginOwnSDK,
    .contractMismatch, .pluginMissingSDKSymbols, .pluginHostOnlySymbols, .pluginNeedsPlugin,
    .pluginOtherDependency,
    .pluginBrokenDependency, .pluginSearchPath, .pluginFilter, .pluginUnnamedLibrary,
  ]
}

extension Rejection {
  static var noEntry: Rejection {
    Rejection(.pluginNoEntry, "it exports no function 'appcore_plugin_<Name>'")
  }

  static func severalEntries(_ names: [String]) -> Rejection {
    Rejection(
      .pluginSeveralEntries, "it exports \(names.count) entries instead of one",
      details: names.map { "entry: appcore_plugin_\($0)" })
  }

  static func otherName(_ name: String, expected: String) -> Rejection {
    Rejection(
      .pluginOtherName, "this is the plugin '\(name)', not '\(expected)'",
      remedy: "ask for '\(name)', or name its entry 'appcore_plugin_\(expected)'")
  }

  static var noContract: Rejection {
    Rejection(.pluginNoContract, "it does not say which SDK it was built against")
  }

  static var ownSDK: Rejection {
    Rejection(.pluginOwnSDK, "it holds a copy of the SDK instead of using the host's")
  }

  /// - Parameters:
  ///   - plugin: the plugin's contract.
  ///   - version: the version of the SDK that it was built against, if the file tells it.
  ///   - host: the host's SDK.
  ///   - path: the plugin's file.
  /// - Returns: why the plugin is refused.
  static func contractMismatch(
    plugin: Contract, version: String?, host: HostSDK, path: String
  ) -> Rejection {
    let isOfOtherCompiler = plugin.compiler != host.contract.compiler
    let version = version.map { "SDK \($0), " } ?? ""
    return Rejection(
      .contractMismatch,
      isOfOtherCompiler
        ? "built with Swift \(plugin.compiler), and this host with \(host.contract.compiler)"
        : "built against another epoch of the SDK",
      details: ["plugin: \(version)\(plugin)", "host:   \(host)"], remedy: rebuild(path))
  }

  /// - Parameters:
  ///   - symbols: the mangled names of the symbols.
  ///   - version: the version of the SDK that the plugin was built against, if the file tells it.
  ///   - host: the host's SDK.
  ///   - path: the plugin's file.
  /// - Returns: why the plugin is refused.
  static func missingSDKSymbols(
    _ symbols: [String], version: String?, host: HostSDK, path: String
  ) -> Rejection {
    let later = version.flatMap { isVersion($0, after: host.version) ? $0 : nil }
    return Rejection(
      .pluginMissingSDKSymbols,
      (version.map { "built against SDK \($0), " } ?? "") + "it needs "
        + "\(counted(symbols.count, "symbol")) that this host's SDK \(host.version) lacks",
      details: lines(of: symbols),
      remedy: (later.map { "update appcore to \($0) or later, or " } ?? "") + rebuild(path))
  }

  private static func isVersion(_ version: String, after other: String) -> Bool {
    func numbers(_ text: String) -> [Int] {
      text.prefix { $0 != "-" }.split(separator: ".").map { Int($0) ?? 0 }
    }
    return numbers(other).lexicographicallyPrecedes(numbers(version))
  }

  /// The plugin uses host-only `symbols`, which are mangled names.
  static func hostOnlySymbols(_ symbols: [String]) -> Rejection {
    Rejection(
      .pluginHostOnlySymbols,
      "it uses \(counted(symbols.count, "host-only symbol")) of the SDK (`@_spi(Host)`)",
      details: lines(of: symbols))
  }

  private static func rebuild(_ path: String) -> String {
    "rebuild the plugin against this host's SDK: " + RebuildCommand.of(path)
  }

  /// The first 8 symbols, demangled, and the number of the others.
  static func lines(of symbols: [String]) -> [String] {
    let limit = 8
    return symbols.prefix(limit).map { "symbol: \(Demangler.readable($0))" }
      + (symbols.count > limit ? ["and \(counted(symbols.count - limit, "other"))"] : [])
  }

  static func needsPlugin(name: String, library: String) -> Rejection {
    Rejection(.pluginNeedsPlugin, "it is linked to '\(library)', which is the plugin '\(name)'")
  }

  static func otherDependency(library: String, loaded: String) -> Rejection {
    Rejection(
      .pluginOtherDependency,
      "it brings along '\(library)', which differs from the one already loaded from '\(loaded)'")
  }

  /// A library that the plugin needs is damaged, or not for this machine.
  static func brokenDependency(library: String, reason: String) -> Rejection {
    Rejection(
      .pluginBrokenDependency, "it needs '\(library)', and there \(reason)",
      remedy: "rebuild or reinstall '\(library)'")
  }

  static func unreadableDependency(library: String, path: String, reason: String) -> Rejection {
    Rejection(
      .pluginBrokenDependency, "it needs '\(library)', and '\(path)' can't be used: \(reason)",
      remedy: "rebuild or reinstall '\(library)'")
  }

  static func unnamedLibrary(_ library: String, path: String) -> Rejection {
    Rejection(
      .pluginUnnamedLibrary,
      "it needs '\(library)', and no copy of '\(path)' would be found by that name",
      remedy:
        "link '\(library)' with `-soname \(FilePath.name(of: library))`, or put it beside the "
        + "plugin and link the plugin with a run path of `$ORIGIN`")
  }

  /// Where the loader searches for a library, it would find another file before the copy.
  static func foundFirst(_ library: String, path: String) -> Rejection {
    Rejection(
      .pluginUnnamedLibrary,
      "it needs '\(library)', and the loader would find '\(path)' first",
      remedy: "remove '\(path)', or link '\(library)' with `-soname \(library)`")
  }

  /// The same of a plugin that is sealed, for which it does not help to accept a folder as it is.
  var ofSealed: Rejection {
    guard rule == .pluginWritable else { return self }
    return Rejection(
      rule, message + "; the loader searches there for a library of the plugin's",
      remedy: "make the folder writable for its owner alone, or link the plugin's libraries with "
        + "`-soname`")
  }

  /// An element of the search path leads to the current folder, or is relative to it.
  static func relativeSearchPath(_ element: String) -> Rejection {
    Rejection(
      .pluginSearchPath,
      element.isEmpty
        ? "its search path for libraries has an empty element, which is the current folder"
        : "it searches for libraries at '\(element)', which depends on the current folder")
  }

  /// An element of the search path has a token that each system's loader expands differently.
  static func searchPath(_ element: String, token: String) -> Rejection {
    Rejection(
      .pluginSearchPath,
      "it searches for libraries at '\(element)', and each system reads '\(token)' in its own way")
  }

  static func filter(of library: String) -> Rejection {
    Rejection(
      .pluginFilter, "it is a filter for '\(library)', which the loader would load in its place")
  }
}
