internal import AppCheck
internal import AppCore
internal import Glibc
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Support

/// A bundle: an app with everything that it needs to run on other machines, as a folder or archive.
///
/// It is made in these steps:
/// 1. The plugins are built for release, and the app is checked.
/// 2. The files are collected: the host, the libraries, the plugins, the manifest and its includes,
///    and the documents. None contains a path of this machine.
/// 3. They are written to a temporary folder beside the target; the app there is checked and locked.
/// 4. The folder, or an archive of it, replaces the target atomically.
///
/// The same inputs make the same bytes on every machine with the same tools.
struct Bundle {
  struct Options {
    var app: AppOptions
    /// Whether the bundle contains the host and the Swift libraries.
    var hasRuntime = true
    /// The path of the SSH key to sign the bundle's lock with; `nil` for no signature.
    var signingKey: String?
    /// The file for the debug information that stripping takes away; `nil` for none.
    var symbols: OutputFile?
    /// The maintainer of a Debian package, as `NAME <MAIL>`.
    ///
    /// If it is `nil`, the environment variables DEBFULLNAME and DEBEMAIL are used.
    var maintainer: String?
    /// The modification time of all files, in seconds since 1970.
    var time: Int
  }

  let description: BundleDescription
  /// The app's title; its name if it has none.
  let title: String
  /// The size of each part in bytes, unpacked.
  let sizes: [String: Int]
  /// The libraries that have to be installed on a machine that runs the bundle, with the symbol
  /// versions that it uses of each.
  let systemLibraries: [String: Set<String>]
  /// The files that need Foundation, by name, and the size of its libraries in the bundle, in bytes.
  let foundation: (users: [String], size: Int)
  /// The size of the archive in bytes; `nil` for a folder.
  private(set) var archiveSize: Int?

  /// Makes a bundle of an app and writes it to a path, as an archive if it ends like one.
  ///
  /// - Throws: ``AppLoadError`` with the app's problems, or ``BundleError``.
  init(_ workspace: Workspace, to path: String, options: Options) throws {
    let target = try BundleTarget(path)
    try target.check(outside: Self.inputs(of: workspace, options))
    let report = try Self.report(workspace, options)
    guard !report.hasErrors, let manifest = report.manifest else {
      throw AppLoadError.problems(report)
    }
    let name = report.graph?.name ?? ""
    guard Scaffold.isAppName(name), name != "appcore" else {
      throw BundleError(
        report.path, .bundleName, "'\(name)' can't be the name of a program and a package")
    }
    let host = options.hasRuntime ? try LibraryClosure.installation() : nil
    description = BundleDescription(
      name: name, version: manifest.version?.value,
      manifest: FilePath.name(of: report.path), appcore: SDK.version,
      architecture: AppLock.Target.current.architecture, hasRuntime: options.hasRuntime)
    title = SafeText.line(manifest.title?.value ?? name)

    let app = try Self.files(of: report, manifest, description)
    var closure = LibraryClosure(host: host)
    for path in host.map(Self.hostFiles) ?? [] {
      try closure.add(neededBy: try LibraryClosure.read(path))
    }
    var plugins: [(name: String, file: SharedObject)] = []
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
    systemLibraries = closure.system
    foundation = (closure.foundationUsers.sorted(), closure.foundationSize)

    try BundleError.reporting(target.parent) { () throws(SystemError) in
      try WorkFolder.makeFolders(to: target.parent)
    }
    let work = try WorkFolder(in: target.parent)
    try target.check(isOf: name, work)
    let symbols = try options.symbols.map { _ in try SymbolArchive(in: work) }
    var tree = try Self.binaries(host, plugins, closure.files, work, symbols)
    for file in app { tree.add(file) }
    let folder = try work.folder("tree")
    try tree.write(to: folder, time: options.time)
    let lock = try Self.lock(in: folder, description, of: report, options)
    try tree.add(lock, writingTo: folder, time: options.time)
    if let key = options.signingKey {
      let signature = try Self.signature(of: lock, key: key)
      try tree.add(signature, writingTo: folder, time: options.time)
    }
    // A package has the same files in other places, and makes its own list.
    if target.form != .deb {
      try BundleSeal(folder: folder, description: description, key: options.signingKey)
        .write(time: options.time)
    }
    sizes = tree.sizes
    let debugInformation = try options.symbols.flatMap { file in
      try symbols?.bytes(for: file.path, time: options.time)
    }
    try write(tree, folder, target, work, options)
    // Last: those of the former bundle stay as long as that does.
    if let debugInformation { try options.symbols?.write(debugInformation) }
  }

  /// Checks what can be checked before the plugins are compiled.
  ///
  /// - Throws: ``BundleError`` if the path has the extension of an unsupported archive, or
  ///   something of another type exists there, a tool is missing, or a Debian package has no version
  ///   or maintainer; ``AppLoadError`` if the manifest can't be read.
  static func check(_ workspace: Workspace, to path: String, options: Options) throws {
    let form = try BundleTarget(path).form
    let tools: [BundleArchive.Form: [String]] = [
      .tarGz: ["tar", "gzip"], .deb: ["dpkg-deb", "gzip", "md5sum"],
    ]
    let more = options.symbols == nil ? [] : SymbolArchive.tools
    for tool in ["strip"] + (form.flatMap { tools[$0] } ?? []) + more {
      _ = try WorkFolder.find(tool)
    }
    guard form == .deb else { return }
    var appOptions = options.app
    (appOptions.leavesOutPlugins, appOptions.allowsUnsetVariables) = (true, true)
    let report = try ManifestReport(workspace.manifest, options: appOptions)
    guard !report.hasErrors, let manifest = report.manifest else {
      throw AppLoadError.problems(report)
    }
    _ = try DebianPackage.fields(
      version: manifest.version?.value, manifest: FilePath.name(of: report.path), options)
  }

  /// The app with its plugins as they are built for release.
  private static func report(_ workspace: Workspace, _ options: Options) throws -> ManifestReport {
    var appOptions = options.app
    appOptions.configuration = .release
    // The values are given when the bundle is run.
    appOptions.allowsUnsetVariables = true
    let report = try ManifestReport(workspace.manifest, options: appOptions)
    guard report.lockEnforcement?.requirement != nil else { return report }
    // Of a plugin that is given by its sources, the lock has the debug build.
    appOptions.configuration = .debug
    let locked = try ManifestReport(workspace.manifest, options: appOptions)
    guard !locked.hasErrors else { throw AppLoadError.problems(locked) }
    (appOptions.configuration, appOptions.lockUse) = (.release, .ignore)
    return try ManifestReport(workspace.manifest, options: appOptions)
  }

  /// The folders whose contents go into the bundle.
  ///
  /// A bundle inside one of them would become part of the next bundle.
  private static func inputs(of workspace: Workspace, _ options: Options) -> [String] {
    let plugins = (try? workspace.plugins(options: options.app)) ?? []
    let own = FilePath.resolved(workspace.folder) ?? workspace.folder
    return plugins.map(\.folder) + [FilePath.join(own, documentsFolder)]
  }

  /// The program and the SDK's library in an installation of appcore.
  private static func hostFiles(in root: String) -> [String] {
    [root + "/bin/appcore", root + "/lib/libAppCore.so"]
  }

  /// The programs and libraries, without symbols and without paths of this machine.
  private static func binaries(
    _ host: String?, _ plugins: [(name: String, file: SharedObject)],
    _ libraries: [BundleFile], _ work: WorkFolder, _ symbols: SymbolArchive?
  ) throws(BundleError) -> BundleTree {
    var tree = BundleTree()
    func stripped(_ bytes: [UInt8], _ path: String) throws(BundleError) -> [UInt8] {
      try symbols?.add(bytes, path: path)
      let bytes = try work.strip(bytes, path: path)
      // The module digests depend on the compiler's arguments and so on the machine's folders.
      return (try? SharedObject(bytes, path: path).withoutModuleDigests.bytes) ?? bytes
    }
    for path in host.map(hostFiles) ?? [] {
      let place = String(path.dropFirst((host ?? "").count + 1))
      // Libraries needn't be executable, and Debian's policy asks that they are not.
      tree.add(
        BundleFile(
          path: place, bytes: try stripped(try LibraryClosure.read(path).bytes, path),
          isExecutable: place.hasPrefix("bin/")))
    }
    for library in libraries {
      let bytes = try relocated(library.bytes, library.path, to: library.path)
      tree.add(BundleFile(path: library.path, bytes: try stripped(bytes, library.path)))
    }
    for (name, file) in plugins {
      let place = "lib/appcore/plugins/lib\(name).so"
      let bytes = try stripped(
        try relocated(PluginStamp.removed(from: file.bytes), file.path, to: place), file.path)
      tree.add(BundleFile(path: place, bytes: PluginStamp.added(to: bytes)))
    }
    return tree
  }

  /// The folder of the Swift libraries, from that of a library in the bundle.
  static func runtimeFolder(from place: String) -> String {
    guard !place.hasPrefix("lib/appcore/runtime/") else { return "$ORIGIN" }
    let depth = place.split(separator: "/").count - "lib/appcore/NAME".split(separator: "/").count
    return "$ORIGIN" + String(repeating: "/..", count: depth) + "/runtime"
  }

  /// A library whose search path is that of its place in the bundle.
  private static func relocated(
    _ bytes: [UInt8], _ path: String, to place: String
  ) throws(BundleError) -> [UInt8] {
    do throws(PluginError) {
      return try SharedObject(bytes, path: path).searching(runtimeFolder(from: place)).bytes
    } catch {
      throw BundleError(path, .bundleLibraryMissing, error.message)
    }
  }

  /// Checks the app in the bundle's folder, with the plugins there, and locks it.
  private static func lock(
    in folder: String, _ description: BundleDescription, of report: ManifestReport,
    _ given: Options
  ) throws(BundleError) -> BundleFile {
    var options = given.app
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
    let names = bundled.manifest?.plugins.map { plugin in
      if case .name(let name) = plugin.reference { name } else { "" }
    }
    guard names == report.plugins.names.map({ $0 ?? "" }) else {
      throw BundleError(
        report.path, .bundleManifest, "a plugin's `path` can't be replaced by its name")
    }
    guard !bundled.hasErrors else {
      throw BundleError(
        report.path, .bundleNotLoadable, bundled.firstError,
        details: bundled.text.split(separator: "\n").map(String.init))
    }
    do throws(LockError) {
      return BundleFile(
        path: description.folder + "/" + AppLock.fileName,
        bytes: Array(try bundled.lock().text.utf8))
    } catch {
      throw BundleError(path, .bundleNotLoadable, "\(error)")
    }
  }

  /// Signs the bundle's lock.
  private static func signature(
    of lock: BundleFile, key: String
  ) throws(BundleError) -> BundleFile {
    let path = lock.path + SignatureCheck.suffix
    do throws(Rejection) {
      return BundleFile(
        path: path,
        bytes: try SignatureCheck.sign(
          lock.bytes, key: key, environment: ProcessVariables.all))
    } catch {
      throw BundleError(error.rule == .lockSignatureNotMade ? key : path, error)
    }
  }

  /// Moves the bundle's folder, or an archive of it, to the target.
  private mutating func write(
    _ tree: BundleTree, _ folder: String, _ target: BundleTarget, _ work: WorkFolder,
    _ options: Options
  ) throws(BundleError) {
    let archive: String
    switch target.form {
    case .deb:
      archive = try DebianPackage(self, tree, options).make(in: work, for: target.path)
    case .tarGz:
      let lead = [description.name, description.version].compactMap { $0 }.joined(separator: "-")
      guard rename(folder, work.path + "/" + lead) == 0 else {
        throw BundleError(target.path, SystemError(errno))
      }
      archive = try work.archive(
        lead, as: WorkFolder.archiveName, time: options.time, for: target.path)
    case .tar, nil: return try target.take(folder)
    }
    archiveSize = FilePath.status(archive).map { Int($0.st_size) }
    try target.take(archive: archive, time: options.time)
  }
}

struct BundleError: CommandFailure {
  /// The file or folder that the error is about, as it is shown in the message.
  let path: String
  let cause: Rejection

  init(
    _ path: String, _ rule: Rule, _ message: String, details: [String] = [], remedy: String? = nil
  ) {
    self.init(path, Rejection(rule, message, details: details, remedy: remedy))
  }

  /// Creates an error from another module's rejection.
  init(_ path: String, _ cause: Rejection) {
    self.path = path
    self.cause = cause
  }

  /// Creates an error from a system error, with the rule `bundle-not-written`.
  init(_ path: String, _ error: SystemError) {
    self.init(path, .bundleNotWritten, "\(error)")
  }

  /// Runs `body`, and converts a system error into an error about `path`.
  static func reporting<Result>(
    _ path: String, _ body: () throws(SystemError) -> Result
  ) throws(BundleError) -> Result {
    do throws(SystemError) { return try body() } catch { throw BundleError(path, error) }
  }

  /// The bytes of a file; an error is about that file.
  static func read(_ path: String, limit: Int = .max) throws(BundleError) -> [UInt8] {
    try reporting(path) { () throws(SystemError) in try WholeFile.read(path, limit: limit) }
  }

  var description: String { [cause].text(about: path) }

  var exitStatus: Int32 {
    switch cause.rule {
    case .bundleNotInstalled, .bundleTool, .lockNoVerifier: 69
    case .bundleNotWritten, .lockNotWritten: 74
    case .bundleTargetExists, .bundleTargetInside, .bundleArchiveForm: 64
    default: 65
    }
  }
}
