internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Shell
internal import Support

/// Where the lines come from.
enum ScriptSource: Hashable {
  /// Standard input: a person, or a pipe.
  case input
  case file(String, descriptor: Int32)
  /// Given as an argument.
  case text(String)

  /// Opens a script's file, or takes the lines that were given.
  ///
  /// - Throws: exit status 66 where the file can't be opened, after telling why.
  init(file: String?, lines: [String]) throws {
    if !lines.isEmpty {
      self = .text(lines.joined(separator: "\n"))
      return
    }
    guard let file, file != "-" else {
      self = .input
      return
    }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      Console.printError(
        "appcore: can't read '\(SafeText.line(file))': \(reason); name a script that exists")
      throw ExitCode(66)
    }
    self = .file(file, descriptor: descriptor)
  }

  /// The script's name in messages; `nil` for standard input.
  var name: String? {
    switch self {
    case .input: nil
    case .file(let path, _): path
    case .text: "-c"
    }
  }

  /// Whether a line may refer to past steps, as any line of a pipe or a terminal may.
  var mayRewind: Bool {
    switch self {
    case .input: Self.mayRewind(STDIN_FILENO)
    case .file(_, let descriptor): Self.mayRewind(descriptor)
    case .text(let text): CommandName.mayNeedTimeline(text.utf8)
    }
  }

  /// Looks through a file, from where it will be read, without reading it.
  private static func mayRewind(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return true }
    let start = max(0, lseek(descriptor, 0, SEEK_CUR))
    // Scripts are shorter; a longer one is not looked through twice.
    let count = Int(status.st_size - start)
    guard (0...1 << 24).contains(count) else { return true }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, pread(descriptor, buffer.baseAddress, count, start))
    }
    return bytes.count < count || CommandName.mayNeedTimeline(bytes)
  }

  /// Reads the lines; those of standard input by way of what another process has read of them.
  func reader(_ spool: InputSpool? = nil) -> LineReader {
    switch self {
    case .input:
      if let spool {
        LineReader { buffer throws(InputOutputError) in
          try spool.read(STDIN_FILENO, into: buffer)
        }
      } else {
        LineReader(descriptor: STDIN_FILENO)
      }
    case .file(_, let descriptor): LineReader(descriptor: descriptor)
    case .text(let text): LineReader(text: text)
    }
  }
}
