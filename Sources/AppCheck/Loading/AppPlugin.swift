@_spi(Host) package import AppCore
package import PluginHost
internal import Support

/// A found plugin: its description, and how to load its code.
///
/// A scan can describe it before its code is loaded, on first use.
package struct AppPlugin: Sendable {
  /// What the plugin is.
  package let info: PluginInfo
  /// The file; `nil` for a plugin that is linked into this process.
  package let path: String?
  /// The folder of sources that the file was built of; `nil` where a file was named.
  package var folder: String?
  /// The file of the interface that the plugin is a mock of; `nil` for a plugin with code.
  package var mockFile: String?
  /// The digest of the file's bytes; `nil` for a plugin that is linked.
  package var digest: String?
  /// The digests of the file and its libraries, if the app has a lock or is about to be locked.
  package var seal: PluginDigests?
  /// The names of the libraries that it brings along, in the order of the seal.
  package var libraryNames: [String] = []
  private let code: Code

  private enum Code: Sendable {
    case here(LoadedPlugin)
    case file(LazyCode)
  }

  /// Creates a plugin that is loaded in this process.
  package init(_ plugin: LoadedPlugin, path: String?) {
    info = PluginInfo(plugin)
    self.path = path
    code = .here(plugin)
  }

  /// Creates a mock of a plugin from its interface.
  package init(mock interface: PluginInterface, file: String? = nil) {
    info = interface.info
    path = nil
    mockFile = file
    code = .here(interface.mock)
  }

  /// Creates a plugin whose code is loaded when it is needed.
  init(_ info: PluginInfo, path: String, load: @escaping LazyCode.Load) {
    self.info = info
    self.path = path
    code = .file(LazyCode(load))
  }

  /// Whether it is the same build as another one.
  ///
  /// Equal digests prove nothing if the seals differ.
  package func hasSameCode(as other: AppPlugin) -> Bool {
    guard digest == other.digest else { return false }
    guard let seal, let known = other.seal else { return true }
    return seal == known
  }

  /// Whether the code is loaded.
  package var isLoaded: Bool {
    switch code {
    case .here: true
    case .file(let code): code.isLoaded
    }
  }

  /// Whether a separate process has scanned the plugin.
  package var wasScanned: Bool {
    if case .file = code { true } else { false }
  }

  /// Why the last load failed; `nil` if it succeeded or was never tried.
  package var problem: PluginError? {
    if case .file(let code) = code { code.problem } else { nil }
  }

  /// Returns the plugin's code, which is loaded first if necessary.
  ///
  /// After a failure the next call tries again: the file may be back.
  package func load() throws(PluginError) -> LoadedPlugin {
    switch code {
    case .here(let plugin): return plugin
    case .file(let code):
      let plugin = try code.load()
      let found = PluginInfo(plugin)
      // The manifest was checked against the scan.
      guard found == info else {
        throw PluginError(.registered, path: path ?? info.name, .otherThanScanned)
      }
      return plugin
    }
  }
}

/// Code that is loaded once, on first use; thread-safe.
final class LazyCode: Sendable {
  typealias Load = @Sendable () throws(PluginError) -> LoadedPlugin

  private let code: Load
  private let loaded = Locked<LoadedPlugin?>(nil)
  private let failure = Locked<PluginError?>(nil)

  init(_ code: @escaping Load) { self.code = code }

  var isLoaded: Bool { loaded.withLock { $0 != nil } }
  var problem: PluginError? { failure.withLock { $0 } }

  func load() throws(PluginError) -> LoadedPlugin {
    try loaded.withLock { loaded throws(PluginError) in
      if let loaded { return loaded }
      do throws(PluginError) {
        let plugin = try code()
        loaded = plugin
        failure.withLock { $0 = nil }
        return plugin
      } catch {
        failure.withLock { $0 = error }
        throw error
      }
    }
  }
}
