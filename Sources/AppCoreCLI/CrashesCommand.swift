internal import AppCheck
internal import ArgumentParser
internal import Supervision
internal import Support

/// `appcore crashes`: lists the reports of crashes, hangs and refused updates, or shows one.
struct CrashesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crashes",
    abstract: "List reports of crashes, hangs and refused updates.",
    usage: "appcore crashes [<number>] [<option> ...]",
    discussion: """
      Reports are in 'crashes' in STATE_DIRECTORY, which systemd sets for a service, or else in \
      ~/.local/state/appcore.

      Examples:
        appcore crashes
        appcore crashes 12 --symbols console-1.0-symbols.tar.gz
        STATE_DIRECTORY=/var/lib/console appcore crashes --json
      """)

  @Argument(help: "The number of the report to show.")
  var number: Int?

  @Flag(help: "Print JSON, for programs: all reports, or one.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Show lines of sources, with the file that 'appcore bundle --symbols' has written.",
      valueName: "file"),
    completion: .file())
  var symbols: String?

  func validate() throws {
    try checkPath(symbols, of: "--symbols")
    if symbols != nil, number == nil {
      throw ValidationError("'--symbols' goes with the number of a report.")
    }
  }

  func run() throws {
    guard let folder = CrashFolder(ProcessVariables.value) else {
      throw CommandError(
        "there is no folder of reports: neither STATE_DIRECTORY, XDG_STATE_HOME nor HOME is an "
          + "absolute path", exitStatus: 66)
    }
    let entries: [(number: Int, path: String)]
    do throws(SystemError) { entries = try folder.entries() } catch {
      throw CommandError("can't read '\(folder.path)': \(error)", exitStatus: 66)
    }
    guard let number else { return showAll(entries) }
    guard let entry = entries.last(where: { $0.number == number }) else {
      throw CommandError("there is no report \(number) in '\(folder.path)'", exitStatus: 66)
    }
    let file: CrashFile
    do throws(CrashFileError) { file = try CrashFolder.read(entry.path) } catch {
      throw CommandError("can't read '\(entry.path)': \(error)", exitStatus: 65)
    }
    try show(file, number)
  }

  private func showAll(_ entries: [(number: Int, path: String)]) {
    var reports: [(number: Int, file: CrashFile)] = []
    for entry in entries {
      do throws(CrashFileError) {
        reports.append((entry.number, try CrashFolder.read(entry.path)))
      } catch {
        Console.report("skips '\(SafeText.line(entry.path))': \(error)")
      }
    }
    guard !json else {
      let trees = reports.map { Self.tree($0.file, $0.number) }
      let all: JSONTree = ["crashes": .int(CrashFile.currentFormat), "reports": .array(trees)]
      return Console.print(all.text, terminator: "", as: .json)
    }
    let width = reports.last.map { String($0.number).count } ?? 0
    for (number, file) in reports {
      let app = [file.app, file.version].compactMap(\.self).joined(separator: " ")
      let lead = TextLayout.pad("\(number)", to: width, trailing: true)
      Console.print(SafeText.line("\(lead)  \(file.time)  \(app): \(file.summary)"))
    }
  }

  private func show(_ file: CrashFile, _ number: Int) throws {
    let sources = try symbols.map { try Self.sources(of: file, in: $0) } ?? [:]
    guard json else {
      let details = file.details { sources[$0] ?? [] }
      return Console.print((["\(number): \(file.summary)"] + details).joined(separator: "\n"))
    }
    let lines = file.frames.compactMap { frame in
      sources[frame].map { (name: frame.place, value: JSONTree($0)) }
    }
    let more = symbols == nil ? [] : [(name: "sources", value: JSONTree.object(lines))]
    Console.print(Self.tree(file, number).adding(more).text, terminator: "", as: .json)
  }

  private static func tree(_ file: CrashFile, _ number: Int) -> JSONTree {
    .object([("number", .int(number)), ("report", .raw(file.json))])
  }

  /// The lines of the sources for the calls in the plugin's file.
  private static func sources(
    of file: CrashFile, in archive: String
  ) throws -> [CrashFile.Frame: [String]] {
    let symbolizer = try Symbolizer(archive)
    guard let plugin = file.plugin, let buildID = plugin.buildID else {
      throw CommandError("the report names no build, so no symbols fit it", exitStatus: 65)
    }
    let frames = file.frames.filter { $0.module == "lib\(plugin.name).so" }
    let found = try symbolizer.sources(
      of: frames.map(\.offset), in: buildID, of: plugin.name)
    return Dictionary(
      frames.map { ($0, found[$0.offset] ?? []) }, uniquingKeysWith: { first, _ in first })
  }
}
