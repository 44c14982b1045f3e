/// A package's description, unfolded by the rules of the Debian Policy Manual.
struct PackageDescription: Hashable, Sendable {
  /// A part of the long text.
  enum Paragraph: Hashable, Sendable {
    /// Running text, with its lines joined, which may be wrapped anywhere.
    case text(String)
    /// Lines that must be shown unchanged, with their indentation, such as a list.
    case verbatim([String])
  }

  /// The first line; empty if there is none.
  private(set) var summary = ""
  private(set) var paragraphs: [Paragraph] = []

  /// The long text, with an empty line between paragraphs.
  var longText: String {
    let texts = paragraphs.map { paragraph in
      switch paragraph {
      case .text(let text): text
      case .verbatim(let lines): lines.joined(separator: "\n")
      }
    }
    return texts.joined(separator: "\n\n")
  }

  /// A description without any text.
  init() {}

  /// Unfolds the value of a `Description` field.
  ///
  /// A line with a single dot is an empty line. A line that is indented by more than one character
  /// is verbatim. All other lines are joined.
  init(_ bytes: Bytes, _ value: Range<Int>) {
    summary = bytes.text(bytes.firstLine(value))
    var running: [String] = []
    var verbatim: [String] = []
    var position = bytes.firstPosition(of: .newline, in: value) + 1
    while position < value.upperBound {
      let lineEnd = bytes.firstPosition(of: .newline, in: position..<value.upperBound)
      let line = bytes.trimmed(position..<lineEnd)
      let isEmpty = line.isEmpty || (line.count == 1 && bytes[line.lowerBound] == UInt8(ascii: "."))
      let isIndented = !isEmpty && line.lowerBound > position + 1
      if isEmpty || isIndented { closeText(&running) }
      if !isIndented { closeVerbatim(&verbatim) }
      if isIndented {
        verbatim.append(bytes.text(position + 1..<line.upperBound))
      } else if !isEmpty {
        running.append(bytes.text(line))
      }
      position = lineEnd + 1
    }
    closeText(&running)
    closeVerbatim(&verbatim)
  }

  private mutating func closeText(_ lines: inout [String]) {
    if !lines.isEmpty { paragraphs.append(.text(lines.joined(separator: " "))) }
    lines = []
  }

  private mutating func closeVerbatim(_ lines: inout [String]) {
    if !lines.isEmpty { paragraphs.append(.verbatim(lines)) }
    lines = []
  }
}
