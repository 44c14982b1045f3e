internal import Glibc
internal import Support

extension PluginProblem.Cause {
  /// What to do about it; `path` is the plugin's.
  func remedy(path: String) -> String? {
    switch self {
    case .notBuilt(let failure):
      failure.remedy(folder: path)
    case .notAsBuilt:
      "copy the file again, or rebuild it: " + RebuildCommand.of(path)
    case .invalidName:
      "a name is letters, digits and '_', and does not begin with a digit; a path has a '/'"
    case .notFound(_?, _):
      "build the plugin, or name its folder with --plugin-path or APPCORE_PLUGIN_PATH"
    case .notFound(nil, _), .danglingLink:
      "build the plugin, or correct the path"
    case .notAFile, .linkLoop, .empty:
      "name the plugin's .so file"
    case .unreadable:
      "check the permissions of the file and of the folders on its path"
    case .writable(let path, .owner):
      "install the plugin as root or as the user who runs it, or take '\(path)' as it is with "
        + "--allow-writable"
    case .writable(let path, _):
      "chmod go-w '\(path)', or take it as it is with --allow-writable"
    case .tooLarge:
      "build the plugin for release, or strip it of debug information"
    case .changedWhileRead:
      "wait until the build has ended, and try again"
    case .notALibrary(let problem):
      problem.remedy
    case .noEntry:
      "is this a plugin? Export one function with @c(appcore_plugin_<Name>)"
    case .severalEntries:
      "build each plugin as a library of its own"
    case .otherName(let name, let expected):
      "ask for '\(name)', or name its entry 'appcore_plugin_\(expected)'"
    case .noContract:
      "build the plugin against the SDK in libAppCore.so"
    case .ownSDK:
      "depend on the product AppCore of the package SDK, which is dynamic; not on its target"
    case .contractMismatch, .missingSDKSymbols:
      "rebuild the plugin against this host's SDK: " + RebuildCommand.of(path)
    case .needsPlugin:
      "remove the dependency: features of other plugins are reached by routes, with delegate "
        + "actions"
    case .otherDependency:
      "give the libraries different names; a changed one is loaded at the next start"
    case .brokenDependency(let library, _):
      "rebuild or reinstall '\(library)'"
    case .unreadableDependency(let library, _, _):
      "rebuild or reinstall '\(library)'"
    case .unnamedLibrary(let library, _):
      "link '\(library)' with -soname \(FilePath.name(of: library)), or put it beside the plugin and "
        + "link the plugin with a run path of $ORIGIN"
    case .searchPath:
      "link it with a run path of $ORIGIN and absolute folders only"
    case .filter:
      "link it without --filter and --auxiliary"
    case .scanNotStarted(_, EAGAIN):
      "raise the limit of processes (ulimit -u) or end some: the plugin is asked in a process of "
        + "its own"
    case .scanNotStarted(_, ENOMEM):
      "raise the limit of memory (ulimit -v) or end some programs: the plugin is asked in a process "
        + "of its own"
    case .scanNotStarted(_, EMFILE), .scanNotStarted(_, ENFILE):
      "raise the limit of open files (ulimit -n)"
    case .scanNotStarted, .scannerUnfit:
      "check the installation of appcore, and APPCORE_SCANNER if that is set"
    case .scanSignal, .scanStatus:
      ScanResult(failure: self) == nil
        ? "mend the plugin, if this happens again"
        : "mend the plugin; it is not tried again until its file changes, unless with --rescan"
    case .scanTimeout:
      "mend the plugin: it must do nothing when it is loaded, and only name its features then; "
        + "--rescan tries it again"
    case .scanFlood:
      "mend the plugin: it must not write when it is loaded; --rescan tries it again"
    case .scanMemory:
      "take memory when a feature needs it, not when the plugin is loaded; --rescan tries it again"
    case .scanOutput:
      "build the plugin again; if that does not help, this is a fault of appcore"
    case .notCopied:
      "free some space, or name another folder with XDG_CACHE_HOME"
    case .notExecutable:
      "name another folder with XDG_CACHE_HOME, on a file system that is not mounted noexec"
    case .libraryNotFound(let library):
      "install '\(library)'; if it lies beside the plugin, link the plugin with a run path of "
        + "$ORIGIN"
    case .undefinedSymbols:
      "link the plugin to the library that defines them"
    case .loader, .entryNotLoaded:
      "rebuild the plugin"
    case .tooManyMappings:
      "start the app again: former builds of plugins stay in memory until it ends"
    case .mappedOther(let path):
      "end the app; then remove '\(path)', or make it and its folder unwritable for others"
    case .registration:
      nil
    case .duplicate:
      "name one of the two files only; a plugin's name stands for one file"
    case .otherThanScanned:
      "let a plugin name the same features every time; '--rescan' asks it again"
    case .changedSinceChecked:
      "start the app again, so that its manifest is checked with the new file"
    }
  }

  var code: String {
    switch self {
    case .invalidName: "invalid-plugin-name"
    case .notFound: "plugin-not-found"
    case .notBuilt(let failure): failure.code
    case .notAsBuilt: "plugin-not-as-built"
    case .notAFile: "plugin-not-a-file"
    case .danglingLink, .linkLoop: "plugin-broken-link"
    case .unreadable: "plugin-unreadable"
    case .writable: "plugin-writable"
    case .empty: "plugin-empty"
    case .tooLarge: "plugin-too-large"
    case .changedWhileRead: "plugin-changed"
    case .notALibrary(let problem): problem.code
    case .noEntry: "plugin-no-entry"
    case .severalEntries: "plugin-several-entries"
    case .otherName: "plugin-other-name"
    case .noContract: "plugin-no-contract"
    case .ownSDK: "plugin-own-sdk"
    case .contractMismatch: "contract-mismatch"
    case .missingSDKSymbols: "plugin-missing-sdk-symbols"
    case .needsPlugin: "plugin-needs-plugin"
    case .otherDependency: "plugin-other-dependency"
    case .brokenDependency, .unreadableDependency: "plugin-broken-dependency"
    case .unnamedLibrary: "plugin-unnamed-library"
    case .searchPath: "plugin-search-path"
    case .filter: "plugin-filter"
    case .scanNotStarted, .scannerUnfit: "scan-not-started"
    case .scanSignal: "scan-crashed"
    case .scanStatus: "scan-failed"
    case .scanTimeout: "scan-timeout"
    case .scanFlood: "scan-flood"
    case .scanMemory: "scan-memory"
    case .scanOutput: "scan-output"
    case .notCopied: "plugin-not-copied"
    case .notExecutable: "plugin-not-executable"
    case .libraryNotFound: "plugin-library-not-found"
    case .undefinedSymbols: "plugin-undefined-symbols"
    case .loader: "plugin-loader"
    case .entryNotLoaded: "plugin-entry-not-loaded"
    case .tooManyMappings: "plugin-too-many-mappings"
    case .mappedOther: "plugin-mapped-other"
    case .registration: "plugin-registration"
    case .duplicate: "plugin-duplicate"
    case .otherThanScanned: "plugin-unsteady"
    case .changedSinceChecked: "plugin-changed"
    }
  }
}
