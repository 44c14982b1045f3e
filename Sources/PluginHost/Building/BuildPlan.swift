internal import Diagnostics
internal import Glibc

/// All that one build of one folder depends on, and whether it was built of the same before.
struct BuildPlan {
  let sources: PluginSources
  /// The plugin's name.
  let name: String
  let configuration: BuildConfiguration
  /// The folder of what is built.
  let output: String
  /// The library, absolute.
  let library: String
  private let command: CompilerCommand
  /// `nil` where there is no `swiftc`.
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
      // Not `??`, which loses the type of what is thrown.
      if version == nil { version = try compiler.version(environment: environment) }
      record.add(compiler, version: version ?? "")
      self.version = version
    } else {
      version = nil
    }
    self.record = record
  }

  /// Whether the library was built of the same, and is as it was built.
  ///
  /// Where there is no compiler it may be: the library may have been built on another machine.
  var isUpToDate: Bool { record.describes(library, hasCompiler: compiler != nil) }

  /// Runs the compiler.
  ///
  /// - Returns: what it said.
  func compile(to draft: String, showsColors: Bool) throws(CompilerError) -> String {
    guard let compiler, let version else { throw CompilerError(.noCompiler) }
    guard version == expectedVersion else {
      throw CompilerError(
        .otherCompiler(path: compiler.path, found: version, expected: expectedVersion))
    }
    return try command.run(
      compiler, sources.folder, to: draft, showsColors: showsColors, environment: environment)
  }

  /// Stamps a library and puts it in its place.
  func install(_ draft: String) throws(Rejection) {
    try PluginStamp.write(to: draft, configuration: configuration)
    guard rename(draft, library) == 0 else { throw .fileRefused(path: library, error: errno) }
    try record.write(for: library)
  }

  /// What the build comes to; `diagnostics` where the compiler ran.
  func result(_ diagnostics: String?) -> BuiltPlugin {
    BuiltPlugin(
      name: name, path: sources.folder.shown(library), didCompile: diagnostics != nil,
      diagnostics: diagnostics ?? "", sources: sources.folder.files)
  }
}

/// For what a plugin is compiled.
public enum BuildConfiguration: String, CaseIterable, Hashable, Sendable {
  /// Compiled fast, with checks and what a debugger needs.
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
  /// What the compiler said, which are warnings; empty where it did not run.
  public let diagnostics: String
  /// The sources, as paths from the folder, sorted.
  public let sources: [String]
}
