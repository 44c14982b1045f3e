internal import LineEditor
internal import Shell
internal import Support

/// The history of the lines typed at a terminal, and the file that stores it, if there is one.
///
/// The loop adds lines, and the line editor looks them up.
final class TypedHistory {
  private(set) var lines = History()
  private var file: HistoryFile?
  /// Why lines can't be stored; `nil` once that was reported.
  private var failure: HistoryFile.Failure?
  /// Whether lines are looked up again, by keys or commands.
  private let keepsLines: Bool

  /// Reads the history from a file; if `path` is `nil`, the history is in memory only, and unless
  /// lines are to be kept it is empty.
  init(path: String?, keepsLines: Bool = true) {
    self.keepsLines = keepsLines
    guard let path else { return }
    var file = HistoryFile(path: path)
    lines = file.load()
    self.file = file
  }

  /// Adds the lines that other processes have stored; returns whether there were any.
  func refresh() -> Bool {
    let news = file?.news() ?? []
    for line in news { lines.add(line) }
    return !news.isEmpty
  }

  /// Adds and stores a line, unless it begins with a space or a tab.
  func add(_ line: String) {
    guard keepsLines, let first = line.first, first != " ", first != "\t" else { return }
    lines.add(line)
    do throws(HistoryFile.Failure) {
      try file?.append(line)
    } catch {
      // Reported once; from now on the history is in memory only.
      file = nil
      failure = error
    }
  }

  /// Returns why lines can no longer be stored, the first time it is called after a failure;
  /// otherwise `nil`.
  func takeFailure() -> String? {
    defer { failure = nil }
    return failure?.description
  }

  /// The output of `:history`: the last 20 lines that contain `text`, ignoring case, with their
  /// numbers.
  func listing(holding text: String?) -> [String] {
    let wanted = text?.lowercased()
    let found = lines.lines.enumerated().filter { _, line in
      wanted.map { line.lowercased().contains($0) } ?? true
    }
    guard !found.isEmpty else { return ["(no such line was typed)"] }
    let shown = found.suffix(20)
    let width = shown.last.map { String($0.offset + 1).count } ?? 1
    return shown.map { index, line in
      TextLayout.pad(String(index + 1), to: width, trailing: true) + "  " + SafeText.line(line)
    }
  }

  /// The line that `:again NUMBER` sends, with the number that ``listing(holding:)`` prints; `nil` if
  /// there is none, with the reason.
  func repeatedLine(_ number: Int) -> (line: String?, reason: String) {
    let all = lines.lines
    guard all.indices.contains(number - 1) else {
      return (nil, "✗ the history has no line \(number); ':history' lists them")
    }
    // An `:again` could repeat itself endlessly.
    if case .command(.again) = try? LineParser().parse(all[number - 1]) {
      return (
        nil, "✗ line \(number) of the history is an ':again' itself, which can't be repeated"
      )
    }
    return (all[number - 1], "")
  }
}
