internal import Glibc
internal import Support

/// The inputs of one build of a folder, and whether the last build had the same ones.
struct BuildPlan {
  let sources: PluginSources
  /// The plugin's name.
  let name: String
  let configuration: BuildConfiguration
  /// The folder of the library.
  let output: String
  /// The absolute path of the library.
  let library: String
  private let command: CompilerCommand
  /// `nil` if there is no `swiftc`.
  private let compiler: SwiftCompiler?
  private let version: String?
  private let expectedVersion: String
  private let record: BuildRecord
  private let environment: [String: String]

  init(
    _ folder: String, _ configuration: BuildConfiguration, _ toolkit: PluginToolkit,
    _ sdk: HostSDK, _ environment: [String: String]
  ) throws(Rejection) {
    sources = try PluginSources(try SourceFolder(folder))
    name = try sources.name()
    guard let modules = toolkit.modules else {
      throw .noModules(libraryFolder: toolkit.libraryFolder)
    }
    self.configuration = configuration
    self.environment = environment
    expectedVersion = toolkit.compilerVersion
    output = sources.folder.path + "/.build/appcore/\(configuration.rawValue)"
    library = "\(output)/lib\(name).so"
    command = CompilerCommand(
      name: name, configuration: configuration, toolkit: toolkit, modules: modules)

    var record = BuildRecord()
    record.add("sdk", "\(sdk.contract.symbol) \(sdk.digest)")
    record.add("flags", command.flags.joined(separator: " "))
    for input in [modules + "/AppCore.swiftmodule", toolkit.library] {
      record.add("sdk", "\(input) \(fileIdentity(input) ?? "none")")
    }
    for (file, digest) in zip(sources.folder.files, sources.digests) {
      record.add("source", "\(digest) \(file)")
    }
    compiler = SwiftCompiler(environment: environment)
    if let compiler {
      var version = BuildRecord.version(of: compiler, for: library)
      // Not `??`, which loses the type of the thrown error.
      if version == nil { version = try compiler.version(environment: environment) }
      record.add(compiler, version: version ?? "")
      self.version = version
    } else {
      version = nil
    }
    self.record = record
  }

  /// Whether the library was built from the same inputs and has not changed since.
  ///
  /// That is possible without a compiler: the library may have been built on another machine.
  var isUpToDate: Bool { record.describes(library, hasCompiler: compiler != nil) }

  /// Runs the compiler.
  ///
  /// - Returns: the compiler's output.
  func compile(to draft: String, showsColors: Bool) throws(CompilerError) -> String {
    guard let compiler, let version else { throw CompilerError(.noCompiler) }
    guard version == expectedVersion else {
      throw CompilerError(
        .otherCompiler(path: compiler.path, found: version, expected: expectedVersion))
    }
    return try command.run(
      compiler, sources.folder, to: draft, showsColors: showsColors, environment: environment)
  }

  /// Stamps the draft, renames it to the library's name and records the inputs.
  func install(_ draft: String) throws(Rejection) {
    try PluginStamp.write(to: draft, configuration: configuration)
    guard rename(draft, library) == 0 else { throw .fileRefused(path: library, error: errno) }
    try record.write(for: library)
  }

  /// The result of the build; `diagnostics` is `nil` if the compiler did not run.
  func result(_ diagnostics: String?) -> BuiltPlugin {
    BuiltPlugin(
      name: name, path: sources.folder.shown(library), didCompile: diagnostics != nil,
      diagnostics: diagnostics ?? "", sources: sources.folder.files)
  }
}

/// The configuration that a plugin is compiled for.
public enum BuildConfiguration: String, CaseIterable, Hashable, Sendable {
  /// Not optimized, with `DEBUG` defined: fast to compile and good to debug.
  case debug
  /// Optimized.
  case release
}

/// A plugin's library, as it was built from a folder of sources.
public struct BuiltPlugin: Sendable {
  /// The plugin's name.
  public let name: String
  /// The library: `.build/appcore/<configuration>/lib<name>.so` in the folder.
  public let path: String
  /// Whether the compiler ran; otherwise the library was up to date.
  public let didCompile: Bool
  /// The compiler's output, which are warnings; empty if it did not run.
  public let diagnostics: String
  /// The paths of the sources, relative to the folder, sorted.
  public let sources: [String]
}
