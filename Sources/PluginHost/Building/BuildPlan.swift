internal import Glibc
internal import Support

/// The inputs of one build of a folder, and whether the last build had the same ones.
struct BuildPlan {
  let sources: PluginSources
  let name: String
  let configuration: BuildConfiguration
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
      throw Rejection(
        .pluginNoModules,
        "there are no modules of the SDK beside '\(toolkit.libraryFolder)/libAppCore.so'")
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
    guard let compiler, let version else {
      throw CompilerError(Rejection(.pluginNoCompiler, "there is no 'swiftc' on the PATH"))
    }
    guard version == expectedVersion else {
      throw CompilerError(
        Rejection(
          .pluginOtherCompiler,
          "'\(compiler.path)' is Swift \(version), and this appcore's SDK was built by Swift "
            + expectedVersion,
          remedy:
            "put Swift \(expectedVersion) first on the `PATH`, or install an appcore that was "
            + "built by yours"))
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

/// The inputs that a library was built from, in a file beside it: as long as they are the same, the
/// library is up to date.
struct BuildRecord {
  /// The inputs, one per line, in a fixed order.
  private(set) var lines: [String] = ["appcore-build 1"]

  private static let compiler = "compiler "
  private static let library = "output "

  mutating func add(_ key: String, _ value: String) {
    // A path may contain a line break, but each input is one line.
    lines.append("\(key) \(value.replacing("\n", with: "\\n"))")
  }

  mutating func add(_ compiler: SwiftCompiler, version: String) {
    add("compiler", "\(compiler.identity) \(version)")
  }

  static func path(of library: String) -> String { library + ".build" }

  /// The version of the compiler that built a library; `nil` if that may not be the given one.
  static func version(of compiler: SwiftCompiler, for library: String) -> String? {
    guard compiler.isItself else { return nil }
    let head = "\(Self.compiler)\(compiler.identity) "
    let line = read(library)?.first { $0.hasPrefix(head) }
    return line.map { String($0.dropFirst(head.count)) }
  }

  /// Whether a library was built from these inputs and has not changed since.
  ///
  /// Without a compiler, the one that built the library is ignored.
  func describes(_ library: String, hasCompiler: Bool) -> Bool {
    guard var recorded = Self.read(library), let identity = fileIdentity(library),
      recorded.popLast() == Self.library + identity
    else { return false }
    if !hasCompiler { recorded.removeAll { $0.hasPrefix(Self.compiler) } }
    return recorded == lines
  }

  /// Writes the record of a library that was just built.
  func write(for library: String) throws(Rejection) {
    guard let identity = fileIdentity(library) else {
      throw .fileRefused(path: library, error: errno)
    }
    let text = (lines + [Self.library + identity]).joined(separator: "\n")
    let path = Self.path(of: library)
    do {
      try WholeFile.write(text, to: path)
    } catch {
      throw .fileRefused(path: path, error: error.code)
    }
  }

  private static func read(_ library: String) -> [String]? {
    guard let bytes = try? WholeFile.read(path(of: library)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

/// The configuration that a plugin is compiled for.
public enum BuildConfiguration: String, CaseIterable, Hashable, Sendable {
  /// Not optimized, with `DEBUG` defined: fast to compile and good to debug.
  case debug
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
