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
  /// The size of Foundation's libraries in the bundle, in bytes.
  var foundationSize: Int {
    files.filter { Self.foundation.contains(FilePath.name(of: $0.path)) }
      .reduce(0) { $0 + $1.bytes.count }
  }

  /// The prefix of the installed appcore to bundle; `nil` if the bundle does not contain the host.
  private let host: String?
  /// The prefix of the one that is running; `nil` if it is a build of the checkout.
  private let installed: String?
  /// The paths of the libraries in ``files``, by their paths in the bundle.
  private var sources: [String: String] = [:]

  /// The libraries of glibc and the C++ runtime, which no bundle contains, with their packages in
  /// Debian.
  static let base = [
    "libgcc_s.so.1": "libgcc-s1", "libstdc++.so.6": "libstdc++6", "libc.so.6": "libc6",
    "libm.so.6": "libc6", "libdl.so.2": "libc6", "libpthread.so.0": "libc6", "librt.so.1": "libc6",
    "libutil.so.1": "libc6", "libresolv.so.2": "libc6", "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
  ]

  /// The libraries that nothing needs without `Foundation`.
  ///
  /// The host needs `FoundationEssentials` alone. These are larger than the rest of a bundle, most of
  /// them tables of languages and regions.
  private static let foundation: Set<String> = [
    "libFoundation.so", "libFoundationInternationalization.so", "lib_FoundationICU.so",
  ]

  init(host: String?) {
    self.host = host
    installed = host ?? (try? Self.installation())
  }

  /// The installation prefix of the appcore that is running, such as `/usr/local`.
  ///
  /// - Throws: ``BundleError`` in a build of the checkout and in a program that embeds the host.
  static func installation() throws(BundleError) -> String {
    let folder = PluginLocator.executableFolder() ?? "."
    let (root, toolkit) = (FilePath.folder(of: folder), PluginFolder.toolkit)
    guard !toolkit.isCheckout, toolkit.libraryFolder == root + "/lib",
      FilePath.resolved(root + "/bin/appcore") != nil
    else {
      throw BundleError(
        folder, .bundleNotInstalled, "this appcore is not an installed one, which could be bundled")
    }
    return root
  }

  /// Adds the libraries that a program or library needs, and those that they need.
  ///
  /// `pluginFolder` is the folder of the plugin that the file belongs to; `nil` for the host.
  ///
  /// - Throws: ``BundleError`` for the first library that can't be found or bundled.
  mutating func add(
    neededBy file: SharedObject, pluginFolder: String? = nil
  ) throws(BundleError) {
    for (library, versions) in file.neededVersions where Self.base[library] != nil {
      system[library, default: []].formUnion(versions)
    }
    for library in file.metadata.needed {
      if Self.foundation.contains(library),
        !Self.foundation.contains(FilePath.name(of: file.path))
      {
        foundationUsers.insert(FilePath.name(of: file.path))
        if host == nil, runtimeLibrary(library) == nil, LibrarySearch.systemPath(of: library) == nil
        {
          lacksFoundation = true
        }
      }
      // It comes with the host.
      if library == "libAppCore.so" { continue }
      if Self.base[library] != nil {
        system[library, default: []].formUnion([])
        continue
      }
      guard let (path, place) = try find(library, file, pluginFolder) else { continue }
      let isOfPlugin = place.hasPrefix("lib/appcore/plugins/")
      if let former = sources[place] {
        // A plugin has its own libraries; the others are the same for all.
        if isOfPlugin, former != path, try Self.read(former).bytes != Self.read(path).bytes {
          throw BundleError(
            file.path, .bundleLibraryConflict,
            "its library '\(path)' is not the same as '\(former)', which has the same path in the "
              + "bundle")
        }
        continue
      }
      sources[place] = path
      let found = try Self.read(path)
      files.append(BundleFile(path: place, bytes: found.bytes))
      try add(neededBy: found, pluginFolder: isOfPlugin ? pluginFolder : nil)
    }
  }

  static func read(_ path: String) throws(BundleError) -> SharedObject {
    do throws(PluginError) { return try SharedObject(path: path) } catch {
      throw BundleError(path, .bundleLibraryMissing, error.message)
    }
  }

  /// A Swift library of the installed appcore; every installation has the same ones.
  private func runtimeLibrary(_ library: String) -> String? {
    let path = installed.map { "\($0)/lib/appcore/runtime/\(library)" }
    return path.flatMap { FilePath.resolved($0) == nil ? nil : $0 }
  }

  /// Finds a library: its path, and its path in the bundle; `nil` if it is left out.
  private mutating func find(
    _ library: String, _ user: SharedObject, _ pluginFolder: String?
  ) throws(BundleError) -> (path: String, place: String)? {
    let runtime = "lib/appcore/runtime/" + library
    if let own = runtimeLibrary(library) { return host == nil ? nil : (own, runtime) }
    let origin = FilePath.folder(of: FilePath.resolved(user.path) ?? user.path)
    for element in user.metadata.runpath {
      let folder = element.replacing("${ORIGIN}", with: "$ORIGIN").replacing(
        "$ORIGIN", with: origin)
      guard folder.hasPrefix("/"), let path = FilePath.resolved(folder + "/" + library) else {
        continue
      }
      // Only a plugin's own libraries must be in its folder.
      guard folder != element, let pluginFolder else {
        return host == nil ? nil : (path, runtime)
      }
      guard let base = FilePath.resolved(pluginFolder),
        let place = FilePath.inside(base, path)
      else {
        throw BundleError(
          user.path, .bundleLibraryMissing,
          "it needs '\(library)', which is at '\(path)' and not in the plugin's folder")
      }
      return (path, "lib/appcore/plugins/" + place)
    }
    if let path = LibrarySearch.systemPath(of: library) {
      if host != nil { return (path, runtime) }
      system[library, default: []].formUnion(user.neededVersions[library] ?? [])
      return nil
    }
    throw BundleError(
      user.path, .bundleLibraryMissing, "it needs '\(library)', which can't be found")
  }
}
