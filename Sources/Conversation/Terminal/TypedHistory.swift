internal import LineEditor
internal import Support

/// The history of a terminal, with its file where it has one.
struct TypedHistory {
  private(set) var lines = History()
  private var file: HistoryFile?
  /// Why lines can't be kept, until it was shown.
  private var failure: HistoryFile.Failure?

  /// Reads the history of a file; `nil` keeps lines for this session only.
  init(path: String?) {
    guard let path else { return }
    var file = HistoryFile(path: path)
    lines = file.load()
    self.file = file
  }

  /// Takes in what other shells have typed; whether there was anything.
  mutating func refresh() -> Bool {
    let news = file?.news() ?? []
    for line in news { lines.add(line) }
    return !news.isEmpty
  }

  /// Keeps a line; those that begin with a space are not kept.
  mutating func add(_ line: String) {
    guard let first = line.first, first != " ", first != "\t" else { return }
    lines.add(line)
    do throws(HistoryFile.Failure) {
      try file?.append(line)
    } catch {
      // Told once: the session continues without.
      file = nil
      failure = error
    }
  }

  /// Why lines are not kept any more, once.
  mutating func takeFailure() -> String? {
    defer { failure = nil }
    return failure?.description
  }

  /// What `:history` prints.
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

  /// The line with a number of the listing.
  func line(number: Int) -> String? {
    let all = lines.lines
    return all.indices.contains(number - 1) ? all[number - 1] : nil
  }
}
