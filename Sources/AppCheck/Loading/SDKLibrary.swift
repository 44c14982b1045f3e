internal import AppCore
internal import PluginHost
internal import Support

/// The `libAppCore.so` that this process uses.
package enum SDKLibrary {
  /// Where it was loaded from.
  package static let folder = PluginLocator.libraryFolder(defining: SDK.contractSymbol)

  /// The plugins of the installed tree that the library is in.
  ///
  /// `nil` where the program is in the same tree: it looks there anyway.
  package static let pluginFolder: String? = {
    guard let folder else { return nil }
    let plugins = folder + "/appcore/plugins"
    let own = PluginLocator.executableFolder().map {
      FilePath.folder(of: $0) + "/lib/appcore/plugins"
    }
    guard let real = FilePath.resolved(plugins), real != own.flatMap(FilePath.resolved) else {
      return nil
    }
    return plugins
  }()
}
