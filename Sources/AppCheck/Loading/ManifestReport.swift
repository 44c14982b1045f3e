@_spi(Host) internal import AppCore
package import Manifest
package import Navigation
package import PluginHost
package import Support

/// Everything that is wrong with a manifest and its plugins, and the graph if nothing is.
public struct ManifestReport: Sendable {
  /// The path of the manifest, as it was given.
  package let path: String
  /// What the manifest says; `nil` where it can't be read.
  package let manifest: Manifest?
  package private(set) var graph: Graph?
  package private(set) var configurations: [String: ArgumentTemplate] = [:]
  package private(set) var plugins = PluginSet()
  package private(set) var problems: [Diagnostic]
  package let sources: SourceMap
  /// The problems of the manifest by itself, without its plugins.
  private let ownProblems: [Diagnostic]
  /// The parts of the manifest in which something was left out because of them.
  private let gaps: ManifestGaps
  /// Whether all files of the manifest could be parsed.
  let isWhole: Bool
  /// The problems that comments in its files silence.
  private let ignoring: IgnoreComments
  /// The lock that its plugins are compared with, if there is one.
  package let lockEnforcement: LockEnforcement?
  /// The paths of the lock and, if the policy asks for one, of its signature.
  let lockPaths: [String]
  /// Which commands people may type: what the manifest says, and at most what the machine's policy
  /// allows.
  package let commands: Manifest.Commands

  /// Reads and checks a manifest; `nil` is the one in standard input.
  ///
  /// - Throws: ``AppLoadError/unreadable(path:cause:)`` where there is no such file; everything
  ///   else is a problem in the report.
  public init(_ path: String?, options: AppOptions = AppOptions()) throws(AppLoadError) {
    let loader = Self.loader(options)
    let result: ManifestResult
    do throws(UnreadableFile) {
      result = if let path { try loader.load(path: path) } else { try loader.loadStandardInput() }
    } catch {
      throw .unreadable(path: error.path, cause: error.cause)
    }
    self.init(result, path: path ?? ManifestLoader.standardInput, options: options)
    try checkMocks(options)
  }

  private func checkMocks(_ options: AppOptions) throws(AppLoadError) {
    // With errors, it may not be known which plugins the manifest lists.
    let names = plugins.names.compactMap { $0 }
    guard !problems.contains(where: { $0.severity == .error }),
      let unused = options.mocks.keys.sorted().first(where: { !names.contains($0) })
    else { return }
    throw .unusedMock(name: unused, plugins: names)
  }

  /// The report of a manifest that can't be read.
  public init(unreadable path: String, cause: String) {
    self.init(
      ManifestLoader().unreadable(path: path, cause: cause), path: path, options: AppOptions())
  }

  /// Checks a manifest that is given as text; `path` is what it is called.
  public init(
    text: String, path: String, options: AppOptions = AppOptions()
  ) {
    let result = Self.loader(options).load(Array(text.utf8), path: path)
    self.init(result, path: path, options: options)
  }

  private static func loader(_ options: AppOptions) -> ManifestLoader {
    let environment = options.environment
    var own = ManifestLoader.Options(
      settings: options.settings, environment: { environment[$0] },
      allowsOutside: options.allowsOutside)
    own.formerValues = options.recordedVariables
    own.allowsUnsetVariables = options.allowsUnsetVariables
    own.contents = options.contents
    return ManifestLoader(options: own)
  }

  private init(
    _ result: ManifestResult, path: String, options: AppOptions
  ) {
    self.path = path
    manifest = result.manifest
    let ignoring = IgnoreComments(result.sources)
    let lock = LockGuard(result, path: path, options)
    (sources, lockEnforcement, lockPaths) = (lock.sources, lock.held, lock.paths)
    commands = min(result.manifest?.commands?.value ?? .all, lock.commands)
    ownProblems =
      (result.problems.filter { !ignoring.silences($0) } + Self.unknownCodes(in: ignoring)
      + lock.problems)
      .sortedByPosition()
    self.ignoring = ignoring
    gaps = result.gaps
    isWhole = result.manifest != nil && result.isComplete
    problems = ownProblems
    guard let manifest, isWhole, !options.leavesOutPlugins, lock.allowsLoading else { return }
    var options = options
    options.lockEnforcement = lock.held ?? options.lockEnforcement
    check(with: PluginSet(manifest, path: path, options: options))
  }

  /// The warnings about words in comments that are no codes.
  private static func unknownCodes(in comments: IgnoreComments) -> [Diagnostic] {
    // Most manifests have none, and a start need not read the catalogues.
    guard !comments.words.isEmpty else { return [] }
    let rules =
      Rule.manifestRules + Rule.checkRules + Rule.pluginRules + Rule.lockRules + Rule.signatureRules
    let codes = rules.map(\.code)
    let known = Set(codes)
    var suggestions = Suggestions()
    return comments.words.filter { !known.contains($0.value) }.map { word in
      let nearest = suggestions.nearest(to: word.value, among: codes)
      return Diagnostic(
        .unknownCode, at: word.range,
        "there is no code \(quote(word.value)) to ignore" + Wording.hint(nearest, []),
        correction: .init(word.value, nearest))
    }
  }

  private mutating func check(with plugins: PluginSet) {
    guard let manifest else { return }
    self.plugins = plugins
    let built = GraphBuilder.build(
      manifest, catalog: plugins.catalog, pluginNames: plugins.names,
      gaps: plugins.isBlockedByLock ? .all : gaps)
    let found = built.problems + plugins.buildProblems + plugins.lockProblems
    problems = (ownProblems + found.filter { !ignoring.silences($0) }).sortedByPosition()
    graph = problems.containsErrors ? nil : built.graph
    configurations = built.configurations
  }

  /// The report for the case that these plugins, which were scanned, can't be loaded.
  package func refusing(_ refused: [String: PluginError]) -> ManifestReport {
    with { $0.refuse(refused) }
  }

  package func replacing(_ member: AppPlugin) -> ManifestReport { with { $0.replace(member) } }

  private func with(_ change: (inout PluginSet) -> Void) -> ManifestReport {
    var (report, plugins) = (self, plugins)
    change(&plugins)
    report.check(with: plugins)
    return report
  }

  /// Whether anything keeps the app from running.
  public var hasErrors: Bool { problems.containsErrors }

  /// The problems as they are printed; empty where there are none.
  ///
  /// A plugin that can't be loaded is followed by its details: both sides of a mismatch, every
  /// path tried, the remedy.
  public var text: String { text(ReportSelection()) }

  /// The same for some of the problems; the last line says how many are left out.
  func text(_ selection: ReportSelection) -> String {
    let renderer = DiagnosticRenderer(sources: sources)
    let shown = selection.shown(problems)
    let more = selection.kept(problems).count - shown.count
    return shown.map { problem in
      var text = renderer.render(problem) + "\n"
      if let cause = pluginProblem(of: problem) {
        text += "  code: \(cause.code)\n"
        for detail in cause.details { text += "  \(SafeText.line(detail))\n" }
        text += "  help: \(SafeText.line(cause.remedy))\n"
      }
      return text
    }.joined() + (more > 0 ? "and \(more) more; '--max-problems' shows them\n" : "")
  }

  /// Why a plugin can't be loaded, if the problem is about that.
  func pluginProblem(of problem: Diagnostic) -> PluginError? {
    problem.plugin.flatMap { plugins.problems[$0] }
  }

  /// The exit status that the problems call for: 0, 65, 66 or 69.
  public var exitStatus: Int32 {
    guard hasErrors else { return 0 }
    if problems.contains(where: { $0.rule == .unreadableManifest }) { return 66 }
    let errors = problems.filter { $0.severity == .error }
    return errors.allSatisfy { $0.rule == .pluginUnavailable } ? 69 : 65
  }

  /// The exit status if some problems are left out, or warnings are errors.
  public func exitStatus(_ selection: ReportSelection) -> Int32 {
    let isWarned = selection.kept(problems).contains { $0.severity == .warning }
    return exitStatus == 0 && selection.warningsAreErrors && isWarned ? 65 : exitStatus
  }

  /// How many problems there are, without those that are left out.
  public func problemCount(_ selection: ReportSelection) -> Int {
    selection.kept(problems).count
  }

  /// The paths of the manifest and its includes, as far as they could be read, and of the lock and
  /// its signature.
  package var filePaths: [String] {
    let read = sources.files.map(\.path)
    return read + lockPaths.filter { !read.contains($0) }
  }

  /// These, and the candidate paths of rejected plugins: a change to any may fix the manifest.
  package var sourcePaths: [String] { filePaths + plugins.rejectedPaths }

  /// The contents of the files that were read, by path.
  package var fileContents: [String: [UInt8]] {
    Dictionary(
      sources.files.map { ($0.path, Array($0.bytes)) }, uniquingKeysWith: { first, _ in first })
  }

  /// The first error in one line, with how many more there are.
  package var firstError: String {
    let errors = problems.filter { $0.severity == .error }
    guard let first = errors.first else { return "" }
    let more = errors.count > 1 ? "; and \(errors.count - 1) more" : ""
    return SafeText.line("\(sources.description(of: first.range)): \(first.message)")
      + " [\(first.code)]" + more
  }

  /// Whether a feature keeps its state in the same shape as in another version of the app.
  ///
  /// - Returns: `nil` if that is not known: a plugin was not scanned, or a part of a state has no
  ///   known shape.
  package func hasSameState(_ feature: String, as other: ManifestReport) -> Bool? {
    guard let own = state(of: feature), let others = other.state(of: feature) else { return nil }
    return own == others
  }

  private func state(of feature: String) -> Schema? {
    let plugin = String(feature.prefix { $0 != "." })
    return plugins.members[plugin]?.info.states[feature].flatMap { $0.isKnown ? $0.sorted : nil }
  }
}

extension Schema {
  fileprivate var isKnown: Bool {
    switch self {
    case .bool, .int, .double, .string, .secret, .choice, .recursive: true
    case .any, .opaque: false
    case .optional(let part), .array(let part), .dictionary(let part): part.isKnown
    case .object(let fields): fields.allSatisfy(\.schema.isKnown)
    case .variant(let cases): cases.allSatisfy { $0.payload?.isKnown ?? true }
    @unknown default: false
    }
  }
}
