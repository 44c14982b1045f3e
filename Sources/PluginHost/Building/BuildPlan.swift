internal import Glibc
internal import Support

/// One build of a folder: its inputs, whether the last build had the same ones, and how the compiler
/// is called.
///
/// The inputs are kept in a file beside the library: as long as they are the same, the library is up
/// to date.
struct BuildPlan {
  let sources: PluginSources
  let configuration: BuildConfiguration
  let output: String
  /// The absolute path of the library.
  let library: String
  /// The arguments for compiling and for linking, without the sources, the output's path and the
  /// choice of colors.
  let flags: (compiling: [String], linking: [String])
  let environment: [String: String]
  /// The path of the `swiftc` that is first on the `PATH`, and its release; `nil` if there is none.
  let compiler: (path: String, version: String)?
  let expectedVersion: String
  /// The inputs, one per line, in a fixed order.
  private let inputs: [String]

  private static let compilerLine = "compiler "

  init(
    _ folder: String, _ configuration: BuildConfiguration, _ toolkit: PluginToolkit,
    _ environment: [String: String]
  ) throws(Rejection) {
    sources = try PluginSources(folder)
    guard let modules = toolkit.modules else {
      throw Rejection(
        .pluginNoModules,
        "there are no modules of the SDK beside '\(toolkit.libraryFolder)/libAppCore.so'")
    }
    self.configuration = configuration
    self.environment = environment
    expectedVersion = toolkit.compilerVersion
    output = sources.path + "/.build/appcore/\(configuration.rawValue)"
    library = "\(output)/lib\(sources.name).so"
    let sdk = HostSDK.current
    // The linker's own identifier is a digest of the file, whose debug information names the
    // compiler's cache: the same sources would make other bytes in another folder.
    let files = zip(sources.files, sources.digests).map { "\($0) \($1)" }
    let parts =
      [
        sources.name, sdk.contract.symbol, sdk.digest, AppLock.Target.current.architecture,
        configuration.rawValue,
      ] + files
    let identifier = "\(SHA256(Array(parts.joined(separator: "\n").utf8)))".prefix(40)
    flags = Self.flags(
      sources.name, configuration, toolkit, modules: modules, buildID: "0x\(identifier)")

    var inputs = [
      "appcore-build 1", "sdk \(sdk.contract.symbol) \(sdk.digest)",
      "flags \((flags.compiling + flags.linking).joined(separator: " "))",
    ]
    for input in [modules + "/AppCore.swiftmodule", toolkit.library] {
      inputs.append("sdk \(input) \(Self.identity(of: input) ?? "none")")
    }
    for (file, digest) in zip(sources.files, sources.digests) {
      inputs.append("source \(digest) \(file)")
    }
    compiler = try Self.compiler(environment, builtBefore: Self.record(of: library), &inputs)
    // A path may contain a line break, but each input is one line.
    self.inputs = inputs.map { $0.replacing("\n", with: "\\n") }
  }

  private static func flags(
    _ name: String, _ configuration: BuildConfiguration, _ toolkit: PluginToolkit,
    modules: String, buildID: String
  ) -> (compiling: [String], linking: [String]) {
    var compiling = ["-module-name", name, "-parse-as-library", "-swift-version", "6"]
    switch configuration {
    case .debug: compiling += ["-Onone", "-DDEBUG", "-g"]
    case .release: compiling += ["-O", "-gline-tables-only", "-file-compilation-dir", "."]
    }
    // One process for the whole module: plugins are small, and each process reads the SDK anew.
    compiling += ["-whole-module-optimization", "-I", modules]
    var linking = ["-emit-library", "-L", toolkit.libraryFolder, "-lAppCore"]
    if configuration == .release {
      // In a bundle the Swift runtime is there, and the toolchain is not. Without a name of its own the
      // library would have its path as one.
      for flag in [
        "-rpath", "$ORIGIN/../runtime", "-soname", "lib\(name).so", "--build-id=\(buildID)",
      ] { linking += ["-Xlinker", flag] }
    }
    return (compiling, linking)
  }

  /// Finds the compiler, and adds it to the inputs.
  private static func compiler(
    _ environment: [String: String], builtBefore record: [String], _ inputs: inout [String]
  ) throws(Rejection) -> (path: String, version: String)? {
    guard let path = Spawn.find("swiftc", environment: environment),
      let real = FilePath.resolved(path), let identity = identity(of: real)
    else { return nil }
    // It has the same version as at the last build if it is the same file. But a version manager puts a
    // program of its own on the `PATH`, which starts one compiler today and another tomorrow.
    let line = "\(compilerLine)\(real) \(identity) "
    let isItself = ["swiftc", "swift-driver", "swift-frontend", "swift"].contains(
      FilePath.name(of: real))
    let known = isItself ? record.first { $0.hasPrefix(line) } : nil
    let version =
      if let known { String(known.dropFirst(line.count)) } else {
        try Self.version(of: path, environment)
      }
    inputs.append(line + version)
    return (path, version)
  }

  /// The release of a compiler, such as `6.3.1`.
  ///
  /// - Complexity: starts the compiler, which takes 50 ms.
  private static func version(
    of compiler: String, _ environment: [String: String]
  ) throws(Rejection) -> String {
    let (end, output, _) = Spawn.run(compiler, ["--version"], environment: environment)
    if case .lost(let error) = end {
      throw .compilerEnded(path: compiler, reason: "can't be run: \(errorText(error))")
    }
    let words = output.split(whereSeparator: \.isWhitespace)
    guard let index = words.firstIndex(of: "version"), words.indices.contains(index + 1) else {
      throw Rejection(
        .pluginNoCompiler, "'\(compiler) --version' names no version",
        remedy: "put a `swiftc` that works first on the `PATH`")
    }
    return String(words[index + 1])
  }

  /// Whether the library was built from the same inputs and has not changed since.
  ///
  /// That is possible without a compiler: the library may have been built on another machine.
  var isUpToDate: Bool {
    var recorded = Self.record(of: library)
    guard let identity = Self.identity(of: library), recorded.popLast() == "output " + identity
    else { return false }
    if compiler == nil { recorded.removeAll { $0.hasPrefix(Self.compilerLine) } }
    return recorded == inputs
  }

  /// The lines of a library's record; empty if there is none.
  private static func record(of library: String) -> [String] {
    guard let bytes = try? WholeFile.read(library + ".build") else { return [] }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// Stamps the draft, renames it to the library's name and records the inputs.
  func install(_ draft: String) throws(Rejection) {
    try PluginStamp.write(to: draft, configuration: configuration)
    guard rename(draft, library) == 0, let identity = Self.identity(of: library) else {
      throw .fileRefused(path: library, error: errno)
    }
    let text = (inputs + ["output " + identity]).joined(separator: "\n")
    let path = library + ".build"
    do throws(SystemError) { try WholeFile.write(text, to: path) } catch {
      throw .fileRefused(path: path, error: error.code)
    }
  }

  /// A text that identifies a file and its current version; `nil` if there is no file.
  private static func identity(of path: String) -> String? {
    PluginFile.identity(of: path).map { "\($0.inode) \($0.size) \($0.modified)" }
  }

  /// The result of the build; `diagnostics` is `nil` if the compiler did not run.
  func result(_ diagnostics: String?) -> BuiltPlugin {
    BuiltPlugin(
      name: sources.name, path: sources.shown(library), didCompile: diagnostics != nil,
      diagnostics: diagnostics ?? "", sources: sources.files)
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

/// What plugins are compiled against: the SDK's modules and library, as this process uses them.
///
/// Both are in one tree: an installed one (`lib/libAppCore.so`, `lib/appcore/modules`) or a build
/// of the checkout (`libAppCore.so`, `Modules`).
public struct PluginToolkit: Hashable, Sendable {
  /// The folder of `libAppCore.so`.
  public let libraryFolder: String
  /// Whether that is a build of the checkout, and not an installed tree.
  public let isCheckout: Bool
  /// The folder of `AppCore.swiftmodule`; `nil` if there is none, so that nothing can be compiled.
  public let modules: String?
  /// The release of the compiler that made the modules, such as `6.3.1`: no other can read them.
  public let compilerVersion: String

  /// Looks for the modules that belong to a library.
  public init(libraryFolder: String, compilerVersion: String) {
    // Links are resolved, so that a tree compares equal by whatever path it was started.
    let folder = FilePath.resolved(libraryFolder) ?? libraryFolder
    self.libraryFolder = folder
    self.compilerVersion = compilerVersion
    let installed = folder + "/appcore/modules"
    let built = folder + "/Modules"
    modules = [installed, built].first { access($0 + "/AppCore.swiftmodule", R_OK) == 0 }
    isCheckout = modules == built
  }

  var library: String { libraryFolder + "/libAppCore.so" }
}
