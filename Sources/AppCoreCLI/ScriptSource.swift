internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Shell
internal import Supervision
internal import Support

/// The source of the lines that a command runs.
enum ScriptSource: Hashable {
  /// Standard input: a person, or a pipe.
  case input
  case file(String, descriptor: Int32)
  case text(String)

  /// Opens the script's file, unless lines are given or the file is standard input.
  ///
  /// - Throws: ``CommandError`` with exit status 66 if the file can't be opened.
  init(_ options: LineOptions) throws {
    if !options.lines.isEmpty {
      self = .text(options.lines.joined(separator: "\n"))
      return
    }
    guard let file = options.script, file != "-" else {
      self = .input
      return
    }
    self = .file(file, descriptor: try Self.held ?? Self.openFile(file))
  }

  /// The script that the supervisor has opened for its workers.
  ///
  /// Set once, before other threads exist.
  private nonisolated(unsafe) static var held: Int32?

  /// Opens the script for all workers of a supervisor, unless it is a regular file.
  ///
  /// A FIFO loses its bytes while no process has it open, as between two workers.
  ///
  /// - Throws: ``CommandError`` with exit status 66 if the file can't be opened.
  static func hold(_ options: LineOptions) throws {
    guard options.lines.isEmpty, let file = options.script, file != "-",
      FilePath.status(file)?.isRegular == false
    else { return }
    held = try openFile(file)
  }

  private static func openFile(_ file: String) throws -> Int32 {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw CommandError(
        "can't read '\(file)': \(SystemError(errno)); name a script that exists", exitStatus: 66)
    }
    return descriptor
  }

  /// The script's name in messages; `nil` for standard input.
  var name: String? {
    switch self {
    case .input: nil
    case .file(let path, _): path
    case .text: "-c"
    }
  }

  /// Whether a person types at a terminal and sees the screens there.
  var isInteractive: Bool {
    self == .input && isatty(STDIN_FILENO) == 1 && isatty(StandardOutput.descriptor) == 1
  }

  /// Whether a line may refer to past steps; true if the lines are not known yet.
  var mayRewind: Bool {
    switch self {
    case .input: Self.mayRewind(STDIN_FILENO)
    case .file(_, let descriptor): Self.mayRewind(descriptor)
    case .text(let text): ShellCommand.mayNeedTimeline(text.utf8)
    }
  }

  /// Searches a regular file from its current offset, without moving the offset.
  private static func mayRewind(_ descriptor: Int32) -> Bool {
    guard let status = Descriptor.status(descriptor), status.isRegular else { return true }
    let start = max(0, lseek(descriptor, 0, SEEK_CUR))
    // Above 16 MiB assume that a line may: searching reads the whole file a second time.
    let count = Int(status.st_size - start)
    guard (0...1 << 24).contains(count) else { return true }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, start))
    }
    return bytes.count < count || ShellCommand.mayNeedTimeline(bytes)
  }

  /// Whether each worker process reads the lines from the first one on.
  ///
  /// Others can be read only once: what a worker has read is in the spool for the next one.
  var isRepeatable: Bool {
    switch self {
    case .input: false
    case .file(_, let descriptor): Descriptor.status(descriptor)?.isRegular == true
    case .text: true
    }
  }

  /// Creates a reader of the lines.
  ///
  /// If a spool is given, the lines begin with what an earlier worker process has read but not run.
  func reader(_ spool: InputSpool? = nil) -> LineReader {
    let descriptor: Int32
    switch self {
    case .input: descriptor = STDIN_FILENO
    case .file(_, let file): descriptor = file
    case .text(let text): return LineReader(text: text)
    }
    guard let spool else { return LineReader(descriptor: descriptor) }
    return LineReader { count throws(InputOutputError) in
      try spool.read(descriptor, atMost: count)
    }
  }
}

extension ScriptSource {
  /// Keeps standard input from ending where that ends by itself, as `/dev/null` does, and a FIFO whenever
  /// no program has it open for writing.
  ///
  /// A pipe between two programs still ends with the first one.
  static func keepInputOpen() {
    let link = "/proc/self/fd/\(STDIN_FILENO)"
    let path = FilePath.linkTarget(link)
    if Descriptor.status(STDIN_FILENO)?.isFIFO == true, path?.hasPrefix("/") == true {
      _ = open(link, O_WRONLY | O_CLOEXEC)
    } else if path == "/dev/null", let (reading, _) = Descriptor.pipe() {
      dup2(reading, STDIN_FILENO)
      close(reading)
    }
  }
}

extension SessionSettings {
  /// The settings for lines from a source, and screens on standard output.
  init(_ source: ScriptSource, isJSON: Bool, isPlain: Bool, includesCauses: Bool = false) {
    let facts = TerminalFacts(descriptor: StandardOutput.descriptor)
    self.init(
      format: isJSON ? .json : .text(isPlain ? .linear : facts.style),
      isInteractive: source.isInteractive && !isJSON, width: facts.width)
    if isInteractive { windowRows = facts.height }
    self.includesCauses = includesCauses
    scriptName = source.name
    errorStyle = isPlain ? .linear : TerminalFacts(descriptor: STDERR_FILENO).style
  }
}
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
}
