internal import Glibc
internal import Support

/// The libraries of this machine that any program finds.
package enum SystemLibraries {
  /// Where a library is; `nil` where there is none of the name.
  package static func path(of library: String) -> String? {
    if let path = LibraryCache().path(of: library) { return path }
    return LoaderSearchPath.shared.system.map { $0.path(of: library) }
      .first { access($0, R_OK) == 0 }
  }

  /// The folder of the Swift runtime that this process uses.
  package static let swiftRuntime: String? = PluginLocator.libraryFolder(defining: "swift_retain")
}
