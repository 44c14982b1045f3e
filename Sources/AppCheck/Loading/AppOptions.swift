@_spi(Host) public import AppCore
internal import Glibc
package import Lock

/// What an app is loaded with, besides its manifest.
public struct AppOptions: Sendable {
  /// Folders to search for plugins before all others, as `--plugin-path` gives them.
  public var pluginPath: [String] = []
  /// Values of variables, as `--set name=value` gives them.
  public var settings: [String: String] = [:]
  /// Whether includes may be outside the folder of the manifest.
  public var allowsOutside = false
  /// Whether plugins are taken that other users of the machine can change.
  public var allowsWritable = false
  /// Whether plugins are scanned again, whatever was found before.
  public var rescans = false
  /// Called with the name of a plugin whose sources are about to be compiled, which takes a while.
  public var willCompile: (@Sendable (String) -> Void)?
  /// Called with the name of a plugin of whose sources another build is waited for.
  public var willWait: (@Sendable (String) -> Void)?
  /// How long a plugin may take when it is scanned.
  public var scanLimit = Duration.seconds(5)
  /// The process's variables.
  public var environment: [String: String]
  /// Files of interfaces, by the names of the plugins that mocks of them stand in for.
  public var mocks: [String: String] = [:]
  /// The program that scans plugins in a process of its own; `nil` loads them unscanned.
  public var scanner: String?
  /// Whether other builds of the plugins on the search path are compared with those that are used.
  public var comparesBuilds = false
  /// Whether the app must be as its lock says, which must be there; as `--locked` asks for.
  ///
  /// The machine's policy may ask for it, too.
  public var isLocked = false
  /// What the lock beside the manifest is for.
  package enum LockUse: Sendable {
    /// The app is held to it.
    case hold
    /// It is about to be written: it is not read, and plugins are sealed.
    case write
  }
  package var lockUse = LockUse.hold
  /// The lock that plugins are held to, once it was read.
  package var heldLock: HeldLock?
  /// Where the machine's policy on signatures is; another folder is for tests alone.
  package var policyFolder = PolicyFolder.machine
  /// Whether a plugin's version may be other than the manifest asks for.
  package var ignoresVersions = false
  /// Whether a variable of the manifest may be without a value: where the app is not run.
  package var allowsUnsetVariables = false
  /// Whether the manifest is read by itself, without its plugins.
  package var leavesOutPlugins = false
  /// For what folders of sources are compiled.
  package var configuration = PluginConfiguration.debug
  /// Plugins that are part of this process; they win over files of the same name.
  @_spi(Host) public var linkedPlugins: [LoadedPlugin] = []

  /// Creates options.
  ///
  /// - Parameter environment: the variables of this process unless given.
  public init(environment: [String: String] = ProcessVariables.all) {
    self.environment = environment
    scanner = ScannerProgram.path(environment: environment)
  }
}

/// The variables of this process's environment.
public enum ProcessVariables {
  /// All of them; where a name appears twice, the first one counts, as for `getenv`.
  public static var all: [String: String] {
    var result: [String: String] = [:]
    var entry = environ
    while let text = entry.pointee {
      let pair = String(cString: text)
      if let equals = pair.firstIndex(of: "=") {
        let name = String(pair[..<equals])
        if result[name] == nil { result[name] = String(pair[pair.index(after: equals)...]) }
      }
      entry += 1
    }
    return result
  }
}
