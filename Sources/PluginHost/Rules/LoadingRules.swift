internal import Glibc
package import Support

// The requirements for loading a validated plugin and for registering its features.
extension Rule {
  static let pluginNotCopied = Rule(
    "plugin-not-copied",
    means:
      "No private copy of the file could be made: not in the cache, not in a temporary folder, "
      + "not in memory.",
    remedy: "Free some space, or name another folder with `XDG_CACHE_HOME`.")

  static let pluginNotExecutable = Rule(
    "plugin-not-executable", means: "Code can't be run from the folder of the private copy.",
    remedy: "Name another folder with `XDG_CACHE_HOME`, on a file system that is not mounted "
      + "`noexec`.")

  static let pluginLibraryNotFound = Rule(
    "plugin-library-not-found", means: "The loader does not find a library that the plugin needs.",
    remedy: "Install the library; if it is beside the plugin, link the plugin with a run path of "
      + "`$ORIGIN`.")

  static let pluginUndefinedSymbols = Rule(
    "plugin-undefined-symbols", means: "The plugin needs symbols that nothing defines.",
    remedy: "Link the plugin to the library that defines them.")

  static let pluginLoader = Rule(
    "plugin-loader", means: "The dynamic loader rejects the file; its message is shown.",
    remedy: "Rebuild the plugin.")

  static let pluginEntryNotLoaded = Rule(
    "plugin-entry-not-loaded", means: "The loader does not find the entry that the file has.",
    remedy: "Rebuild the plugin.")

  static let pluginTooManyMappings = Rule(
    "plugin-too-many-mappings",
    means: "The program has nearly as many memory mappings as the system allows "
      + "(`vm.max_map_count`), and would crash at that limit. Earlier builds of reloaded plugins "
      + "count too.",
    remedy: "Start the app again: earlier builds of plugins stay in memory until it ends.")

  static let pluginMappedOther = Rule(
    "plugin-mapped-other",
    means:
      "With the plugin the loader has loaded a file that was not validated and that other users "
      + "can change.",
    remedy: "End the app; then remove that file, or make it and its folder read-only for other "
      + "users.")

  static let pluginRegistration = Rule(
    "plugin-registration",
    means: "The host rejects the plugin's registration, or its version does not satisfy the "
      + "manifest. The message says which.",
    remedy: "Correct the plugin, or the `version` in the manifest.")

  static let pluginDuplicate = Rule(
    "plugin-duplicate",
    means: "Two files in a manifest are the same plugin, or a file's plugin is already linked "
      + "into the program. Both are listed.",
    remedy: "Name only one of the two files: a plugin's name must belong to one file.")

  static let pluginUnsteady = Rule(
    "plugin-unsteady",
    means:
      "The plugin's registration differs from its scan, which the manifest was checked against.",
    remedy: "Make the plugin register the same features every time; `--rescan` scans it again.")

  /// The rules of plugins and of building them.
  package static let pluginRules: [Rule] =
    fileRules + libraryRules + scanRules + buildRules + [
      .pluginNotCopied, .pluginNotExecutable, .pluginLibraryNotFound, .pluginUndefinedSymbols,
      .pluginLoader, .pluginEntryNotLoaded, .pluginTooManyMappings, .pluginMappedOther,
      .pluginRegistration, .pluginDuplicate, .pluginUnsteady,
    ]
}

extension Rejection {
  static func notCopied(folder: String, error: Int32) -> Rejection {
    Rejection(
      .pluginNotCopied, "no private copy can be made in '\(folder)': \(errorText(error))")
  }

  static func notExecutable(folder: String) -> Rejection {
    Rejection(
      .pluginNotExecutable, "the system runs no code from '\(folder)', where its private copy is")
  }

  static func libraryNotFound(_ library: String) -> Rejection {
    Rejection(
      .pluginLibraryNotFound, "it needs '\(library)', which is not found",
      remedy:
        "install '\(library)'; if it is beside the plugin, link the plugin with a run path of "
        + "`$ORIGIN`")
  }

  /// Nothing defines `symbols`, which are mangled names.
  static func undefinedSymbols(_ symbols: [String]) -> Rejection {
    Rejection(
      .pluginUndefinedSymbols, "it needs \(counted(symbols.count, "symbol")) that nothing defines",
      details: lines(of: symbols))
  }

  static func loader(_ text: String) -> Rejection {
    Rejection(.pluginLoader, "the loader refuses: \(text)")
  }

  static func entryNotLoaded(_ symbol: String) -> Rejection {
    Rejection(.pluginEntryNotLoaded, "the loader does not find '\(symbol)'")
  }

  static func tooManyMappings(_ count: Int, limit: Int) -> Rejection {
    Rejection(
      .pluginTooManyMappings,
      "the program has \(count) of at most \(limit) mappings of memory, and a plugin needs some")
  }

  static func mappedOther(path: String) -> Rejection {
    Rejection(
      .pluginMappedOther,
      "with it the loader has loaded '\(path)', which other users can change",
      remedy: "end the app; then remove '\(path)', or make it and its folder unwritable for others")
  }

  /// The host rejects the plugin's registration; `reason` is the host's message.
  package static func registration(_ reason: String, remedy: String? = nil) -> Rejection {
    Rejection(.pluginRegistration, reason, remedy: remedy)
  }

  package static func duplicate(name: String, other: String) -> Rejection {
    Rejection(
      .pluginDuplicate, "this is the plugin '\(name)', and '\(other)' is that already")
  }

  package static var otherThanScanned: Rejection {
    Rejection(
      .pluginUnsteady, "it says something else of itself than it said when it was scanned")
  }
}
