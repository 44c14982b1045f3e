internal import Glibc

/// Makes a plugin of a folder of sources, with `swiftc` and the SDK that this process uses.
///
/// In this order; each step can fail, with a problem of stage ``PluginProblem/Stage/built``:
/// 1. the folder's sources are found and read: one module, and an entry of its name.
/// 2. if all that the last build was made of is as it was, that is the result: sources, flags,
///    configuration, compiler, and the SDK's modules and library.
/// 3. the compiler writes a library under another name.
/// 4. the library is judged as a host would judge it, and stamped with a digest of its bytes.
/// 5. it is renamed to its place, so that nobody ever sees half of it.
///
/// Several processes may build one folder: the second waits for the first, and has nothing to do.
/// Nothing is fetched from anywhere.
public struct PluginBuilder: Sendable {
  /// What plugins are compiled against.
  public let toolkit: PluginToolkit
  /// Whether the compiler's words are coloured.
  public var showsColors = false
  private let judge: PluginJudge
  private let environment: [String: String]

  /// Makes a builder.
  ///
  /// - Parameters:
  ///   - toolkit: what plugins are compiled against.
  ///   - contract: the contract of the SDK that this process has loaded.
  ///   - environment: the process's variables; `PATH` says where the compiler is.
  public init(toolkit: PluginToolkit, contract: Contract, environment: [String: String]) {
    self.toolkit = toolkit
    self.environment = environment
    judge = PluginJudge(contract: contract)
  }

  /// Builds a folder, if it isn't up to date.
  ///
  /// Blocks the thread for as long as the compiler runs.
  ///
  /// - Parameters:
  ///   - folder: the folder; messages name it, and the files in it, as it is written here.
  ///   - configuration: for what it is compiled.
  /// - Returns: the library, and whether the compiler ran.
  /// - Throws: a problem of stage ``PluginProblem/Stage/built``, or of stage `read` or `judged`
  ///   where the compiler made something that is no plugin for this host.
  /// - Complexity: O(bytes of the sources) where nothing is to be done.
  public func build(
    folder: String, configuration: BuildConfiguration = .debug
  ) throws(PluginProblem) -> BuiltPlugin {
    do throws(BuildError) {
      return try build(folder, configuration)
    } catch {
      switch error {
      case .failure(let failure): throw PluginProblem(.built, path: folder, .notBuilt(failure))
      case .refused(let problem): throw problem
      }
    }
  }

  /// Whether a path leads to a folder, which can only be one of sources.
  public static func isFolder(_ path: String) -> Bool { SourceFolder.isFolder(path) }

  /// A failure of the build, or what its result is refused for.
  private enum BuildError: Error {
    case failure(BuildFailure)
    case refused(PluginProblem)
  }

  private func build(
    _ folder: String, _ configuration: BuildConfiguration
  ) throws(BuildError) -> BuiltPlugin {
    let sources = try failing { () throws(BuildFailure) in
      try PluginSources(try SourceFolder(folder))
    }
    let name = try failing { () throws(BuildFailure) in try sources.name() }
    let output = sources.folder.path + "/.build/appcore/\(configuration.rawValue)"
    let library = "\(output)/lib\(name).so"
    func result(_ diagnostics: String?) -> BuiltPlugin {
      BuiltPlugin(
        name: name, path: Self.shown(library, sources.folder.path, folder),
        didCompile: diagnostics != nil, diagnostics: diagnostics ?? "",
        sources: sources.folder.files)
    }

    let lock = try failing { () throws(BuildFailure) in try FolderLock(output) }
    defer { lock.release() }
    guard let modules = toolkit.modules else {
      throw .failure(.noModules(libraryFolder: toolkit.libraryFolder))
    }
    let command = CompilerCommand(
      name: name, configuration: configuration, toolkit: toolkit, modules: modules)
    var record = BuildRecord()
    record.add("contract", judge.contract.symbol)
    record.add("flags", command.flags.joined(separator: " "))
    for input in [modules + "/AppCore.swiftmodule", toolkit.library] {
      record.add("sdk", "\(input) \(fileIdentity(input) ?? "none")")
    }
    for (file, digest) in zip(sources.folder.files, sources.digests) {
      record.add("source", "\(digest) \(file)")
    }
    guard let compiler = SwiftCompiler(environment: environment) else {
      // What is up to date needs no compiler: it may be on a machine without one.
      if record.describes(library, hasCompiler: false) { return result(nil) }
      throw .failure(.noCompiler)
    }
    let version = try failing { () throws(BuildFailure) in
      if let known = BuildRecord.version(of: compiler, for: library) { return known }
      return try compiler.version(environment: environment)
    }
    record.add(compiler, version: version)
    if record.describes(library, hasCompiler: true) { return result(nil) }

    guard version == toolkit.compilerVersion else {
      throw .failure(
        .otherCompiler(path: compiler.path, found: version, expected: toolkit.compilerVersion))
    }
    let draft = "\(output)/.lib\(name).so-\(getpid())"
    defer { unlink(draft) }
    let said = try failing { () throws(BuildFailure) in
      try command.run(
        compiler, sources.folder, to: draft, showsColors: showsColors, environment: environment)
    }
    let diagnostics = Self.shown(said, sources.folder.path, folder)
    do throws(PluginProblem) {
      _ = try judge.judge(try PluginFile(path: draft), expecting: name)
    } catch {
      throw .refused(
        PluginProblem(
          error.stage, path: Self.shown(library, sources.folder.path, folder), error.cause))
    }
    try failing { () throws(BuildFailure) in
      try PluginStamp.write(to: draft, configuration: configuration)
      guard rename(draft, library) == 0 else {
        throw .fileRefused(path: library, error: errno)
      }
      try record.write(for: library)
    }
    return result(diagnostics)
  }

  private func failing<Result>(
    _ body: () throws(BuildFailure) -> Result
  ) throws(BuildError) -> Result {
    do throws(BuildFailure) { return try body() } catch { throw .failure(error) }
  }

  /// A text with the folder's absolute path as the folder was written.
  static func shown(_ text: String, _ path: String, _ folder: String) -> String {
    var lead = folder
    while lead.count > 1, lead.hasSuffix("/") { lead.removeLast() }
    if lead == "." { return text.replacing(path + "/", with: "") }
    return text.replacing(path + "/", with: lead == "/" ? "/" : lead + "/")
  }
}
