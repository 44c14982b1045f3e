internal import Glibc
internal import Support

extension BuildPlan {
  /// Runs the compiler, which builds a library from the module's sources.
  ///
  /// For release in two steps, with paths from the plugin's folder: an object's name is then part of
  /// what is compiled, and the same sources make the same bytes in each folder.
  ///
  /// - Returns: the compiler's output.
  func compile(to draft: String, showsColors: Bool) throws(PluginError) -> String {
    guard let compiler else {
      throw failure(Rejection(.pluginNoCompiler, "there is no 'swiftc' on the PATH"))
    }
    guard compiler.version == expectedVersion else {
      throw failure(
        Rejection(
          .pluginOtherCompiler,
          "'\(compiler.path)' is Swift \(compiler.version), and this appcore's SDK was built by "
            + "Swift \(expectedVersion)",
          remedy:
            "put Swift \(expectedVersion) first on the `PATH`, or install an appcore that was "
            + "built by yours"))
    }
    func run(_ arguments: [String]) throws(PluginError) -> String {
      let (end, output, _) = Spawn.run(
        compiler.path, arguments + (showsColors ? ["-color-diagnostics"] : []),
        environment: environment, folder: sources.path)
      return try check(end, output, of: compiler.path)
    }
    guard configuration == .release else {
      let paths = sources.files.map { sources.path + "/" + $0 }
      return try run(flags.compiling + flags.linking + paths + ["-o", draft])
    }
    let object = draft + ".o"
    defer { unlink(object) }
    let place = FilePath.inside(sources.path, object) ?? object
    return try run(flags.compiling + ["-emit-object"] + sources.files + ["-o", place])
      + run(flags.linking + [place, "-o", draft])
  }

  private func failure(_ cause: Rejection, _ output: CompilerOutput? = nil) -> PluginError {
    PluginError(.built, path: sources.given, cause, compiler: output)
  }

  private func check(
    _ end: ProcessEnd, _ output: String, of compiler: String
  ) throws(PluginError) -> String {
    // Paths are relative to the folder, and messages to where the person is.
    let said = sources.shown(configuration == .release ? absolute(output) : output)
    switch end {
    case .status(0): return said
    case .status:
      if let doing = CompilerErrors.crash(in: said) {
        throw failure(
          Rejection(
            .pluginCompilerEnded,
            "the compiler crashed" + (doing.last.map { ": \($0)" } ?? ""),
            details: doing.dropLast().suffix(4).map { "note: \($0)" },
            remedy: "the mistake is the compiler's: write what it names in another way, or report "
              + "it; `\(Rejection.buildCommand(sources.given))` shows all that the compiler says"),
          CompilerOutput(errors: [], text: said))
      }
      let errors = CompilerErrors(in: said) { shown in
        let file = sources.files.first { sources.shown(sources.path + "/" + $0) == shown }
        return file.flatMap { try? WholeFile.read(sources.path + "/" + $0) }
          .map { String(decoding: $0, as: UTF8.self) }
      }
      let lines = errors.lines
      throw failure(
        Rejection(
          .pluginNotCompiled, lines.first ?? "the compiler refuses, and does not say why",
          details: lines.dropFirst().prefix(4).map { "also: \($0)" }
            + (lines.count > 5 ? ["and \(counted(lines.count - 5, "other error"))"] : []),
          remedy: "correct the sources; `\(Rejection.buildCommand(sources.given))` shows all that "
            + "the compiler says"),
        CompilerOutput(
          errors: lines, text: ([said] + errors.additions).joined(separator: "\n")))
    case .signal(let signal):
      throw failure(.compilerEnded(path: compiler, reason: "was ended by signal \(signal)"))
    case .lost(let error):
      throw failure(
        .compilerEnded(path: compiler, reason: "can't be run: \(errorText(error))"))
    }
  }

  /// What the compiler said of sources that were given by paths from their folder.
  private func absolute(_ output: String) -> String {
    output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A line may begin with a colour.
      let text = line.drop { $0 == "\u{1b}" || $0 == "[" || $0 == ";" || $0 == "m" || $0.isNumber }
      let start = [line, text].first { start in
        sources.files.contains { start.hasPrefix($0 + ":") }
      }
      guard let start else { return String(line) }
      return line[..<start.startIndex] + sources.path + "/" + start
    }.joined(separator: "\n")
  }
}

/// The output of a compiler that built or failed to build a plugin's sources.
package struct CompilerOutput: Hashable, Sendable {
  /// The first lines of the errors, in the order of the sources; empty if the compiler crashed, or
  /// if the library that it built is not accepted.
  package let errors: [String]
  /// All that the compiler wrote, with paths relative to the folder as it was given.
  package let text: String

  /// Whether sources were saved while the compiler read them, so that it has to run again.
  var isOutrun: Bool { errors.contains { $0.contains("was modified during the build") } }
}
