internal import ArgumentParser

/// The options for where the lines that a command runs come from.
struct LineOptions: ParsableArguments {
  @Option(
    name: .customLong("script"),
    help: ArgumentHelp(
      "Read lines from a file; '-' is standard input.", valueName: "file"),
    completion: .file())
  var script: String?

  @Option(
    name: [.customShort("c"), .customLong("lines")], parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Run these lines; repeatable.", valueName: "lines"))
  var lines: [String] = []

  func validate() throws {
    if script != nil, !lines.isEmpty {
      throw ValidationError("'--script' and '-c' both say where the lines come from; use one.")
    }
  }

  /// Whether no option is given, so that the lines come from standard input.
  var isEmpty: Bool { script == nil && lines.isEmpty }

  /// Opens the source of the lines.
  ///
  /// - Throws: exit status 66 if it can't be opened, after printing why.
  func source() throws -> ScriptSource { try ScriptSource(file: script, lines: lines) }
}
