internal import LineEditor
internal import Shell
internal import Support

/// The history of the lines typed at a terminal, and the file that stores it, if there is one.
struct TypedHistory {
  private(set) var lines = History()
  private var file: HistoryFile?
  /// Why lines can't be stored; `nil` once that was reported.
  private var failure: HistoryFile.Failure?

  /// Reads the history from a file; if `path` is `nil`, the history is in memory only.
  init(path: String?) {
    guard let path else { return }
    var file = HistoryFile(path: path)
    lines = file.load()
    self.file = file
  }

  /// Adds the lines that other processes have stored; returns whether there were any.
  mutating func refresh() -> Bool {
    let news = file?.news() ?? []
    for line in news { lines.add(line) }
    return !news.isEmpty
  }

  /// Adds and stores a line, unless it begins with a space or a tab.
  mutating func add(_ line: String) {
    guard let first = line.first, first != " ", first != "\t" else { return }
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
  mutating func takeFailure() -> String? {
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
      let number = String(index + 1)
      return String(repeating: " ", count: width - number.count) + number + "  "
        + SafeText.line(line)
    }
  }

  /// The line that `:again NUMBER` sends.
  ///
  /// - Parameter number: the line's number, counted from 1, as ``listing(holding:)`` prints it.
  /// - Returns: the line.
  /// - Throws: ``NotRepeatable`` if there is no such line, or if it is an `:again` itself, which
  ///   could repeat itself endlessly.
  func repeatedLine(_ number: Int) throws(NotRepeatable) -> String {
    let all = lines.lines
    guard all.indices.contains(number - 1) else { throw .missing(number) }
    let line = all[number - 1]
    if case .command(.again) = try? LineParser().parse(line) { throw .again(number) }
    return line
  }
}

/// The reason why `:again` sends nothing.
enum NotRepeatable: Error, CustomStringConvertible {
  /// The history has no line with this number.
  case missing(Int)
  /// The line with this number is an `:again` itself.
  case again(Int)

  var description: String {
    switch self {
    case .missing(let number):
      "✗ the history has no line \(number); ':history' lists them"
    case .again(let number):
      "✗ line \(number) of the history is an ':again' itself, which can't be repeated"
    }
  }
}
