internal import Diagnostics
internal import Glibc
internal import Support

/// Makes a plugin of a folder of sources, with `swiftc` and the SDK that this process uses.
///
/// In this order; each step can fail, with a problem of stage ``PluginError/Stage/built``:
/// 1. the folder's sources are found and read: one module, and an entry of its name.
/// 2. if all that the last build was made of is as it was, that is the result: sources, flags,
///    configuration, compiler, and the SDK's modules and library.
/// 3. the compiler writes a library under another name.
/// 4. the library is validated as a host would do it, and stamped with a digest of its bytes.
/// 5. it is renamed to its place, so that nobody ever sees half of it.
///
/// Several processes may build one folder: the second waits for the first, for two minutes
/// at most, and has nothing to do.
/// Nothing is fetched from anywhere.
public struct PluginBuilder: Sendable {
  /// What plugins are compiled against.
  public let toolkit: PluginToolkit
  /// Whose sources are built.
  public var trust = FileTrust.all
  /// Called with the plugin's name before the compiler runs, which may take seconds.
  public var willCompile: (@Sendable (String) -> Void)?
  /// Called with the plugin's name where another build of the folder is waited for.
  public var willWait: (@Sendable (String) -> Void)?
  /// How long another build of the folder is waited for.
  var patience = FolderLock.patience
  /// Whether the compiler's words are coloured.
  public var showsColors = false
  private let validator: PluginValidator
  /// How often the compiler runs for one build while sources are saved under it.
  private static let runLimit = 8
  private let environment: [String: String]

  /// Makes a builder.
  ///
  /// - Parameters:
  ///   - toolkit: what plugins are compiled against.
  ///   - sdk: the SDK that this process has loaded.
  ///   - environment: the process's variables; `PATH` says where the compiler is.
  public init(toolkit: PluginToolkit, sdk: HostSDK = .current, environment: [String: String]) {
    self.toolkit = toolkit
    self.environment = environment
    validator = PluginValidator(sdk: sdk)
  }

  /// Builds a folder, if it isn't up to date.
  ///
  /// Blocks the thread for as long as the compiler runs.
  ///
  /// - Parameters:
  ///   - folder: the folder; messages name it, and the files in it, as it is written here.
  ///   - configuration: for what it is compiled.
  /// - Returns: the library, and whether the compiler ran.
  /// - Throws: a problem of stage ``PluginError/Stage/built``, or of stage `read` or `validated`
  ///   where the compiler made something that is not a plugin for this host.
  /// - Complexity: O(bytes of the sources) where nothing is to be done.
  public func build(
    folder: String, configuration: BuildConfiguration = .debug
  ) throws(PluginError) -> BuiltPlugin {
    func makePlan() throws(PluginError) -> BuildPlan {
      try reporting(folder) { () throws(Rejection) in
        try BuildPlan(folder, configuration, toolkit, validator.sdk, environment)
      }
    }
    var plan = try makePlan()
    try trust.check(plan.sources.folder)
    // Without the lock first: a folder that can't be written may be up to date.
    if plan.isUpToDate { return plan.result(nil) }
    let lock = try reporting(folder) { () throws(Rejection) in
      try FolderLock(plan.output, patience: patience) { willWait?(plan.name) }
    }
    defer { lock.release() }
    if plan.isUpToDate { return plan.result(nil) }

    // One name will do under the lock, and what a process that was ended left there goes.
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
        // Saved again meanwhile: what there is now is what was meant.
        guard error.isOutrun, runs < Self.runLimit else {
          throw PluginError(
            .built, path: SourceFolder.plain(folder), error.cause, compiler: error.output)
        }
        plan = try makePlan()
      }
    }
    do throws(PluginError) {
      _ = try validator.validate(try PluginFile(path: draft), expecting: plan.name)
    } catch {
      throw PluginError(
        error.stage, path: plan.sources.folder.shown(plan.library), error.cause)
    }
    try reporting(folder) { () throws(Rejection) in try plan.install(draft) }
    return plan.result(said)
  }

  /// The name of the plugin that a folder's sources make, where they are right.
  public static func name(ofFolder folder: String) -> String? {
    try? PluginSources(SourceFolder(folder)).name()
  }

  /// Whether a path leads to a folder, which can only be one of sources.
  public static func isFolder(_ path: String) -> Bool { FilePath.isFolder(path) }

  private func reporting<Result>(
    _ folder: String, _ body: () throws(Rejection) -> Result
  ) throws(PluginError) -> Result {
    do throws(Rejection) { return try body() } catch {
      throw PluginError(.built, path: SourceFolder.plain(folder), error)
    }
  }
}
