internal import Diagnostics
internal import Glibc

/// What a compiler said that made no library of a plugin's sources.
package struct CompilerOutput: Hashable, Sendable {
  /// The errors' first lines, in the order of the sources; none where the compiler crashed.
  package let errors: [String]
  /// All that it said, in its own words.
  package let text: String
}

/// Why the compiler made no library.
struct CompilerError: Error {
  let cause: Rejection
  /// `nil` where the compiler did not run to its end.
  let output: CompilerOutput?

  init(_ cause: Rejection, _ output: CompilerOutput? = nil) {
    self.cause = cause
    self.output = output
  }

  /// Whether sources were saved while the compiler read them, so that it has to run again.
  var isOutrun: Bool {
    output?.errors.contains { $0.contains("was modified during the build") } ?? false
  }
}

/// One run of the compiler: a module's sources to a library.
struct CompilerCommand {
  let name: String
  /// Everything but the sources and the output's place.
  let flags: [String]

  init(
    name: String, configuration: BuildConfiguration, toolkit: PluginToolkit, modules: String
  ) {
    self.name = name
    var flags = ["-emit-library", "-module-name", name, "-parse-as-library", "-swift-version", "6"]
    switch configuration {
    case .debug: flags += ["-Onone", "-DDEBUG"]
    case .release: flags += ["-O"]
    }
    // One process for the whole module: plugins are small, and each process reads the SDK anew.
    flags += ["-whole-module-optimization", "-g"]
    flags += ["-I", modules, "-L", toolkit.libraryFolder, "-lAppCore"]
    self.flags = flags
  }

  /// Runs the compiler.
  ///
  /// - Returns: what it said.
  func run(
    _ compiler: SwiftCompiler, _ folder: SourceFolder, to output: String, showsColors: Bool,
    environment: [String: String]
  ) throws(CompilerError) -> String {
    let paths = folder.files.map { folder.path + "/" + $0 }
    let process = ToolProcess(
      executable: compiler.path,
      arguments: flags + (showsColors ? ["-color-diagnostics"] : []) + paths + ["-o", output],
      environment: environment)
    let (end, output) = process.run()
    let said = folder.shown(output)
    switch end {
    case .status(0): return said
    case .status:
      if let doing = Self.crash(in: said) {
        throw CompilerError(
          .compilerCrashed(doing: doing, folder: folder.given),
          CompilerOutput(errors: [], text: said))
      }
      let errors = Self.errors(in: said)
      throw CompilerError(
        .notCompiled(errors, folder: folder.given), CompilerOutput(errors: errors, text: said))
    case .signal(let signal):
      throw CompilerError(
        .compilerEnded(path: compiler.path, reason: "was ended by signal \(signal)"))
    case .lost(let error):
      throw CompilerError(
        .compilerEnded(path: compiler.path, reason: "can't be run: \(errorText(error))"))
    }
  }

  /// The first lines of the errors that a compiler reports, without colours, in the order of the
  /// sources; what has no place in them comes last.
  static func errors(in output: String) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    let plain = output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    for line in plain.split(whereSeparator: \.isNewline) {
      // `file:3:5: error: …` of the compiler, and `…: undefined reference to …` of the linker.
      let isError = line.hasPrefix("error: ") || line.contains(": error: ")
      let isLink = line.contains("undefined reference") || line.contains("undefined symbol")
      guard isError || isLink, seen.insert(String(line)).inserted else { continue }
      found.append(String(line).replacing(": error: ", with: ": "))
    }
    // That linking failed says less than what the linker says.
    if found.count > 1 { found.removeAll { $0.hasPrefix("error: link command failed") } }
    return found.enumerated().sorted { Place($0) < Place($1) }.map(\.element)
  }

  /// What a compiler that crashed was doing, outermost first; `nil` where it did not crash.
  ///
  /// It tells a stack of what it was doing in lines with numbers, after its own call and version, or a
  /// note below an error that it asks to be reported.
  static func crash(in output: String) -> [String]? {
    let plain = output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    guard plain.contains("ubmit a bug report") || plain.contains("failed due to signal") else {
      return nil
    }
    var doing: [String] = []
    for line in plain.split(whereSeparator: \.isNewline) {
      if let match = line.wholeMatch(of: /(\d+)\.\t(.+)/) {
        let words = ["Program arguments:", "Swift version", "Compiling with"]
        if !words.contains(where: match.2.hasPrefix) { doing.append(String(match.2)) }
      } else if let match = line.wholeMatch(of: /(.+:\d+:\d+): (error|note): (.+)/) {
        doing.append("\(match.1): \(match.3)")
      } else if line.hasPrefix(" for '") || line.hasPrefix(" in '"), let last = doing.last {
        // The place of the last message.
        doing[doing.count - 1] = last + line
      }
    }
    return doing
  }

  /// Where an error stands: its file, line and column, and after those where it was reported.
  private struct Place: Comparable {
    let file: String
    let numbers: [Int]

    init(_ error: EnumeratedSequence<[String]>.Element) {
      guard let match = error.element.firstMatch(of: #/^(.+?):(\d+):(\d+): /#) else {
        (file, numbers) = ("\u{10ffff}", [error.offset])
        return
      }
      file = String(match.1)
      numbers = [Int(match.2) ?? 0, Int(match.3) ?? 0, error.offset]
    }

    static func < (one: Place, other: Place) -> Bool {
      one.file != other.file
        ? one.file < other.file : one.numbers.lexicographicallyPrecedes(other.numbers)
    }
  }
}
