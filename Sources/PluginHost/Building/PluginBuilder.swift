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
  /// How long to wait for another build of the folder: far longer than a build takes.
  var timeout = Duration.seconds(120)
  /// Whether the compiler's output is colored.
  public var showsColors = false
  /// How often the compiler runs at most for one build, if sources are saved while it runs.
  private static let runLimit = 8
  private let environment: [String: String]

  public init(toolkit: PluginToolkit, environment: [String: String]) {
    self.toolkit = toolkit
    self.environment = environment
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
    // First without the lock: the library in a read-only folder may be up to date.
    var plan = try trustedPlan(folder, configuration)
    if plan.isUpToDate { return plan.result(nil) }
    let name = plan.sources.name
    let lock = try reporting(folder) { () throws(Rejection) in
      try Self.lock(plan.output, timeout: timeout) { willWait?(name) }
    }
    defer { withExtendedLifetime(lock) {} }
    if plan.isUpToDate { return plan.result(nil) }

    // The lock makes a fixed name safe, and so the draft of a killed process is overwritten.
    let draft = "\(plan.output)/.lib\(name).so"
    defer { unlink(draft) }
    willCompile?(name)
    var said: String?
    for run in 1...Self.runLimit where said == nil {
      do throws(PluginError) {
        said = try plan.compile(to: draft, showsColors: showsColors)
      } catch {
        // A source was saved again meanwhile: compile the new version.
        guard let output = error.compiler, output.isOutrun, run < Self.runLimit else { throw error }
        plan = try self.plan(folder, configuration)
      }
    }
    do throws(PluginError) {
      _ = try ValidatedPlugin(try PluginFile(path: draft), expecting: plan.sources.name)
    } catch {
      throw PluginError(
        error.stage, path: plan.sources.shown(plan.library), error.cause,
        compiler: said.map { CompilerOutput(errors: [], text: $0) })
    }
    try reporting(folder) { () throws(Rejection) in try plan.install(draft) }
    return plan.result(said)
  }

  /// What was built of a folder, if it is up to date; nothing is compiled.
  package func built(
    folder: String, configuration: BuildConfiguration
  ) throws(PluginError) -> BuiltPlugin? {
    let plan = try trustedPlan(folder, configuration)
    return plan.isUpToDate ? plan.result(nil) : nil
  }

  private func trustedPlan(
    _ folder: String, _ configuration: BuildConfiguration
  ) throws(PluginError) -> BuildPlan {
    let plan = try plan(folder, configuration)
    try trust.check(plan.sources, library: plan.library)
    return plan
  }

  private func plan(
    _ folder: String, _ configuration: BuildConfiguration
  ) throws(PluginError) -> BuildPlan {
    try reporting(folder) { () throws(Rejection) in
      try BuildPlan(folder, configuration, toolkit, environment)
    }
  }

  /// The name of the plugin that a folder's sources define; `nil` if they are not valid.
  public static func name(ofFolder folder: String) -> String? { try? PluginSources(folder).name }

  private func reporting<Result>(
    _ folder: String, _ body: () throws(Rejection) -> Result
  ) throws(PluginError) -> Result {
    do throws(Rejection) { return try body() } catch {
      throw PluginError(.built, path: PluginSources.plain(folder), error)
    }
  }

  /// Locks a build folder against other processes and threads, as long as the result exists.
  ///
  /// Creates the folder if it is missing, and waits until nobody else holds the lock.
  ///
  /// - Throws: if it takes longer than `timeout`.
  static func lock(
    _ folder: String, timeout: Duration, willWait: () -> Void = {}
  ) throws(Rejection) -> OpenFile {
    // Errors are ignored: an existing parent may be read-only. If it failed, `open` fails below.
    FilePath.makeFolder(folder)
    let path = folder + "/.lock"
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw .fileRefused(path: path, error: errno) }
    let file = OpenFile(descriptor)
    let start = ContinuousClock.now
    var hasTold = false
    while Descriptor.uninterrupted({ flock(descriptor, LOCK_EX | LOCK_NB) }) != 0 {
      guard errno == EWOULDBLOCK else { throw .fileRefused(path: path, error: errno) }
      let elapsed = ContinuousClock.now - start
      guard elapsed < timeout else {
        throw Rejection(
          .pluginBuildRefused,
          "another program has held '\(path)' locked for \(elapsed.components.seconds) s",
          remedy: "end the other build; `fuser -v \(shellWord(path))` names it")
      }
      if elapsed >= .seconds(1), !hasTold {
        hasTold = true
        willWait()
      }
      usleep(20_000)
    }
    return file
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

  /// The command that rebuilds a plugin's file, in backticks; both commands if the file's path does
  /// not tell how it was built.
  static func rebuildCommand(_ path: String) -> String {
    func folder(above part: String) -> String? {
      if path.hasPrefix(part) { return "." }
      guard let range = path.ranges(of: "/" + part).last else { return nil }
      return range.lowerBound == path.startIndex ? "/" : String(path[..<range.lowerBound])
    }
    if let folder = folder(above: ".build/appcore/") {
      let isRelease = path.contains(".build/appcore/release/")
      return "`\(buildCommand(folder))\(isRelease ? " -c release" : "")`"
    }
    if let folder = folder(above: ".build/") {
      let isRelease = path.contains("/release/")
      return "`swift build" + (folder == "." ? "" : " --package-path " + shellWord(folder))
        + (isRelease ? " -c release`" : "`")
    }
    return
      "`appcore plugin build <its folder>`, or `swift build` for one that is built with the host"
  }
}
