internal import AppCore
internal import Glibc
internal import PluginHost

/// The `libAppCore.so` that this process uses.
enum SDKLibrary {
  /// Where it was loaded from.
  static let folder = PluginLocator.libraryFolder(defining: SDK.contractSymbol)

  /// The plugins of the installed tree that the library stands in.
  ///
  /// `nil` where the program stands in the same tree: it looks there anyway.
  static let pluginFolder: String? = {
    guard let folder else { return nil }
    let plugins = folder + "/appcore/plugins"
    let own = PluginLocator.executableFolder().map { $0 + "/../lib/appcore/plugins" }
    guard let real = resolved(plugins), real != own.flatMap(resolved) else { return nil }
    return plugins
  }()

  /// The path without links and dots; `nil` where there is no such file.
  private static func resolved(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }
}
