package import Support

// The requirements for finding and reading a plugin's file.
extension Rule {
  static let invalidPluginName = Rule(
    "invalid-plugin-name",
    means: "The plugin name or file path is not valid.",
    remedy: "Write a name of letters, digits and `_` that does not begin with a digit; a path must "
      + "contain a `/`.")

  static let pluginNotFound = Rule(
    "plugin-not-found",
    means: "No file `libName.so` is on the plugin path, or nothing is at the path given. Every "
      + "path that was tried is listed.",
    remedy: "Build the plugin, or name its folder with `--plugin-path` or `APPCORE_PLUGIN_PATH`.")

  static let pluginNotAFile = Rule(
    "plugin-not-a-file",
    means: "The path leads to a folder, a device or something else that is not a regular file.",
    remedy: "Name the plugin's `.so` file.")

  static let pluginBrokenLink = Rule(
    "plugin-broken-link",
    means: "The path is a symbolic link that leads to nothing, or back to itself.",
    remedy: "Build the plugin, or correct the link.")

  static let pluginUnreadable = Rule(
    "plugin-unreadable", means: "The system refuses to open or read the file.",
    remedy: "Check the permissions of the file and of the folders on its path.")

  static let pluginWritable = Rule(
    "plugin-writable",
    means: "Other users of the machine can change the file, or put another one in its place: it or "
      + "its folder belongs to another user, or is writable by everybody or by a group that is not "
      + "the user's own. A plugin's code can do everything that the program can do.",
    remedy: "Run `chmod go-w`, or install the plugin as root or as the user who runs it; "
      + "`--allow-writable` accepts such files as they are.")

  static let pluginEmpty = Rule(
    "plugin-empty", means: "The file has no bytes.", remedy: "Build or copy the file again.")

  static let pluginTooLarge = Rule(
    "plugin-too-large", means: "The file is larger than any plugin should be.",
    remedy: "Build the plugin for release, or strip it of debug information.")

  static let pluginChanged = Rule(
    "plugin-changed",
    means: "The file changed while it was read, or after the manifest was checked: a build "
      + "overwrote it.",
    remedy: "Wait until the build has ended, and start the app again.")

  static let pluginNotELF = Rule(
    "plugin-not-elf", means: "The file is not an ELF file.",
    remedy:
      "Name the plugin's `.so` file, or build it as a dynamic library with `appcore plugin build`.")

  static let pluginOtherMachine = Rule(
    "plugin-other-machine", means: "The file was built for another architecture.",
    remedy: "Build the plugin for this machine.")

  static let pluginNotShared = Rule(
    "plugin-not-shared", means: "The file is an object file, a program or a core dump.",
    remedy:
      "Build the plugin as a dynamic library: with `appcore plugin build`, or as a product of "
      + "type `.dynamic`.")

  static let pluginTruncated = Rule(
    "plugin-truncated", means: "The file is shorter than its headers say.",
    remedy: "Build or copy the file again.")

  static let pluginDamaged = Rule(
    "plugin-damaged", means: "An ELF structure of the file has an invalid value.",
    remedy: "Build or copy the file again.")

  static let pluginNotAsBuilt = Rule(
    "plugin-not-as-built",
    means: "The file does not match its build digest, which `appcore plugin build` adds: it was "
      + "damaged or changed.",
    remedy: "Copy the file again, or rebuild it.")

  static let fileRules: [Rule] = [
    .invalidPluginName, .pluginNotFound, .pluginNotAFile, .pluginBrokenLink, .pluginUnreadable,
    .pluginWritable, .pluginEmpty, .pluginTooLarge, .pluginChanged, .pluginNotELF,
    .pluginOtherMachine, .pluginNotShared, .pluginTruncated, .pluginDamaged, .pluginNotAsBuilt,
  ]
}

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

  package static let pluginDuplicate = Rule(
    "plugin-duplicate",
    means: "Two files in a manifest are the same plugin, or a file's plugin is already linked "
      + "into the program. Both are listed.",
    remedy: "Name only one of the two files: a plugin's name must belong to one file.")

  package static let pluginUnsteady = Rule(
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

// The requirements for a plugin's behavior in the process that scans it.
extension Rule {
  static let scanNotStarted = Rule(
    "scan-not-started",
    means: "The process that scans plugins could not be started, or is not a plugin scanner. No "
      + "plugin code ran.",
    remedy: "Check the installation of appcore, and `APPCORE_SCANNER` if that is set.")

  static let scanCrashed = Rule(
    "scan-crashed",
    means: "A signal ended the process that scanned the plugin. The message says whether the "
      + "plugin was being loaded or asked for its features; its last output follows.",
    remedy: "Fix the plugin; it is in quarantine until its file, a library that it brings along or "
      + "the SDK changes, and `--rescan` tries it again at once.")

  static let scanFailed = Rule(
    "scan-failed",
    means: "The plugin ended the process that scanned it, for example by calling `exit`.",
    remedy: "Fix the plugin: loading it and naming its features must not end the program; it is in "
      + "quarantine until its file changes, and `--rescan` tries it again at once.")

  static let scanTimeout = Rule(
    "scan-timeout", means: "The plugin took too long when it was loaded, twice.",
    remedy: "Fix the plugin: when it is loaded, it must only name its features; `--rescan` tries "
      + "it again, if the machine was merely busy.")

  static let scanFlood = Rule(
    "scan-flood", means: "The plugin wrote too much when it was loaded.",
    remedy: "Fix the plugin: it must not write when it is loaded; `--rescan` tries it again.")

  static let scanMemory = Rule(
    "scan-memory",
    means: "The plugin used nearly all the memory that a scan allows. It is refused even if it "
      + "would survive a failed allocation, because the host has no such limit.",
    remedy: "Allocate memory when a feature needs it, not when the plugin is loaded; `--rescan` "
      + "tries it again.")

  static let scanOutput = Rule(
    "scan-output", means: "The answer of the scanning process can't be parsed.",
    remedy: "Build the plugin again; if that does not help, this is a bug in appcore.")

  static let scanRules: [Rule] = [
    .scanNotStarted, .scanCrashed, .scanFailed, .scanTimeout, .scanFlood, .scanMemory, .scanOutput,
  ]
}

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
