public import Support

public enum Help {
  /// The description of `command` or, if it is `nil`, an overview of the syntax of lines and of
  /// `commands`; without newlines.
  public static func lines(
    _ command: ShellCommand? = nil, commands: Set<ShellCommand>, width: Int, style: Style = .plain
  ) -> [String] {
    let width = max(min(width, TextFrame.maximumTextWidth), 20)
    let lines =
      command.map { about($0, width: width) } ?? overview(commands: commands, width: width)
    return lines.map { $0.text(style) }
  }

  private static let lineForms = [
    ("N [VALUE]", "the control with a number, as '3' or '3 text'"),
    ("@ID [VALUE]", "the control with an identifier, on any page"),
    ("LABEL [= VALUE]", "the control with a label, on any page"),
    ("N <<END", "the lines that follow, up to END, are the value"),
    ("# TEXT", "a comment"),
  ]

  private static func overview(commands: Set<ShellCommand>, width: Int) -> [StyledLine] {
    let entries = ShellCommand.all.filter(commands.contains).map { ($0.usage, $0.summary) }
    let column = (lineForms + entries).map(\.0.count).filter { $0 <= longestBeside }.max() ?? 0
    return [StyledLine("Controls", .strong)] + columns(lineForms, column, width)
      + [StyledLine(), StyledLine("Commands", .strong)] + columns(entries, column, width)
      + [StyledLine()]
      + StyledLine.wrap(
        "A value in double quotes is read as a JSON string: \"\" is the empty text.", to: width,
        .dim)
  }

  /// The maximum length of a syntax beside its description; a longer one is on its own line.
  private static let longestBeside = 18

  private static func columns(
    _ entries: [(String, String)], _ column: Int, _ width: Int
  ) -> [StyledLine] {
    entries.flatMap { usage, text in
      let isBeside = usage.count <= column
      let text = TextLayout.wrap(text, to: max(width - column - 4, 12))
      return (isBeside ? [] : [StyledLine("  " + usage, .number)])
        + StyledLine.columns(isBeside ? ["  " + usage] : [], .number, width: column + 2, text)
    }
  }

  private static func about(_ command: ShellCommand, width: Int) -> [StyledLine] {
    let summary = command.summary.prefix(1).uppercased() + command.summary.dropFirst() + "."
    return [StyledLine(command.usage, .number)]
      + ([summary] + command.details).flatMap { paragraph in
        StyledLine.wrap(paragraph, to: width - 2).map { StyledLine("  ") + $0 }
      }
  }
}
