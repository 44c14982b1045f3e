internal import AppCore
internal import PluginHost
internal import Support

package enum SDKLibrary {
  package static let folder = PluginLocator.libraryFolder(defining: SDK.contractSymbol)

  /// The plugins of the tree that the library is in: an installed tree, or a build of a checkout.
  ///
  /// `nil` where the program is in the same tree: it looks there anyway.
  package static let pluginFolder: String? = {
    guard let folder else { return nil }
    let executable = PluginLocator.executableFolder()
    let installed = folder + "/appcore/plugins"
    if let real = FilePath.resolved(installed) {
      let own = executable.map { FilePath.folder(of: $0) + "/lib/appcore/plugins" }
      return real == own.flatMap(FilePath.resolved) ? nil : installed
    }
    guard PluginToolkit(libraryFolder: folder, compilerVersion: "").isCheckout,
      FilePath.resolved(folder) != executable.flatMap(FilePath.resolved)
    else { return nil }
    return folder
  }()
}
