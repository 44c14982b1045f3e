@_spi(Host) public import AppCore
internal import Glibc
package import PluginHost

/// What an app is loaded with, besides its manifest.
public struct AppOptions: Sendable {
  /// Folders to search for plugins before all others, as `--plugin-path` gives them.
  public var pluginPath: [String] = []
  /// Values of variables, as `--set name=value` gives them.
  public var settings: [String: String] = [:]
  /// Values that variables had when a recording was made; ``settings`` override them.
  package var recordedVariables: [String: String] = [:]
  /// Whether includes may be outside the folder of the manifest.
  public var allowsOutside = false
  /// Whether plugins that other users can modify are accepted.
  public var allowsWritable = false
  /// Whether plugins are scanned again, even if the result of a scan is cached.
  public var rescans = false
  /// Called with the name of a plugin whose sources are about to be compiled, which takes a while.
  public var willCompile: (@Sendable (String) -> Void)?
  /// Called with a plugin's name before code of it runs in this process; what it returns, after that.
  ///
  /// Code runs when the plugin's files are loaded and, without files, when it registers its features.
  package var willRunPlugin: (@Sendable (String, _ files: [String]?) -> () -> Void)?
  /// Called with the name of a plugin that another process is building, before waiting for it.
  public var willWait: (@Sendable (String) -> Void)?
  /// The time limit of scanning one plugin.
  public var scanLimit = Duration.seconds(5)
  /// The process's variables.
  public var environment: [String: String]
  /// The interface files of plugins that are replaced by mocks, by plugin name.
  public var mocks: [String: String] = [:]
  /// The program that scans plugins in a process of its own; `nil` loads them unscanned.
  public var scanner: String?
  /// Whether other builds of the plugins on the search path are compared with those that are used.
  public var comparesBuilds = false
  /// Whether the app must have a lock and must not differ from it, as with `--locked`.
  ///
  /// The machine's policy can require that as well.
  public var isLocked = false
  /// What the lock beside the manifest is for.
  package enum LockUse: Sendable {
    /// The app is compared with it.
    case hold
    /// It is about to be written: it is not read, and the digests of plugins are computed.
    case write
    /// It is not read: no code is run, or the app was already compared with it.
    case ignore
  }
  package var lockUse = LockUse.hold
  /// The lock that plugins are compared with, once it is read.
  package var lockEnforcement: LockEnforcement?
  /// The folder of the machine's policy; only tests change it.
  package var policyFolder = PolicyFolder.machine
  /// Whether the manifest's version requirements are ignored.
  package var ignoresVersions = false
  /// Whether a variable of the manifest may be without a value: where the app is not run.
  package var allowsUnsetVariables = false
  /// The texts to read in place of the manifest's files, by path.
  package var contents: [String: [UInt8]] = [:]
  /// Whether the manifest is read by itself, without its plugins.
  package var leavesOutPlugins = false
  package var configuration = BuildConfiguration.debug
  /// Plugins that are part of this process; they win over files of the same name.
  @_spi(Host) public var linkedPlugins: [LoadedPlugin] = []

  /// Creates options; the variables are those of this process unless given.
  public init(environment: [String: String] = ProcessVariables.all) {
    self.environment = environment
    scanner = ScanReport.program(environment: environment)
  }

  /// The search path for plugins; `nil` without a manifest's folder.
  package func locator(manifestFolder: String? = nil) -> PluginLocator {
    PluginLocator(
      pluginPath: pluginPath, manifestFolder: manifestFolder,
      executableFolder: PluginLocator.executableFolder(), libraryPlugins: SDKLibrary.pluginFolder,
      environment: environment)
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
      if let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(pair[..<equals])
        if result[name] == nil { result[name] = String(pair[pair.utf8.index(after: equals)...]) }
      }
      entry += 1
    }
    return result
  }

  /// The value of one variable; `nil` if it is not set.
  package static func value(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}
