internal import Glibc

extension PluginProblem: CustomStringConvertible {
  /// The problem as it is printed: path, stage and cause, what belongs to it, and the remedy.
  ///
  /// ```
  /// Plugins/libMonitor.so: error: plugin not accepted: built against another SDK [contract-mismatch]
  ///   plugin: SDK 0.1.0, Swift 6.3.1, digest 87950231f783b149
  ///   host:   SDK 0.2.0, Swift 6.3.1, digest 0c6b21af9e57d834
  ///   help: rebuild the plugin against this host's SDK: `appcore plugin build`, …
  /// ```
  public var description: String {
    var lines = ["\(path): error: \(stage.failure): \(message) [\(code)]"]
    lines += details.map { "  " + $0 }
    if let remedy { lines.append("  help: " + remedy) }
    return lines.map(printable).joined(separator: "\n")
  }

  /// What is wrong, on one line, without path and stage.
  public var message: String { cause.message }

  /// What belongs to the message and needs lines of its own: both sides, or all the paths tried.
  public var details: [String] { cause.details }

  /// What to do about it; `nil` where the message says it.
  public var remedy: String? { cause.remedy(path: path) }

  /// The cause in the form in which other programs tell problems apart, such as `not-elf`.
  public var code: String { cause.code }
}

extension PluginProblem.Stage {
  /// How a message begins.
  var failure: String {
    switch self {
    case .found: "plugin not found"
    case .built: "plugin not built"
    case .read: "plugin not read"
    case .validated: "plugin not accepted"
    case .scanned: "plugin not scanned"
    case .loaded: "plugin not loaded"
    case .registered: "plugin not registered"
    }
  }
}

extension PluginProblem.Cause {
  var message: String {
    switch self {
    case .invalidName(let name):
      "'\(name)' can't be the name of a plugin"
    case .notFound(let name?, _):
      "no file 'lib\(name).so' on the plugin path"
    case .notFound(nil, let tried):
      tried.first.map { errorText($0.error) } ?? "no such file"
    case .notBuilt(let failure):
      failure.message
    case .notAsBuilt:
      "its bytes are not those that it was built with"
    case .notAFile(let kind):
      "this is \(kind.rawValue)"
    case .danglingLink(let target):
      "this is a link to '\(target)', which does not exist"
    case .linkLoop:
      "this link leads back to itself"
    case .unreadable(let error):
      "the system refuses: \(errorText(error))"
    case .writable(let path, let weakness):
      "other users can change '\(path)', which \(weakness.words)"
    case .empty:
      "the file is empty"
    case .tooLarge(let size, let limit):
      "the file has \(size) bytes, and \(limit) is the limit"
    case .changedWhileRead:
      "the file changed while it was read"
    case .notALibrary(let problem):
      problem.message
    case .noEntry:
      "it exports no function 'appcore_plugin_<Name>'"
    case .severalEntries(let names):
      "it exports \(names.count) entries instead of one"
    case .otherName(let name, let expected):
      "this is the plugin '\(name)', not '\(expected)'"
    case .noContract:
      "it does not say which SDK it was built against"
    case .ownSDK:
      "it holds a copy of the SDK instead of using the host's"
    case .contractMismatch:
      "built against another SDK"
    case .missingSDKSymbols(let symbols):
      "it needs \(counted(symbols.count, "symbol")) that this host's SDK lacks"
    case .needsPlugin(let name, let library):
      "it is linked to '\(library)', which is the plugin '\(name)'"
    case .otherDependency(let library, let loaded):
      "it brings along '\(library)', which differs from the one already loaded from '\(loaded)'"
    case .brokenDependency(let library, let problem):
      "it needs '\(library)', and there \(problem.message)"
    case .unreadableDependency(let library, let path, let reason):
      "it needs '\(library)', and '\(path)' can't be used: \(reason)"
    case .unnamedLibrary(let library, let path):
      "it needs '\(library)', and no copy of '\(path)' would be found by that name"
    case .searchPath("", _):
      "its search path for libraries has an empty element, which is the current folder"
    case .searchPath(let element, .currentFolder):
      "it searches for libraries at '\(element)', which depends on the current folder"
    case .searchPath(let element, .token(let token)):
      "it searches for libraries at '\(element)', and each system reads '\(token)' in its own way"
    case .filter(let library):
      "it is a filter for '\(library)', which the loader would load in its place"
    case .scanNotStarted(let executable, let error):
      "'\(executable)' can't be started: \(errorText(error))"
    case .scannerUnfit(let executable, let reason, _):
      "'\(executable)' does not scan plugins: \(reason)"
    case .scanSignal(let signal, let step, _):
      "it ended the scanning process with signal \(signal) (\(signalName(signal))) \(step.words)"
    case .scanStatus(let status, let step, _):
      "it ended the scanning process with status \(status) \(step.words)"
    case .scanTimeout(let time, let step, _):
      "it took more than \(seconds(time)) \(step.words)"
    case .scanFlood(let limit, let step, _):
      "it wrote more than \(limit) bytes \(step.words)"
    case .scanMemory(let use, let limit, let step, _):
      "it took \(use >> 20) MiB of memory \(step.words), where \(limit >> 20) MiB is the limit"
    case .scanOutput(let reason):
      "what it sent can't be understood: \(reason)"
    case .notCopied(let folder, let error):
      "no private copy can be made in '\(folder)': \(errorText(error))"
    case .notExecutable(let folder):
      "the system runs no code from '\(folder)', where its private copy is"
    case .libraryNotFound(let library):
      "it needs '\(library)', which is not found"
    case .undefinedSymbols(let symbols):
      "it needs \(counted(symbols.count, "symbol")) that nothing defines"
    case .loader(let text):
      "the loader refuses: \(text)"
    case .entryNotLoaded(let symbol):
      "the loader does not find '\(symbol)'"
    case .tooManyMappings(let count, let limit):
      "the program has \(count) of at most \(limit) mappings of memory, and a plugin needs some"
    case .mappedOther(let path):
      "with it the loader has loaded '\(path)', which other users can change"
    case .registration(let reason):
      reason
    case .duplicate(let name, let other):
      "this is the plugin '\(name)', and '\(other)' is that already"
    case .otherThanScanned:
      "it says something else of itself than it said when it was scanned"
    case .changedSinceChecked:
      "the file has changed since the manifest was checked"
    }
  }

  var details: [String] {
    switch self {
    case .notFound(_?, let tried):
      tried.map { attempt in
        let quiet = attempt.error == ENOENT || attempt.error == ENOTDIR
        return "tried: \(attempt.path)" + (quiet ? "" : " (\(errorText(attempt.error)))")
      }
    case .notBuilt(let failure):
      failure.details
    case .severalEntries(let names):
      names.map { "entry: appcore_plugin_\($0)" }
    case .contractMismatch(let plugin, let host):
      ["plugin: \(plugin)", "host:   \(host)"]
    case .missingSDKSymbols(let symbols), .undefinedSymbols(let symbols):
      symbols.prefix(Self.symbolsShown).map { "symbol: \(Demangler.readable($0))" }
        + (symbols.count > Self.symbolsShown
          ? ["and \(counted(symbols.count - Self.symbolsShown, "other"))"] : [])
    case .scanSignal(_, _, let tail), .scanStatus(_, _, let tail), .scanTimeout(_, _, let tail),
      .scanFlood(_, _, let tail), .scanMemory(_, _, _, let tail), .scannerUnfit(_, _, let tail):
      Self.words(of: tail).suffix(5).map { "stderr: \($0)" }
    default: []
    }
  }

  private static var symbolsShown: Int { 8 }

  /// The lines of a standard error, without the stack trace that Swift's runtime puts after its
  /// words: of this program's own addresses it says nothing that helps.
  private static func words(of tail: String) -> ArraySlice<Substring> {
    let lines = tail.split(whereSeparator: \.isNewline)
    let words = lines.prefix { $0 != "Current stack trace:" }
    return words.isEmpty ? lines[...] : words
  }
}

extension FileTrust.Weakness {
  var words: String {
    switch self {
    case .owner(let user): "belongs to the user \(user)"
    case .everybody(let mode): "is writable for everybody (mode \(Self.octal(mode)))"
    case .group(let group, let mode):
      "is writable for the group \(group) (mode \(Self.octal(mode)))"
    }
  }

  /// How `chmod` and `stat` write permissions.
  private static func octal(_ mode: UInt32) -> String {
    let digits = String(mode, radix: 8)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension ScanStep {
  var words: String {
    switch self {
    case .load: "while it was loaded"
    case .ask: "while it was asked for its features"
    }
  }
}

/// The text with its control characters shown as symbols: paths, symbols and what a plugin wrote
/// could otherwise move a terminal's cursor or add lines.
private func printable(_ text: String) -> String {
  guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
    return text
  }
  var result = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    let isControl = scalar.properties.generalCategory == .control
    // U+2400 and on are pictures of the 32 ASCII controls.
    let picture = scalar.value < 0x20 ? Unicode.Scalar(0x2400 + scalar.value) : "\u{FFFD}"
    result.append(isControl ? picture ?? "\u{FFFD}" : scalar)
  }
  return String(result)
}

func counted(_ count: Int, _ noun: String) -> String {
  count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
}

func errorText(_ error: Int32) -> String {
  guard let text = strerror(error) else { return "error \(error)" }
  let words = String(cString: text)
  return words.prefix(1).lowercased() + words.dropFirst()
}

private func seconds(_ time: Duration) -> String {
  let (whole, rest) = time.components
  let milliseconds = rest / 1_000_000_000_000_000
  return milliseconds == 0 ? "\(whole) s" : "\(whole * 1000 + milliseconds) ms"
}

/// The name that `kill -l` prints, with its prefix.
private func signalName(_ signal: Int32) -> String {
  switch signal {
  case SIGABRT: "SIGABRT, aborted"
  case SIGBUS: "SIGBUS, bus error"
  case SIGFPE: "SIGFPE, arithmetic error"
  case SIGHUP: "SIGHUP, hangup"
  case SIGILL: "SIGILL, illegal instruction"
  case SIGINT: "SIGINT, interrupted"
  case SIGKILL: "SIGKILL, killed"
  case SIGPIPE: "SIGPIPE, broken pipe"
  case SIGSEGV: "SIGSEGV, invalid memory access"
  case SIGSYS: "SIGSYS, a system call that reaches another process"
  case SIGTERM: "SIGTERM, terminated"
  case SIGTRAP: "SIGTRAP, trap"
  case SIGXCPU: "SIGXCPU, processor time used up"
  default: "unnamed"
  }
}
