internal import Glibc
internal import Support

/// Builds a plugin from a folder of sources, with `swiftc` and the SDK that this process uses.
///
/// In this order; each step can fail, with a problem of stage ``PluginError/Stage/built``:
/// 1. the folder's sources are found and read: one module, and an entry of its name.
/// 2. if no input has changed since the last build, its library is the result. The inputs are the
///    sources, flags, configuration, compiler, and the SDK's modules and library.
/// 3. the compiler writes a library under a temporary name.
/// 4. the library is validated as a host would do it, and stamped with a digest of its bytes.
/// 5. it is renamed to its final name, so that nobody ever sees a partial file.
///
/// Several processes may build one folder: the second waits for the first, for two minutes at most,
/// and then finds the library up to date.
/// Nothing is fetched from anywhere.
public struct PluginBuilder: Sendable {
  /// What plugins are compiled against.
  public let toolkit: PluginToolkit
  /// Whose sources are accepted.
  public var trust = FileTrust.all
  /// Called with the plugin's name before the compiler runs, which may take seconds.
  public var willCompile: (@Sendable (String) -> Void)?
  /// Called with the plugin's name if another build of the folder has to be waited for.
  public var willWait: (@Sendable (String) -> Void)?
  /// How long to wait for another build of the folder.
  var timeout = FolderLock.timeout
  /// Whether the compiler's output is colored.
  public var showsColors = false
  private let validator: PluginValidator
  /// How often the compiler runs at most for one build, if sources are saved while it runs.
  private static let runLimit = 8
  private let environment: [String: String]

  /// Creates a builder.
  public init(toolkit: PluginToolkit, sdk: HostSDK = .current, environment: [String: String]) {
    self.toolkit = toolkit
    self.environment = environment
    validator = PluginValidator(sdk: sdk)
  }

  /// Builds a folder, if it isn't up to date.
  ///
  /// Blocks the thread for as long as the compiler runs.
  ///
  /// - Returns: the library, and whether the compiler ran.
  /// - Throws: a problem of stage ``PluginError/Stage/built``, or of stage `read` or `validated` if
  ///   the compiled library is not a plugin for this host.
  /// - Complexity: O(*n*), where *n* is the size of the sources, if the library is up to date.
  public func build(
    folder: String, configuration: BuildConfiguration = .debug
  ) throws(PluginError) -> BuiltPlugin {
    var plan = try plan(folder, configuration)
    try trust.check(plan.sources.folder, library: plan.library)
    // First without the lock: the library in a read-only folder may be up to date.
    if plan.isUpToDate { return plan.result(nil) }
    let lock = try reporting(folder) { () throws(Rejection) in
      try FolderLock(plan.output, timeout: timeout) { willWait?(plan.name) }
    }
    defer { lock.release() }
    if plan.isUpToDate { return plan.result(nil) }

    // The lock makes a fixed name safe, and so the draft of a killed process is overwritten.
    let draft = "\(plan.output)/.lib\(plan.name).so"
    defer { unlink(draft) }
    willCompile?(plan.name)
    var said: String?
    var runs = 0
    while said == nil {
      runs += 1
      do throws(CompilerError) {
        said = try plan.compile(to: draft, showsColors: showsColors)
      } catch {
        // A source was saved again meanwhile: compile the new version.
        guard error.isOutrun, runs < Self.runLimit else {
          throw PluginError(
            .built, path: SourceFolder.plain(folder), error.cause, compiler: error.output)
        }
        plan = try self.plan(folder, configuration)
      }
    }
    do throws(PluginError) {
      _ = try validator.validate(try PluginFile(path: draft), expecting: plan.name)
    } catch {
      throw PluginError(
        error.stage, path: plan.sources.folder.shown(plan.library), error.cause,
        compiler: said.map { CompilerOutput(errors: [], text: $0) })
    }
    try reporting(folder) { () throws(Rejection) in try plan.install(draft) }
    return plan.result(said)
  }

  /// What was built of a folder, if it is up to date; nothing is compiled.
  package func built(
    folder: String, configuration: BuildConfiguration
  ) throws(PluginError) -> BuiltPlugin? {
    let plan = try plan(folder, configuration)
    try trust.check(plan.sources.folder, library: plan.library)
    return plan.isUpToDate ? plan.result(nil) : nil
  }

  private func plan(
    _ folder: String, _ configuration: BuildConfiguration
  ) throws(PluginError) -> BuildPlan {
    try reporting(folder) { () throws(Rejection) in
      try BuildPlan(folder, configuration, toolkit, validator.sdk, environment)
    }
  }

  /// The name of the plugin that a folder's sources define; `nil` if they are not valid.
  public static func name(ofFolder folder: String) -> String? {
    try? PluginSources(SourceFolder(folder)).name()
  }

  /// Whether a path leads to a folder, which can only hold sources, and not to a plugin's file.
  public static func isFolder(_ path: String) -> Bool { FilePath.isFolder(path) }

  private func reporting<Result>(
    _ folder: String, _ body: () throws(Rejection) -> Result
  ) throws(PluginError) -> Result {
    do throws(Rejection) { return try body() } catch {
      throw PluginError(.built, path: SourceFolder.plain(folder), error)
    }
  }
}

/// The command that rebuilds a plugin's file, derived from the file's path.
enum RebuildCommand {
  /// The command in backticks; both commands if the path does not tell how the file was built.
  static func of(_ path: String) -> String {
    if let folder = folder(of: path, above: ".build/appcore/") {
      let isRelease = path.contains(".build/appcore/release/")
      return "`\(Rejection.buildCommand(folder))\(isRelease ? " -c release" : "")`"
    }
    if let folder = folder(of: path, above: ".build/") {
      let isRelease = path.contains("/release/")
      return "`swift build" + (folder == "." ? "" : " --package-path " + shellWord(folder))
        + (isRelease ? " -c release`" : "`")
    }
    return
      "`appcore plugin build <its folder>`, or `swift build` for one that is built with the host"
  }

  private static func folder(of path: String, above part: String) -> String? {
    if path.hasPrefix(part) { return "." }
    guard let range = path.ranges(of: "/" + part).last else { return nil }
    return range.lowerBound == path.startIndex ? "/" : String(path[..<range.lowerBound])
  }
}

extension Rejection {
  static func compilerEnded(path: String, reason: String) -> Rejection {
    Rejection(
      .pluginCompilerEnded, "'\(path)' \(reason)",
      remedy: "try again; if it happens again, check the installation of Swift")
  }

  static func fileRefused(path: String, error: Int32) -> Rejection {
    let remedy =
      switch error {
      case ENOENT: "if it is a link, correct or remove it: it leads to nothing"
      case ELOOP: "remove the link that leads back to where it is"
      default: "check the permissions of the folder, and the free space"
      }
    return Rejection(
      .pluginBuildRefused, "'\(path)': \(errorText(error))", remedy: remedy)
  }

  /// The command that builds a folder, as it is typed.
  static func buildCommand(_ folder: String) -> String {
    "appcore plugin build" + (folder == "." ? "" : " " + shellWord(folder))
  }
}
