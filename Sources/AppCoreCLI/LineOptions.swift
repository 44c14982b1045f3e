internal import ArgumentParser

/// Where a command that runs the shell's lines takes them from.
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

  /// Whether the options name no lines: they come from standard input.
  var isEmpty: Bool { script == nil && lines.isEmpty }

  /// Opens the source of the lines.
  ///
  /// - Throws: the exit status where it can't be opened, after printing why.
  func source() throws -> ScriptSource { try ScriptSource(file: script, lines: lines) }
}
