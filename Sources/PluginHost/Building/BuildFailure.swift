/// Why a folder of sources could not be made a plugin; see ``PluginProblem/Cause/notBuilt(_:)``.
public enum BuildFailure: Error, Hashable, Sendable {
  /// No `swiftc` is in a folder of `PATH`.
  case noCompiler
  /// The `swiftc` does not say its version.
  case silentCompiler(path: String)
  /// The `swiftc` is of another release than the one that made the SDK's modules.
  case otherCompiler(path: String, found: String, expected: String)
  /// There are no modules of the SDK beside its library.
  case noModules(libraryFolder: String)
  /// There is no such folder.
  case noFolder
  /// The folder holds no Swift sources.
  case noSources
  /// The folder holds the sources of several modules.
  case severalModules([String])
  /// No source names an entry.
  case noEntry(sources: Int)
  /// The sources name several entries.
  case severalEntries([String])
  /// The entry is named for another plugin than the module; where it stands.
  case otherEntry(String, module: String, file: String, line: Int)
  /// The name can't be a plugin's.
  case invalidName(String)
  /// The compiler refuses; the errors' first lines, and all that it said.
  case compiler(errors: [String], output: String)
  /// The compiler crashed over the sources: what it was doing, and all that it said.
  case compilerCrashed(doing: [String], output: String)
  /// The compiler could not be started, or a signal ended it.
  case compilerEnded(path: String, reason: String)
  /// The sources or what is built of them can't be read or written.
  case fileRefused(path: String, error: Int32)
  /// Somebody else has held the lock of the folder's builds for so long.
  case locked(path: String, seconds: Int)
}

extension BuildFailure {
  /// Whether sources were saved while the compiler read them, so that it has to run again.
  var isOutrun: Bool {
    guard case .compiler(let errors, _) = self else { return false }
    return errors.contains { $0.contains("was modified during the build") }
  }
}
