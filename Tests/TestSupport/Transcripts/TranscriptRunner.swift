internal import Foundation

/// Runs the commands of a Markdown file and compares what they print with what it says.
///
/// In the order of the file: a block whose first line is a comment with a file's name is written to
/// the transcript's folder, and each command of a `console` block is run there by a shell of its own.
package struct TranscriptRunner {
  /// Why a transcript fails: its place, and what differs.
  package struct Failure: CustomStringConvertible, Sendable {
    package let place: String
    package let text: String
    /// Whether `RECORD=1` makes what was printed the expectation.
    package var isRecordable = false
    package var description: String { "\(place): \(text)" }
  }

  /// The file, as a path from the checkout's root folder.
  package let file: String
  /// Whether a command's ending has to be there where it is not 0: in transcripts, not in documents.
  package let showsEndings: Bool
  /// The time after which a command is killed, in seconds.
  package let timeout: Int
  /// Makes the folder in which the commands are run.
  private let makeFolder: @Sendable () throws -> TranscriptFolder

  package init(
    file: String, showsEndings: Bool, timeout: Int = 300,
    folder: @escaping @Sendable () throws -> TranscriptFolder = { try TranscriptFolder() }
  ) {
    self.file = file
    self.showsEndings = showsEndings
    self.timeout = timeout
    makeFolder = folder
  }

  /// Runs the file's commands.
  ///
  /// - Returns: what differs, and the file's text with what was printed. A command that ends otherwise
  ///   than the file says keeps its lines, so that recording never makes a failure what is expected.
  package func run(_ text: String) async throws -> (failures: [Failure], recorded: String) {
    let blocks = CodeBlock.all(in: file, text: text)
    if let tool = missingTool(in: text) {
      let place = "\(file):1"
      return ([Failure(place: place, text: "needs '\(tool)', which is not installed")], text)
    }
    let folder = try makeFolder()
    var failures: [Failure] = []
    var lines = text.components(separatedBy: "\n")
    var recordings: [(Range<Int>, [String])] = []
    var commandCount = 0
    for block in blocks {
      if let name = block.fileName, !block.language.hasPrefix("console") {
        try folder.write(block, name: name)
      }
      // What needs the sources is not run in an installed tree.
      let isOfCheckout = block.language == "console checkout" && !folder.isInstalled
      guard block.language == "console" || isOfCheckout else { continue }
      let commands = TranscriptCommand.all(in: block)
      commandCount += commands.count
      if commands.first?.line != block.line + 1 {
        failures.append(Failure(place: "\(block)", text: "a console block begins with '$ '"))
      }
      for command in commands {
        let output = try await folder.output(of: command.text, timeout: timeout)
        let (failure, recorded) = compare(command, output)
        if let failure { failures.append(failure) }
        let first = command.line - 1 + command.source.count
        recordings.append((first..<first + command.expected.count, recorded))
      }
    }
    if showsEndings, commandCount == 0 {
      failures.append(Failure(place: "\(file):1", text: "has no command"))
    }
    for (range, recorded) in recordings.reversed() { lines.replaceSubrange(range, with: recorded) }
    return (failures, lines.joined(separator: "\n"))
  }

  private func compare(
    _ command: TranscriptCommand, _ output: TranscriptOutput
  ) -> (Failure?, recorded: [String]) {
    let place = "\(file):\(command.line)"
    var printed = output.lines
    if let ending = output.endingLine, showsEndings { printed.append(ending) }
    let comparison = OutputComparison(expected: command.expected, printed: printed)
    if let reason = refusal(command, output) {
      let failure = "\(reason)\n\(comparison.difference)"
      return (Failure(place: place, text: failure), command.expected)
    }
    guard !comparison.isEqual else { return (nil, command.expected) }
    let text = "prints something else; RECORD=1 writes what it prints\n\(comparison.difference)"
    return (Failure(place: place, text: text, isRecordable: true), comparison.recorded)
  }

  /// Why what a command printed may not be recorded; `nil` if it may.
  private func refusal(_ command: TranscriptCommand, _ output: TranscriptOutput) -> String? {
    switch output.ending {
    case .killed(let seconds): return "did not end within \(seconds) s; it had printed:"
    case .status(127): return "runs a program that is not installed:"
    case .signal(let number) where command.expectedEnding != output.endingLine:
      return "was ended by signal \(number):"
    case .status(let status)
    where showsEndings && !command.expected.isEmpty && command.expectedEnding != output.endingLine:
      return "ends with \(status); if that is right, write or remove its line '[exit …]':"
    case .status, .signal: return nil
    }
  }

  /// The first program that a line `Needs: TOOL, TOOL.` names and that is not installed.
  private func missingTool(in text: String) -> String? {
    guard let match = text.firstMatch(of: /(?m)^Needs: (.+)\.$/) else { return nil }
    return match.1.split(separator: ", ").map(String.init).first { Program.find($0) == nil }
  }
}
