internal import Glibc
internal import Support

/// The output of a compiler that built or failed to build a plugin's sources.
package struct CompilerOutput: Hashable, Sendable {
  /// The first lines of the errors, in the order of the sources; empty if the compiler crashed, or
  /// if the library that it built is not accepted.
  package let errors: [String]
  /// All that the compiler wrote, with paths relative to the folder as it was given.
  package let text: String
}

struct CompilerError: Error {
  let cause: Rejection
  /// `nil` if the compiler did not run, or did not exit by itself.
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

/// A run of the compiler, which builds a library from a module's sources.
///
/// For release in two steps, with paths from the plugin's folder: an object's name is then part of what
/// is compiled, and the same sources make the same bytes in each folder.
struct CompilerCommand {
  let name: String
  private let configuration: BuildConfiguration
  private let compilation: [String]
  private let linking: [String]

  /// All arguments but the sources, the output's path and the choice of colors.
  var flags: [String] { compilation + linking }

  init(
    name: String, configuration: BuildConfiguration, toolkit: PluginToolkit, modules: String
  ) {
    self.name = name
    self.configuration = configuration
    var flags = ["-module-name", name, "-parse-as-library", "-swift-version", "6"]
    switch configuration {
    case .debug: flags += ["-Onone", "-DDEBUG", "-g"]
    case .release: flags += ["-O", "-gline-tables-only", "-file-compilation-dir", "."]
    }
    // One process for the whole module: plugins are small, and each process reads the SDK anew.
    compilation = flags + ["-whole-module-optimization", "-I", modules]
    var linking = ["-emit-library", "-L", toolkit.libraryFolder, "-lAppCore"]
    if configuration == .release {
      // In a bundle the Swift runtime is there, and the toolchain is not. Without a name of its own the
      // library would have its path as one, and the debug information names the compiler's cache.
      for flag in [
        "-rpath", "$ORIGIN/../runtime", "-soname", "lib\(name).so", "--build-id=none",
      ] { linking += ["-Xlinker", flag] }
    }
    self.linking = linking
  }

  /// Runs the compiler.
  ///
  /// - Returns: the compiler's output.
  func run(
    _ compiler: SwiftCompiler, _ folder: SourceFolder, to output: String, showsColors: Bool,
    environment: [String: String]
  ) throws(CompilerError) -> String {
    func run(_ arguments: [String]) throws(CompilerError) -> String {
      try check(
        ToolProcess(
          executable: compiler.path,
          arguments: arguments + (showsColors ? ["-color-diagnostics"] : []),
          environment: environment, folder: folder.path), compiler, folder)
    }
    let isRelease = configuration == .release
    let paths = folder.files.map { isRelease ? $0 : folder.path + "/" + $0 }
    guard isRelease else { return try run(flags + paths + ["-o", output]) }
    let object = output + ".o"
    defer { unlink(object) }
    let lead = folder.path + "/"
    let place = object.hasPrefix(lead) ? String(object.dropFirst(lead.count)) : object
    return try run(compilation + ["-emit-object"] + paths + ["-o", place])
      + run(linking + [place, "-o", output])
  }

  private func check(
    _ process: ToolProcess, _ compiler: SwiftCompiler, _ folder: SourceFolder
  ) throws(CompilerError) -> String {
    let (end, output) = process.run()
    // Paths are relative to the folder, and messages to where the person is.
    let said = folder.shown(
      configuration == .release ? Self.absolute(output, in: folder) : output)
    switch end {
    case .status(0): return said
    case .status:
      if let doing = Self.crash(in: said) {
        throw CompilerError(
          Rejection(
            .pluginCompilerEnded,
            "the compiler crashed" + (doing.last.map { ": \($0)" } ?? ""),
            details: doing.dropLast().suffix(4).map { "note: \($0)" },
            remedy: "the mistake is the compiler's: write what it names in another way, or report "
              + "it; `\(Rejection.buildCommand(folder.given))` shows all that the compiler says"),
          CompilerOutput(errors: [], text: said))
      }
      let advice = CompilerAdvice(
        output: Self.plain(said),
        source: { shown in
          let file = folder.files.first { folder.shown(folder.path + "/" + $0) == shown }
          return file.flatMap { try? WholeFile.read(folder.path + "/" + $0) }
            .map { String(decoding: $0, as: UTF8.self) }
        })
      let errors = Self.errors(in: said).map(advice.advised)
      let text = ([said] + errors.compactMap(\.addition)).joined(separator: "\n")
      let lines = errors.map(\.line)
      throw CompilerError(
        Rejection(
          .pluginNotCompiled, lines.first ?? "the compiler refuses, and does not say why",
          details: lines.dropFirst().prefix(4).map { "also: \($0)" }
            + (lines.count > 5 ? ["and \(counted(lines.count - 5, "other error"))"] : []),
          remedy: "correct the sources; `\(Rejection.buildCommand(folder.given))` shows all that "
            + "the compiler says"),
        CompilerOutput(errors: lines, text: text))
    case .signal(let signal):
      throw CompilerError(
        .compilerEnded(path: compiler.path, reason: "was ended by signal \(signal)"))
    case .lost(let error):
      throw CompilerError(
        .compilerEnded(path: compiler.path, reason: "can't be run: \(errorText(error))"))
    }
  }

  /// What the compiler said of sources that were given by paths from their folder.
  private static func absolute(_ output: String, in folder: SourceFolder) -> String {
    output.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      // A line may begin with a colour.
      let text = line.drop { $0 == "\u{1b}" || $0 == "[" || $0 == ";" || $0 == "m" || $0.isNumber }
      let isPlace = folder.files.contains { file in
        [line, text].contains { $0.hasPrefix(file + ":") }
      }
      guard isPlace else { return String(line) }
      let start = folder.files.contains { line.hasPrefix($0 + ":") } ? line : text
      return line[..<start.startIndex] + folder.path + "/" + start
    }.joined(separator: "\n")
  }

  private static func plain(_ output: String) -> String {
    output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
  }

  /// The first lines of the errors that a compiler reports, without colors, in the order of the
  /// sources; errors without a position come last.
  static func errors(in output: String) -> [String] {
    var found: [String] = []
    var seen: Set<String> = []
    for line in plain(output).split(whereSeparator: \.isNewline) {
      // `file:3:5: error: …` of the compiler, and `…: undefined reference to …` of the linker.
      let isError = line.hasPrefix("error: ") || line.contains(": error: ")
      let isLink = line.contains("undefined reference") || line.contains("undefined symbol")
      guard isError || isLink, seen.insert(String(line)).inserted else { continue }
      found.append(String(line).replacing(": error: ", with: ": "))
    }
    // The linker's own errors say more than that linking failed.
    if found.count > 1 { found.removeAll { $0.hasPrefix("error: link command failed") } }
    return found.enumerated().sorted { Place($0) < Place($1) }.map(\.element)
  }

  /// What a compiler that crashed was doing, outermost first; `nil` if it did not crash.
  ///
  /// The compiler prints that as numbered lines, after those with its arguments and its version, or
  /// as a note below an error that it asks to be reported.
  static func crash(in output: String) -> [String]? {
    // The compiler also asks for a report of a mistake in the sources that it has no words for.
    let plain = plain(output).replacing(/failed to produce diagnostic.*/, with: "")
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
        // The rest of the last message: where it was.
        doing[doing.count - 1] = last + line
      }
    }
    return doing
  }

  /// The sort key of an error: its file, line and column, then its position in the output.
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

/// The `swiftc` that is first on the `PATH`.
struct SwiftCompiler {
  /// The path on the `PATH`; links are not resolved.
  let path: String
  /// Identifies the program and its current version, for the cost of a `stat`.
  let identity: String
  /// Whether the file is the compiler itself.
  ///
  /// A version manager puts a program of its own on the `PATH`, which starts one compiler today and
  /// another tomorrow: then only `swiftc --version` tells them apart.
  let isItself: Bool

  /// Finds the compiler; `nil` if there is none.
  init?(environment: [String: String]) {
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let found = folders.lazy.map { "\($0)/swiftc" }.first { path in
      access(path, X_OK) == 0 && !FilePath.isFolder(path)
    }
    guard let found, let real = FilePath.resolved(found), let identity = fileIdentity(real) else {
      return nil
    }
    path = found
    self.identity = "\(real) \(identity)"
    let name = real.split(separator: "/").last ?? ""
    isItself = ["swiftc", "swift-driver", "swift-frontend", "swift"].contains(name)
  }

  /// The release, such as `6.3.1`.
  ///
  /// - Complexity: starts the compiler, which takes 50 ms.
  func version(environment: [String: String]) throws(Rejection) -> String {
    let process = ToolProcess(
      executable: path, arguments: ["--version"], environment: environment)
    let (end, output) = process.run()
    if case .lost(let error) = end {
      throw .compilerEnded(path: path, reason: "can't be run: \(errorText(error))")
    }
    let words = output.split(whereSeparator: \.isWhitespace)
    guard let index = words.firstIndex(of: "version"), words.indices.contains(index + 1) else {
      throw Rejection(
        .pluginNoCompiler, "'\(path) --version' names no version",
        remedy: "put a `swiftc` that works first on the `PATH`")
    }
    return String(words[index + 1])
  }
}

/// A text that identifies a file and its current version; `nil` if there is no file.
func fileIdentity(_ path: String) -> String? {
  guard let identity = PluginFile.identity(of: path) else { return nil }
  return "\(identity.inode) \(identity.size) \(identity.modified)"
}
