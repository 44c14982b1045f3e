internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Support

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check manifests and print their problems.",
    usage: "appcore check [<manifest> ...] [<option> ...]",
    discussion: """
      Examples:
        appcore check
        appcore check app.yaml tools.yaml --fix
        appcore check app.yaml --format sarif > problems.sarif
        git show HEAD:app.yaml | appcore check -
      """)

  @Argument(
    help: ArgumentHelp(
      "Manifests, their folders or bundles; by default '.'; '-' reads standard input.",
      valueName: "manifest"),
    completion: .file(extensions: ["yaml", "yml", "gz", "tgz", "deb"]))
  var manifests: [String] = []

  @OptionGroup var options: ReadingOptions

  @Option(help: "The output format.")
  var format = ReportFormat.text

  @Flag(help: "Apply the safe fixes, then check again.")
  var fix = false

  @Option(
    name: .customLong("max-problems"), parsing: .unconditional,
    help: ArgumentHelp("Print at most this many problems.", valueName: "n"))
  var limit = 100

  @Option(
    name: .customLong("ignore"), parsing: .singleValue,
    help: ArgumentHelp(
      "Hide warnings and notes with this code; repeatable.", valueName: "code"),
    completion: .codes)
  var ignoredCodes: [String] = []

  @Flag(
    name: .customLong("warnings-as-errors"),
    help: "Treat warnings as errors in the exit status.")
  var warningsAreErrors = false

  @Option(
    help: ArgumentHelp(
      "Show how a saved session would resume with the manifest.", valueName: "file"),
    completion: .file())
  var session: String?

  @Flag(name: .customLong("json"), help: "With --session: print JSON.")
  var isJSON = false

  private static let input = "-"

  private var selection: ReportSelection {
    ReportSelection(
      limit: limit, ignoredCodes: Set(ignoredCodes), warningsAreErrors: warningsAreErrors)
  }

  func run() throws {
    // The sources keep the folders of unpacked archives.
    let sources = try (manifests.isEmpty ? [nil] : manifests.map(Optional.some)).map {
      $0 == Self.input ? nil : try AppSource(named: $0)
    }
    guard !fix || sources.allSatisfy({ $0?.unpackedFolder == nil }) else {
      throw ValidationError("'--fix' can't write into an archive; name the app's manifest.")
    }
    let reports = sources.map { report($0) }
    defer { withExtendedLifetime(sources) {} }
    if let session, let report = reports.first, report.exitStatus(selection) == 0 {
      return try printPlan(of: session, under: report)
    }
    let readable = format == .text ? reports.filter { $0.exitStatus != 66 } : reports
    Console.print(
      ManifestReport.rendered(readable, format, selection), terminator: "",
      as: format == .text ? .text : .json)
    for report in reports where format == .text && report.problemCount(selection) == 0 {
      Console.printError("\(report.path): no problems")
    }
    let statuses = reports.map { $0.exitStatus(selection) }
    // The smallest status: an error in a manifest matters more than a missing file.
    if let status = statuses.filter({ $0 != 0 }).min() { throw ExitCode(status) }
  }

  /// Checks an app; `nil` is standard input.
  private func report(_ source: AppSource?) -> ManifestReport {
    let report = checked(source)
    guard fix else { return report }
    let lines = ManifestFix(report, options: source?.options(checkOptions) ?? checkOptions).write()
    for line in lines { Console.printError(line) }
    return lines.isEmpty ? report : checked(source)
  }

  private var checkOptions: AppOptions {
    // `validate()` has already rejected invalid options.
    var options = (try? options.appOptions()) ?? AppOptions()
    options.comparesBuilds = true
    return options
  }

  private func checked(_ source: AppSource?) -> ManifestReport {
    let options = checkOptions
    do throws(AppLoadError) {
      return try ManifestReport(source?.manifest, options: source?.options(options) ?? options)
    } catch {
      if format == .text { Console.printError("\(error)") }
      if case .unreadable(let path, let cause) = error {
        return ManifestReport(unreadable: path, cause: cause)
      }
      return ManifestReport(unreadable: source?.manifest ?? Self.input, cause: "\(error)")
    }
  }

  func validate() throws {
    for code in ignoredCodes {
      do throws(Rejection) {
        _ = try RuleGroup.text(of: code)
      } catch {
        throw ValidationError("'--ignore \(code)': \(error.message)")
      }
    }
    guard limit >= 1 else { throw ValidationError("'--max-problems' takes a number from 1.") }
    guard manifests.count(where: { $0 == Self.input }) <= 1 else {
      throw ValidationError("Standard input can be read once only; give '-' once.")
    }
    guard session == nil || manifests.count <= 1 else {
      throw ValidationError("'--session' goes with one manifest.")
    }
    if isJSON, session == nil {
      throw ValidationError(
        "'--json' goes with '--session'; problems are JSON with '--format json'.")
    }
    guard !fix || !manifests.contains(Self.input) else {
      throw ValidationError("'--fix' can't write standard input; name the file.")
    }
  }

  /// Prints whether each instance of a saved session can be restored with a manifest.
  ///
  /// The session is restored in another process, as a start with the manifest would.
  ///
  /// - Throws: exit status 65 if the session can't be read or something of it is lost, 66 if there is
  ///   none, 75 if what becomes of it can't be known, after printing why.
  func printPlan(of file: String, under report: ManifestReport) throws {
    guard let app = report.graph?.name else { return }
    let found: SavedSession?
    do throws(SessionError) {
      found = try SavedSession.read(file, app: app)
    } catch {
      throw CommandError(
        "can't check the session in \(shellWord(file)): \(error.reason)", exitStatus: 65)
    }
    guard let session = found, let forecast = report.plan(for: session.image) else {
      throw CommandError(
        "there is no session in \(shellWord(file)); name a file that holds one", exitStatus: 66)
    }
    let plan = forecast.tried(
      manifest: report.path, session: file, options: options.arguments,
      environment: ProcessVariables.all)
    if session.unreadByteCount > 0 {
      Console.report(
        "the end of the session in \(SafeText.line(shellWord(file))) is damaged, and what it "
          + "showed last may be lost")
    }
    if isJSON || format == .json {
      Console.print(plan.json(file).text, terminator: "", as: .json)
    } else {
      let title = SafeText.line("\(file): \(session.summary)")
      Console.print(([title] + plan.lines).joined(separator: "\n"))
    }
    if plan.exitStatus != 0 { throw ExitCode(plan.exitStatus) }
  }
}

extension SessionPlan {
  /// One line for each instance: whether it is kept, migrated, recreated or dropped.
  fileprivate var lines: [String] {
    let width = entries.map { DisplayWidth.of($0.node) }.max() ?? 0
    let rows = entries.map { entry in
      SafeText.line("  \(TextLayout.pad(entry.node, to: width + 2))\(entry.line)")
    }
    return rows + (startsAnew ? ["  The app begins at its start."] : [])
  }

  fileprivate func json(_ file: String) -> JSONTree {
    let instances = entries.map { entry -> JSONTree in
      var tree: JSONTree = ["node": .string(entry.node)]
      if let name = entry.newNode { tree = tree.adding([("newNode", .string(name))]) }
      let (fate, detail) = entry.outcome.words
      tree = tree.adding([("fate", .string(fate))])
      let key = if case .migrated = entry.outcome { "from" } else { "reason" }
      return detail.map { tree.adding([(key, .string($0))]) } ?? tree
    }
    return [
      "session": .string(file), "startsAnew": .bool(startsAnew), "instances": .array(instances),
    ]
  }
}
