package import Foundation

/// A command of a `console` block, with what it is expected to print.
///
/// A command begins with `$ `. The lines after it that begin with `>` continue it, as a shell's second
/// prompt shows them. The other lines up to the next command are its output; a last line such as
/// `[exit 65]` or `[signal 9]` says how it ends where that is not with 0.
package struct TranscriptCommand: Sendable {
  /// The line of the file that the command is on, counted from 1.
  package let line: Int
  /// The command's lines as the file has them.
  package let source: [String]
  /// The lines that it is expected to print.
  package let expected: [String]

  /// The command as the shell reads it.
  package var text: String {
    source.map { $0.dropFirst(2) }.joined(separator: "\n")
  }

  /// The line that says how the command is expected to end; `nil` where it is to end with 0.
  package var expectedEnding: String? {
    expected.last.flatMap { $0.contains(/^\[(exit|signal) \d+\]$/) ? $0 : nil }
  }

  /// The commands of a block.
  package static func all(in block: CodeBlock) -> [TranscriptCommand] {
    var commands: [TranscriptCommand] = []
    var index = 0
    while index < block.lines.count {
      guard block.lines[index].hasPrefix("$ ") else {
        index += 1
        continue
      }
      let start = index
      index += 1
      while index < block.lines.count, block.lines[index].hasPrefix(">") { index += 1 }
      let output = block.lines[index...].prefix { !$0.hasPrefix("$ ") }
      commands.append(
        TranscriptCommand(
          line: block.line + 1 + start, source: Array(block.lines[start..<index]),
          expected: Array(output)))
      index += output.count
    }
    return commands
  }
}

/// What a command of a transcript printed, and how it ended.
package struct TranscriptOutput: Sendable {
  /// How a command ended.
  package enum Ending: Equatable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// It was killed after this time, in seconds.
    case killed(after: Int)
  }

  package let ending: Ending
  /// Both streams as they came, without trailing spaces.
  package let lines: [String]

  /// The line that says how the command ended; `nil` for the status 0.
  package var endingLine: String? {
    switch ending {
    case .status(0): nil
    case .status(let status): "[exit \(status)]"
    case .signal(let number): "[signal \(number)]"
    case .killed(let seconds): "[killed after \(seconds) s]"
    }
  }

  /// Reads what was printed.
  ///
  /// NUL, other control characters and bytes that are not UTF-8 are shown as `\x00`; line feeds and
  /// tabs stay. The names take the place of texts that differ from run to run, such as the path of a
  /// folder; the longest text comes first.
  package init(ending: Ending, bytes: Data, names: [(text: String, name: String)] = []) {
    self.ending = ending
    var text = Self.escaped(bytes)
    for (part, name) in names { text = text.replacingOccurrences(of: part, with: name) }
    var lines = text.components(separatedBy: "\n")
    if lines.last == "" { lines.removeLast() }
    self.lines = lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
  }

  private static func escaped(_ bytes: Data) -> String {
    var text = ""
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    var offset = 0
    while true {
      switch decoder.decode(&iterator) {
      case .emptyInput: return text
      case .error:
        // The decoder has read up to the first byte that does not fit.
        text += hexadecimal(bytes[bytes.startIndex + offset])
        offset += 1
        decoder = UTF8()
        iterator = bytes.dropFirst(offset).makeIterator()
      case .scalarValue(let scalar):
        let isControl = scalar.properties.generalCategory == .control
        text +=
          isControl && scalar != "\n" && scalar != "\t"
          ? hexadecimal(UInt8(truncatingIfNeeded: scalar.value)) : String(scalar)
        offset += UTF8.width(scalar)
      }
    }
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return "\\x" + (digits.count < 2 ? "0" : "") + digits
  }
}
