@_spi(Host) package import AppCore
package import PluginHost
internal import Support

/// A plugin of an app: its description, and its code, which is loaded once, on first use.
///
/// A scan can describe it before its code is loaded.
package final class AppPlugin: Sendable {
  typealias Load = @Sendable () throws(PluginError) -> LoadedPlugin

  package let info: PluginInfo
  /// The folder of sources that the file was built of; `nil` where a file was named.
  package let folder: String?
  /// The file of the interface that the plugin is a mock of; `nil` for a plugin with code.
  package let mockFile: String?
  /// The file as it was read; `nil` for a plugin that is linked into this process, and for a mock.
  package let prepared: PreparedPlugin?
  /// Whether a separate process has scanned the plugin.
  package let wasScanned: Bool
  private let code: Load
  /// The code, or why the last load failed.
  private let loaded: Locked<Result<LoadedPlugin, PluginError>?>

  /// The file; `nil` for a plugin that is linked into this process.
  package var path: String? { prepared?.path }
  /// The digest of the file's bytes; `nil` for a plugin that is linked.
  package var digest: String? { prepared?.contentID }

  /// Creates a plugin that is loaded in this process.
  package init(
    _ plugin: LoadedPlugin, from prepared: PreparedPlugin? = nil, folder: String? = nil
  ) {
    info = PluginInfo(plugin)
    (self.prepared, self.folder, mockFile, wasScanned) = (prepared, folder, nil, false)
    code = { plugin }
    loaded = Locked(.success(plugin))
  }

  package init(mock interface: PluginInterface, file: String? = nil) {
    let mock = interface.mock
    info = interface.info
    (prepared, folder, mockFile, wasScanned) = (nil, nil, file, false)
    code = { mock }
    loaded = Locked(.success(mock))
  }

  /// Creates a plugin whose code is loaded when it is needed.
  init(
    _ info: PluginInfo, from prepared: PreparedPlugin, folder: String?, load: @escaping Load
  ) {
    self.info = info
    (self.prepared, self.folder, mockFile, wasScanned) = (prepared, folder, nil, true)
    code = { () throws(PluginError) in
      let plugin = try load()
      // The manifest was checked against the scan.
      var found = PluginInfo(plugin)
      found.states = info.states
      guard found == info else {
        throw PluginError(
          .registered, path: prepared.path,
          Rejection(
            .pluginUnsteady, "it says something else of itself than it said when it was scanned"))
      }
      return plugin
    }
    loaded = Locked(nil)
  }

  package func hasSameCode(as other: AppPlugin) -> Bool {
    guard digest == other.digest else { return false }
    // Equal ones prove nothing if these differ.
    guard let digests = prepared?.digests, let known = other.prepared?.digests else { return true }
    return digests == known
  }

  package var isLoaded: Bool { loaded.withLock { if case .success = $0 { true } else { false } } }
  /// Why the last load failed; `nil` if it succeeded or was never tried.
  package var problem: PluginError? {
    loaded.withLock { if case .failure(let error) = $0 { error } else { nil } }
  }

  /// Returns the plugin's code, which is loaded first if necessary.
  ///
  /// After a failure the next call tries again: the file may be back.
  package func load() throws(PluginError) -> LoadedPlugin {
    try loaded.withLock { loaded throws(PluginError) in
      if case .success(let plugin) = loaded { return plugin }
      let result = Result { () throws(PluginError) in try code() }
      loaded = result
      return try result.get()
    }
  }
}
