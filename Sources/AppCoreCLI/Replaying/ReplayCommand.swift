internal import AppCheck
internal import AppCore
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Shell
internal import Supervision
internal import Support

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Show, check or convert a recording.",
    usage: "appcore replay <recording> [<option> ...]",
    discussion: """
      Examples:
        appcore run app.yaml --record bug.recording
        appcore replay bug.recording
        appcore replay bug.recording --check --plugin-path build
        appcore replay bug.recording --to-script > bug.script
        appcore replay bug.recording --html bug.html
      """)

  @Argument(help: "The recording.", completion: .file())
  var recording: String

  @Flag(help: "Run it again, and compare the states after each step.")
  var check = false

  @Flag(help: "Print a script that does the same.")
  var toScript = false

  @Option(
    name: .customLong("html"),
    help: ArgumentHelp("Write a page that a browser opens.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var page: String?

  @Option(
    help: ArgumentHelp(
      "Another manifest than the recorded one, its folder, or a bundle.", valueName: "path"),
    completion: .file())
  var manifest: String?

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var input: LineOptions

  @Flag(help: "Print one JSON object per screen, for programs.")
  var json = false

  @Flag(help: "Print for screen readers; same as APPCORE_PLAIN=1.")
  var plain = false

  func validate() throws {
    if [check, toScript, page != nil].count(where: \.self) > 1 {
      throw ValidationError("'--check', '--to-script' and '--html' exclude each other; use one.")
    }
    if let mode = check ? "--check" : toScript ? "--to-script" : page.map({ _ in "--html" }),
      let other = json ? "--json" : plain ? "--plain" : input.isEmpty ? nil : "--script' or '-c"
    {
      throw ValidationError("'\(mode)' shows no screen, so it takes no '\(other)'; leave one out.")
    }
    try checkPath(page, of: "--html")
    try checkPath(manifest, of: "--manifest")
  }

  func run() throws {
    FaultNaming.install(skipsFormer: true)
    PluginOutput.collect(Console.report)
    ProcessExit.install()
    let reader = try RecordingReader(path: recording)
    // It keeps the folder of an unpacked archive until the recording has been shown.
    let source = try manifest.map { try AppSource(named: $0) }
    defer { withExtendedLifetime(source) {} }
    let loaded = try load(reader.header, source)
    let file = try page.map { try pageFile($0, loaded) }
    for line in loaded.compatibility(with: reader.header) { report(line) }
    if check { return try check(loaded, reader.header) }
    let opened = try Recording(path: recording)
    report(of: opened.facts.builds, after: reader.header, loaded)
    for problem in [opened.facts.alteration, opened.facts.problem] {
      if let problem { Console.printError("\(problem)") }
    }
    for crash in opened.facts.crashes {
      report("after step \(crash.after) the app was \(crash.crash.text)")
    }
    if !opened.facts.hasEnd, opened.facts.problem == nil { report(Self.noEnd) }
    if let file {
      return try file.write(Self.page(of: opened, loaded, notes: notes(on: opened)).html)
    }
    try show(opened, loaded)
  }

  fileprivate static let noEnd =
    "the recording has no end: the app was killed, or is still running"

  private func report(_ line: String) { Console.report(SafeText.line(line)) }

  /// Prints the plugins that were replaced during the recording and differ from the loaded ones.
  private func report(
    of builds: [(first: Int, header: RecordingHeader)], after header: RecordingHeader,
    _ loaded: LoadedApp
  ) {
    var former = header
    for (first, header) in builds {
      for (plugin, line) in zip(header.plugins, loaded.compatibility(with: header))
      where !former.plugins.contains(plugin) {
        report("from step \(first) on, " + line)
      }
      former = header
    }
  }

  /// The sentences at the top of the page: crashes, and from where the recording can't be read.
  private func notes(on opened: Recording) -> [String] {
    opened.facts.crashes.map { "After step \($0.after) the app was \($0.crash.text)." }
      + (opened.facts.problem.map { ["Line \($0.line) and what follows can't be read."] } ?? [])
  }

  /// Loads the app from the manifest as it is now on disk, never from its text in the recording.
  ///
  /// A manifest names code that is loaded or even compiled, and a recording may come from a
  /// stranger.
  ///
  /// - Throws: the exit status if the app can't be loaded, after printing why.
  private func load(_ header: RecordingHeader, _ source: AppSource?) throws -> LoadedApp {
    var options = (try? reading.appOptions()) ?? AppOptions()
    options = source?.options(options) ?? options
    options.recordedVariables = header.variables
    let path = source?.manifest ?? header.manifest.path
    if source == nil, access(path, R_OK) != 0 {
      throw CommandError(
        "the recorded manifest '\(path)' can't be read: \(SystemError(errno)); name the app's manifest "
          + "with '--manifest'", exitStatus: 66)
    }
    let loaded = try LoadedApp.load(path, options: options)
    if loaded.recordingHeader(begun: 0).manifest.digest != header.manifest.digest {
      report(
        "'\(path)' is not the manifest as it was recorded; "
          + "what is shown may differ")
    }
    return loaded
  }

  private func check(_ loaded: LoadedApp, _ header: RecordingHeader) throws {
    let recording = recording
    let app = App(loaded)
    let outcome = try waitForResult { () async throws(AppLoadError) in
      try await app.check(recording)
    }
    report(of: outcome.facts.builds, after: header, loaded)
    guard outcome.steps > 0 || outcome.problem != nil else {
      throw CommandError(
        "'\(recording)' has no steps to compare; record the app again", exitStatus: 65)
    }
    for line in outcome.lines { Console.print(SafeText.line(line)) }
    if let problem = outcome.problem { Console.printError("\(problem)") }
    let isWhole = outcome.problem.map { $0.cause.rule == .cutRecording } ?? true
    if outcome.divergence != nil || !isWhole { throw ExitCode(65) }
  }

  private func show(_ opened: Recording, _ loaded: LoadedApp) throws {
    let app = App(loaded)
    app.watchForBlocking(after: .seconds(5), Console.report)
    try waitForResult { () async throws(AppLoadError) in try await app.begin(replaying: opened) }
    if toScript {
      for line in waitFor({ await app.script(of: opened) }) { Console.print(SafeText.line(line)) }
      return
    }
    let source = try ScriptSource(input)
    let settings = SessionSettings(source, isJSON: json, isPlain: plain)
    waitFor { await app.converse(settings) }
    let status =
      settings.isInteractive
      ? try TerminalRunner(
        app, options: TerminalRunner.Options(isPlain: plain ? true : nil, historyPath: .some(nil))
      ).run() : try ScriptRunner(app, isJSON: json).run(source.reader())
    if status != 0 { throw ExitCode(status) }
  }
}

extension ReplayOutcome {
  fileprivate var lines: [String] {
    var lines: [String] = []
    if let divergence {
      let step = divergence.step
      let owner = step.owner.isEmpty ? "" : " of " + step.owner
      let line = step.line.map { ", after the line: \($0.text)" } ?? ""
      lines.append("step \(step.number) differs: \(step.text)\(owner)\(line)")
      if let reason = divergence.reason { lines.append("  \(reason)") }
      let limit = 20
      lines += divergence.changes.prefix(limit).map { change in
        let place =
          (change.owner.isEmpty ? "" : change.owner + " ") + change.path
        return "  \(place): recorded \(change.before.map(\.description) ?? "nothing"), now "
          + "\(change.after.map(\.description) ?? "nothing")"
      }
      if divergence.changes.count > limit {
        lines.append("  and \(divergence.changes.count - limit) more")
      }
    }
    let verdict = divergence == nil ? "the same" : "the same before it"
    lines.append(
      "\(counted(steps, "step")): \(verified) \(verdict)"
        + (unverified > 0 ? ", \(unverified) unverified" : ""))
    // Of a check that stopped before its end, the crashes are not what it is about.
    for (number, crash) in divergence == nil && facts.alteration == nil ? facts.crashes : [] {
      lines.append("after step \(number) the app was \(crash.text)")
    }
    if !facts.hasEnd, divergence == nil, problem == nil { lines.append(ReplayCommand.noEnd) }
    return lines
  }
}

// The HTML page of `--html`.
extension ReplayCommand {
  /// Checks that the page's file can be written: neither the recording nor a file of the app is.
  ///
  /// - Throws: ``CommandError`` with exit status 73 if it can't.
  func pageFile(_ path: String, _ loaded: LoadedApp) throws -> OutputFile {
    let part = FilePath.areSame(path, recording) ? "the recording" : loaded.part(at: path)
    return try OutputFile(path, "the page", part: part)
  }

  /// The page of a recording, with notes above the steps.
  ///
  /// The app may be a different build from the recorded one.
  static func page(
    of recording: Recording, _ loaded: LoadedApp, notes: [String]
  ) throws -> TimelinePage {
    try waitForResult { () async throws(AppLoadError) in
      let app = try await App.replaying(recording, loaded)
      app.watchForBlocking(after: .seconds(5), Console.report)
      return await page(of: recording, app, notes)
    }
  }

  private static func page(
    of recording: Recording, _ app: App, _ notes: [String]
  ) async -> TimelinePage {
    var notes = notes
    let numbers = recording.numbers
    if numbers.lowerBound > 1 {
      notes.append("The recording begins with step \(numbers.lowerBound).")
    }
    let graph = app.loaded.report.drawing ?? .empty
    var page = TimelinePage(graph, first: max(1, numbers.lowerBound), notes: notes)
    for number in numbers {
      do throws(Rejection) {
        var step = TimelinePage.Step(try await app.replay(number))
        if let crash = recording.facts.crashes.last(where: { $0.after == number }) {
          step.problem = "After this step the app was \(crash.crash.text)."
        }
        page.add(step)
      } catch {
        // The step's screen can't be shown, but what the recording says about the step can.
        var step = TimelinePage.Step(kind: "unknown", text: "step \(number)")
        if let recorded = recording.step(number) { step = TimelinePage.Step(recorded) }
        step.problem = "This step can't be shown: \(error.message)"
        page.add(step)
      }
    }
    return page
  }
}

extension TimelinePage.Step {
  fileprivate init(_ step: RecordedStep) {
    self.init(kind: step.origin.rawValue, text: step.text)
    time = step.time
    took = step.duration / 1000
    node = step.node
    instance = step.instance.map { "\($0)" }
    line = step.line?.text
  }

  fileprivate init(_ shown: ReplayedStep) {
    self.init(shown.step)
    path = shown.path
    screen = shown.screen
    problem = shown.losses.map { "The screen can't be shown as it was: \($0)" }
    changes = shown.changes.map { change in
      (
        [change.owner, change.path].filter { !$0.isEmpty }.joined(separator: " "),
        change.before?.description, change.after?.description
      )
    }
  }
}
