internal import AppCheck
internal import AppCore
internal import Glibc
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Support

/// Collects the files of a bundle, checks them, and writes the bundle.
struct BundleMaker {
  let description: BundleDescription
  /// The system libraries that the bundle needs, with the symbol versions that it uses of each.
  let systemLibraries: [String: Set<String>]

  /// What Foundation costs; `nil` if nothing needs it.
  let foundation: Foundation?

  private let report: ManifestReport
  private let options: Bundle.Options
  private let host: InstalledHost?
  private let manifestFiles: [(path: String, bytes: [UInt8])]
  private let documents: [(path: String, bytes: [UInt8])]
  private let plugins: [(name: String, file: SharedObject)]
  private let libraries: [BundleFile]

  /// Reads the app's files and finds the libraries that they need.
  ///
  /// - Parameters:
  ///   - report: the app, which has no errors.
  ///   - manifest: the app's manifest.
  ///   - options: the options for the bundle.
  /// - Throws: ``BundleError`` if something can't be part of a bundle.
  init(
    _ report: ManifestReport, _ manifest: Manifest, _ options: Bundle.Options
  ) throws(BundleError) {
    self.report = report
    self.options = options
    let name = report.graph?.name ?? ""
    guard AppScaffold.isName(name), name != "appcore" else {
      throw BundleError(
        report.path, .bundleName, "'\(name)' can't be the name of a program and a package")
    }
    host = options.hasRuntime ? try InstalledHost(PluginFolder.toolkit) : nil
    manifestFiles = try BundleManifest.files(report, manifest)
    let folder = FilePath.folder(of: report.path)
    documents = try AppDocuments.files(in: folder)
    description = BundleDescription(
      name: name, version: manifest.version?.value,
      manifest: FilePath.name(of: report.path), appcore: SDK.version,
      architecture: BundleDescription.architecture, hasRuntime: options.hasRuntime)

    var closure = LibraryClosure(host)
    if let host {
      for path in [host.program, host.library] {
        try closure.add(neededBy: try LibraryClosure.read(path))
      }
    }
    var plugins: [(String, SharedObject)] = []
    for (name, member) in report.plugins.members.sorted(by: { $0.key < $1.key }) {
      // Mocks and plugins linked into the host have no file.
      guard let path = member.path else { continue }
      let file = try LibraryClosure.read(path)
      try closure.add(neededBy: file, pluginFolder: FilePath.folder(of: path))
      plugins.append((name, file))
    }
    if closure.lacksFoundation, let user = closure.foundationUsers.min() {
      throw BundleError(
        user, .bundleLibraryMissing,
        "it imports Foundation, which is neither in a bundle without the runtime nor in an installed "
          + "appcore; leave out '--with-runtime no', or import 'FoundationEssentials'")
    }
    self.plugins = plugins
    libraries = closure.files
    systemLibraries = closure.system
    foundation = Foundation(closure)
  }

  /// Writes the bundle's files to the folder `tree` in `work`, checks the app there and locks it.
  ///
  /// - Parameter work: the folder for temporary files.
  /// - Returns: the files, with the lock and its signature.
  /// - Throws: ``BundleError``.
  func tree(in work: WorkFolder) throws -> BundleTree {
    var tree = BundleTree()
    try addBinaries(to: &tree, work)
    let share = description.folder + "/"
    for file in manifestFiles {
      tree.add(BundleFile(path: share + file.path, bytes: file.bytes, part: .app))
    }
    for file in documents {
      tree.add(
        BundleFile(
          path: "share/doc/\(description.name)/\(file.path)", bytes: file.bytes, part: .app))
    }
    tree.add(share + "schema/appcore-1.json", ManifestReport.schemaOfFormat, .app)
    for (name, member) in report.plugins.members {
      tree.add("\(share)interfaces/\(name).json", PluginInterface(member.info).json, .app)
    }
    tree.add(share + BundleDescription.fileName, description.text, .app)
    tree.add(
      "bin/" + description.name, Launcher.text(description, report.manifest), isExecutable: true,
      .app)
    let folder = try work.folder("tree")
    try BundleError.reporting(folder) { () throws(SystemError) in
      try tree.write(to: folder, time: options.time)
    }
    let lock = BundleFile(
      path: share + AppLock.fileName, bytes: Array(try check(folder).text.utf8), part: .app)
    tree.add(lock)
    try BundleError.reporting(folder) { () throws(SystemError) in
      try tree.write(lock, to: folder, time: options.time)
    }
    if let key = options.signingKey {
      let signature = try sign(folder, key: key)
      tree.add(signature)
      try BundleError.reporting(folder) { () throws(SystemError) in
        try tree.write(signature, to: folder, time: options.time)
      }
    }
    return tree
  }

  private func addBinaries(to tree: inout BundleTree, _ work: WorkFolder) throws(BundleError) {
    let stripper = try Stripper(in: work.path, environment: options.app.environment)
    func add(_ bytes: [UInt8], _ path: String, as place: String, _ part: BundlePart)
      throws(BundleError)
    {
      let bytes = Self.anonymous(try stripper.strip(bytes, path: path), path)
      // Libraries needn't be executable, and Debian's policy asks that they are not.
      tree.add(
        BundleFile(
          path: place, bytes: bytes, isExecutable: place.hasPrefix("bin/"), part: part))
    }
    if let host {
      for (path, place) in [(host.program, "bin/appcore"), (host.library, "lib/libAppCore.so")] {
        try add(try LibraryClosure.read(path).bytes, path, as: place, .host)
      }
    }
    for library in libraries {
      let bytes = try Self.relocated(
        library.bytes, library.path, to: Self.runtimeFolder(from: library.path))
      try add(bytes, library.path, as: library.path, library.part)
    }
    for (name, file) in plugins {
      let place = "lib/appcore/plugins/lib\(name).so"
      let bytes = try Self.relocated(
        PluginStamp.removed(from: file.bytes), file.path, to: Self.runtimeFolder(from: place))
      try add(bytes, file.path, as: place, .plugins)
      if var plugin = tree.files[place] {
        plugin.bytes = PluginStamp.added(to: plugin.bytes)
        tree.add(plugin)
      }
    }
  }

  /// Removes the module digests, which depend on the compiler's arguments and so on the machine's
  /// folders.
  private static func anonymous(_ bytes: [UInt8], _ path: String) -> [UInt8] {
    (try? SharedObject(bytes, path: path).withoutModuleDigests.bytes) ?? bytes
  }

  /// The folder of the Swift libraries, from that of a library in the bundle.
  static func runtimeFolder(from place: String) -> String {
    guard !place.hasPrefix("lib/appcore/runtime/") else { return "$ORIGIN" }
    let depth = place.split(separator: "/").count - "lib/appcore/NAME".split(separator: "/").count
    return "$ORIGIN" + String(repeating: "/..", count: depth) + "/runtime"
  }

  /// Changes a library's search path to the folders of the bundle.
  private static func relocated(
    _ bytes: [UInt8], _ path: String, to folder: String
  ) throws(BundleError) -> [UInt8] {
    do throws(PluginError) {
      return try SharedObject(bytes, path: path).searching(folder).bytes
    } catch {
      throw BundleError(path, .bundleLibraryMissing, error.message)
    }
  }

  /// Signs the lock in the bundle's folder.
  ///
  /// - Returns: the signature; its file is removed from the folder.
  private func sign(_ folder: String, key: String) throws(BundleError) -> BundleFile {
    let file: String
    do throws(LockError) {
      file = try AppLock.sign(
        ofManifest: "\(folder)/\(description.folder)/\(description.manifest)", key: key,
        environment: options.app.environment)
    } catch {
      guard case .refused(let path, let cause) = error else {
        throw BundleError(key, .bundleNotLoadable, "\(error)")
      }
      // The file's path in the bundle, since the folder is temporary.
      let isKeys = cause.rule == .lockSignatureNotMade
      throw BundleError(isKeys ? key : path.replacing(folder + "/", with: ""), cause)
    }
    defer { unlink(file) }
    let bytes = try BundleError.reporting(file) { () throws(SystemError) in
      try WholeFile.read(file)
    }
    return BundleFile(
      path: description.folder + "/" + FilePath.name(of: file), bytes: bytes, part: .app)
  }

  /// Checks the app in the bundle's folder, with the plugins in that folder.
  ///
  /// - Returns: the app's lock.
  private func check(_ folder: String) throws -> AppLock {
    var options = options.app
    options.configuration = .debug
    options.allowsUnsetVariables = true
    // The bundle has no lock yet; this one is made from what is read here.
    options.lockUse = .write
    options.pluginPath = [folder + "/lib/appcore/plugins"]
    let path = "\(folder)/\(description.folder)/\(description.manifest)"
    let bundled: ManifestReport
    do throws(AppLoadError) { bundled = try ManifestReport(path, options: options) } catch {
      throw BundleError(path, .bundleNotLoadable, "\(error)")
    }
    try BundleManifest.check(bundled, isSameAs: report)
    guard !bundled.hasErrors else {
      throw BundleError(
        report.path, .bundleNotLoadable, bundled.firstError,
        details: bundled.text.split(separator: "\n").map(String.init))
    }
    do throws(LockError) {
      return try bundled.lock()
    } catch {
      throw BundleError(path, .bundleNotLoadable, "\(error)")
    }
  }

  /// Moves the bundle's folder to the target, or writes an archive of the files.
  ///
  /// - Returns: the size of the archive in bytes; `nil` for a folder.
  func write(
    _ tree: BundleTree, _ target: BundleTarget, _ work: WorkFolder
  ) throws(BundleError) -> Int? {
    let packing = Compression(folder: work.path, environment: options.app.environment)
    let archive: [UInt8]
    switch target.form {
    case .folder:
      try target.take(work.path + "/tree")
      return nil
    case .tarGz:
      let lead = [description.name, description.version].compactMap { $0 }.joined(separator: "-")
      let entries = [ArchiveEntry](tree.sorted, below: lead + "/")
      archive = try packing.compress(
        TarWriter.bytes(entries, time: options.time), for: target.path)
    case .deb:
      archive = try DebianPackage(
        description, title: report.manifest?.title?.value, tree, systemLibraries, options
      ).bytes(packing, for: target.path)
    }
    let file = work.path + "/archive"
    try BundleError.reporting(target.path) { () throws(SystemError) in
      try BundleTree.write(
        BundleFile(path: "", bytes: archive, part: .app), to: file, time: options.time)
    }
    try target.take(file)
    return archive.count
  }
}
