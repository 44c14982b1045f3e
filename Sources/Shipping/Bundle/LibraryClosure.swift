internal import AppCheck
internal import PluginHost
internal import Support

/// All libraries that some files need, and where each is in the bundle.
///
/// It follows what the files ask for, as the loader would: what the installed appcore has, what a
/// plugin brings along, what the toolchain has, and what the system has. Of the system's, only the
/// runtimes of C and C++ are left to the machine on which the app runs.
struct LibraryClosure {
  /// What the machine has to have, with the versions of symbols that are asked of it.
  private(set) var system: [String: Set<String>] = [:]
  /// What is in the bundle.
  private(set) var files: [BundleFile] = []

  /// The folders of the installed tree; `nil` where the host is not part of the bundle.
  private let tree: InstalledHost?
  /// The installed tree of the appcore that runs, if it is one.
  private let installed: InstalledHost?
  private var seen: Set<String> = []

  /// What every machine with glibc and a C++ runtime has.
  private static let base: Set<String> = [
    "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1",
    "libresolv.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libgcc_s.so.1",
    "libstdc++.so.6", "libAppCore.so",
  ]

  init(_ tree: InstalledHost?) {
    self.tree = tree
    installed = tree ?? (try? InstalledHost(PluginFolder.toolkit))
  }

  /// Adds what a file needs.
  ///
  /// - Parameters:
  ///   - file: the file.
  ///   - pluginFolder: the folder of the plugin that needs it; `nil` for the host.
  /// - Throws: the first library that is nowhere.
  mutating func add(
    neededBy file: LinkedFile, pluginFolder: String? = nil
  ) throws(BundleError) {
    for (library, versions) in file.neededVersions where Self.base.contains(library) {
      system[library, default: []].formUnion(versions)
    }
    for library in file.needed {
      if Self.base.contains(library) {
        if library != "libAppCore.so" { system[library, default: []].formUnion([]) }
        continue
      }
      guard seen.insert(library).inserted else { continue }
      guard let (path, place, part) = try find(library, file, pluginFolder) else { continue }
      let found = try Self.read(path)
      files.append(
        BundleFile(path: place, bytes: found.bytes, part: part))
      try add(neededBy: found, pluginFolder: part == .plugins ? pluginFolder : nil)
    }
  }

  static func read(_ path: String) throws(BundleError) -> LinkedFile {
    do throws(PluginError) { return try LinkedFile(path: path) } catch {
      throw BundleError(path, .bundleLibraryMissing, error.message)
    }
  }

  /// Where a library is now, and where it is in the bundle; `nil` for one that is left out.
  private func find(
    _ library: String, _ user: LinkedFile, _ pluginFolder: String?
  ) throws(BundleError) -> (path: String, place: String, BundlePart)? {
    func exists(_ path: String) -> Bool { FilePath.resolved(path) != nil }
    let runtime = "lib/appcore/runtime/" + library
    // Whoever has appcore has the libraries of Swift that go with it.
    if let installed {
      let own = installed.root + "/lib/appcore/runtime/" + library
      if exists(own) { return tree == nil ? nil : (own, runtime, .runtime) }
    }
    let origin = FilePath.folder(of: FilePath.resolved(user.path) ?? user.path)
    for element in user.searchPath {
      let folder = element.replacing("${ORIGIN}", with: "$ORIGIN").replacing(
        "$ORIGIN", with: origin)
      guard folder.hasPrefix("/"), let path = FilePath.resolved(folder + "/" + library) else {
        continue
      }
      guard folder != element else { return tree == nil ? nil : (path, runtime, .runtime) }
      guard let pluginFolder, let base = FilePath.resolved(pluginFolder),
        path.hasPrefix(base + "/")
      else {
        throw BundleError(
          user.path, .bundleLibraryMissing,
          "it needs '\(library)', which is at '\(path)' and not in the plugin's folder")
      }
      let place = "lib/appcore/plugins/" + path.dropFirst(base.utf8.count + 1)
      return (path, String(place), .plugins)
    }
    if let path = SystemLibraries.path(of: library) {
      return tree == nil ? nil : (path, runtime, .runtime)
    }
    throw BundleError(
      user.path, .bundleLibraryMissing, "it needs '\(library)', which can't be found")
  }
}

/// The installed tree of the appcore that runs.
struct InstalledHost {
  /// The tree's folder.
  let root: String

  /// - Throws: ``BundleError`` for a build of the checkout, and for a program that embeds the host.
  init(_ toolkit: PluginToolkit) throws(BundleError) {
    let folder = PluginLocator.executableFolder() ?? "."
    root = FilePath.folder(of: folder)
    guard !toolkit.isCheckout, toolkit.libraryFolder == root + "/lib",
      FilePath.resolved(program) != nil
    else {
      throw BundleError(
        folder, .bundleNotInstalled, "this appcore is not an installed one, which could be bundled")
    }
  }

  var program: String { root + "/bin/appcore" }
  var library: String { root + "/lib/libAppCore.so" }
}
