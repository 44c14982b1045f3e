internal import Glibc
internal import Support

/// What plugins are compiled against: the SDK's modules and library, as this process uses them.
///
/// Both are in one tree: an installed one (`lib/libAppCore.so`, `lib/appcore/modules`) or a build
/// of the checkout (`libAppCore.so`, `Modules`).
public struct PluginToolkit: Hashable, Sendable {
  /// The folder of `libAppCore.so`.
  public let libraryFolder: String
  /// Whether that is a build of the checkout, and not an installed tree.
  public let isCheckout: Bool
  /// The folder of `AppCore.swiftmodule`; `nil` if there is none, so that nothing can be compiled.
  public let modules: String?
  /// The release of the compiler that made the modules, such as `6.3.1`: no other can read them.
  public let compilerVersion: String

  /// Looks for the modules that belong to a library.
  public init(libraryFolder: String, compilerVersion: String) {
    // Links are resolved, so that a tree compares equal by whatever path it was started.
    let folder = FilePath.resolved(libraryFolder) ?? libraryFolder
    self.libraryFolder = folder
    self.compilerVersion = compilerVersion
    func holdsModules(_ path: String) -> Bool {
      access(path + "/AppCore.swiftmodule", R_OK) == 0
    }
    let installed = folder + "/appcore/modules"
    let built = folder + "/Modules"
    modules = [installed, built].first(where: holdsModules)
    isCheckout = modules == built
  }

  var library: String { libraryFolder + "/libAppCore.so" }
}
