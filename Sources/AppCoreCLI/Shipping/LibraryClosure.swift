internal import AppCheck
internal import PluginHost
internal import Support

/// The transitive closure of the shared libraries that some files need.
///
/// Libraries are looked up much as the dynamic loader would: in the installed appcore, in the
/// file's own search path (a plugin's folder or the toolchain), then in the system. The C and C++
/// runtimes are not put into the bundle; the machine that runs it has to have them. A bundle
/// without the host contains only the libraries in the plugins' folders.
struct LibraryClosure {
  /// The system libraries that are needed but not bundled, with the symbol versions used of each.
  private(set) var system: [String: Set<String>] = [:]
  /// The libraries to put into the bundle, with their paths there.
  private(set) var files: [BundleFile] = []
  /// The files that need Foundation, by name.
  private(set) var foundationUsers: Set<String> = []
  /// Whether a file needs Foundation, and neither the bundle nor an installed appcore has it.
  private(set) var lacksFoundation = false

  /// The installed appcore to bundle; `nil` if the bundle does not contain the host.
  private let tree: InstalledHost?
  /// The installed appcore that is running; `nil` if it is a build of the checkout.
  private let installed: InstalledHost?
  /// The paths of the libraries in ``files``, by their paths in the bundle.
  private var sources: [String: String] = [:]

  /// The libraries of glibc and the C++ runtime, and the SDK's library, which comes with the host.
  private static let base: Set<String> = [
    "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libutil.so.1",
    "libresolv.so.2", "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "libgcc_s.so.1",
    "libstdc++.so.6", "libAppCore.so",
  ]

  init(_ tree: InstalledHost?) {
    self.tree = tree
    installed = tree ?? (try? InstalledHost(PluginFolder.toolkit))
  }

  /// Adds the libraries that a program or library needs, and those that they need.
  ///
  /// `pluginFolder` is the folder of the plugin that the file belongs to; `nil` for the host.
  ///
  /// - Throws: ``BundleError`` for the first library that can't be found or bundled.
  mutating func add(
    neededBy file: SharedObject, pluginFolder: String? = nil
  ) throws(BundleError) {
    for (library, versions) in file.neededVersions where Self.base.contains(library) {
      system[library, default: []].formUnion(versions)
    }
    for library in file.needed {
      if Foundation.libraries.contains(library),
        !Foundation.libraries.contains(FilePath.name(of: file.path))
      {
        foundationUsers.insert(FilePath.name(of: file.path))
        let isThere =
          tree != nil || installed.map { $0.has(library) } ?? false
          || LibrarySearch.systemPath(of: library) != nil
        if !isThere { lacksFoundation = true }
      }
      if Self.base.contains(library) {
        if library != "libAppCore.so" { system[library, default: []].formUnion([]) }
        continue
      }
      guard let (path, place, part) = try find(library, file, pluginFolder) else { continue }
      if let former = sources[place] {
        // A plugin has its own libraries; the others are the same for all.
        if part == .plugins, former != path, try !Self.isSame(former, path) {
          throw BundleError(
            file.path, .bundleLibraryConflict,
            "its library '\(path)' is not the same as '\(former)', which has the same path in the "
              + "bundle")
        }
        continue
      }
      sources[place] = path
      let found = try Self.read(path)
      files.append(
        BundleFile(path: place, bytes: found.bytes, part: part))
      try add(neededBy: found, pluginFolder: part == .plugins ? pluginFolder : nil)
    }
  }

  private static func isSame(_ first: String, _ second: String) throws(BundleError) -> Bool {
    try read(first).bytes == read(second).bytes
  }

  static func read(_ path: String) throws(BundleError) -> SharedObject {
    do throws(PluginError) { return try SharedObject(path: path) } catch {
      throw BundleError(path, .bundleLibraryMissing, error.message)
    }
  }

  /// Finds a library: its path, its path in the bundle, and its part; `nil` if it is left out.
  private mutating func find(
    _ library: String, _ user: SharedObject, _ pluginFolder: String?
  ) throws(BundleError) -> (path: String, place: String, BundlePart)? {
    func exists(_ path: String) -> Bool { FilePath.resolved(path) != nil }
    let runtime = "lib/appcore/runtime/" + library
    // Every installation of appcore contains these Swift libraries.
    if let installed {
      let own = installed.runtimeFolder + "/" + library
      if exists(own) { return tree == nil ? nil : (own, runtime, .runtime) }
    }
    let origin = FilePath.folder(of: FilePath.resolved(user.path) ?? user.path)
    for element in user.searchPath {
      let folder = element.replacing("${ORIGIN}", with: "$ORIGIN").replacing(
        "$ORIGIN", with: origin)
      guard folder.hasPrefix("/"), let path = FilePath.resolved(folder + "/" + library) else {
        continue
      }
      // Only a plugin's own libraries must be in its folder.
      guard folder != element, let pluginFolder else {
        return tree == nil ? nil : (path, runtime, .runtime)
      }
      guard let base = FilePath.resolved(pluginFolder),
        let place = FilePath.inside(base, path)
      else {
        throw BundleError(
          user.path, .bundleLibraryMissing,
          "it needs '\(library)', which is at '\(path)' and not in the plugin's folder")
      }
      return (path, "lib/appcore/plugins/" + place, .plugins)
    }
    if let path = LibrarySearch.systemPath(of: library) {
      if tree != nil { return (path, runtime, .runtime) }
      system[library, default: []].formUnion(user.neededVersions[library] ?? [])
      return nil
    }
    throw BundleError(
      user.path, .bundleLibraryMissing, "it needs '\(library)', which can't be found")
  }
}

/// The installation of the appcore that is running.
struct InstalledHost {
  /// The installation prefix, such as `/usr/local`.
  let root: String

  /// Describes the installation in a folder, without a check.
  init(root: String) { self.root = root }

  /// Finds the installation from the path of this program.
  ///
  /// - Throws: ``BundleError`` in a build of the checkout and in a program that embeds the host.
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
  var runtimeFolder: String { root + "/lib/appcore/runtime" }

  /// Whether it has a Swift library.
  func has(_ library: String) -> Bool { FilePath.resolved(runtimeFolder + "/" + library) != nil }
}

/// What Foundation costs a bundle.
///
/// The host needs `FoundationEssentials` alone. `Foundation` comes with libraries that are larger than
/// the rest of a bundle, most of them tables of languages and regions.
struct Foundation: Sendable {
  /// The libraries that nothing needs without `Foundation`.
  static let libraries: Set<String> = [
    "libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so",
  ]

  /// The names of the files that need it, sorted.
  let users: [String]
  /// The size of its libraries in the bundle, in bytes.
  let size: Int

  /// Finds out what it costs; `nil` if nothing needs it.
  init?(_ closure: LibraryClosure) {
    guard !closure.foundationUsers.isEmpty else { return nil }
    users = closure.foundationUsers.sorted()
    size = closure.files.filter { Self.libraries.contains(FilePath.name(of: $0.path)) }
      .reduce(0) { $0 + $1.bytes.count }
  }
}
