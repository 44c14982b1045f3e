internal import LineEditor
internal import Shell

/// The content of a terminal: a screen, the output since then, and below it the line editor.
///
/// It collects changes, and returns the text to write for all of them at once.
struct TerminalDisplay {
  private(set) var size: TerminalSize
  private(set) var screenNumber = 0
  /// The number of events when the last shown screen was rendered: the user has been notified of
  /// them.
  private(set) var seenEventCount = 0
  /// The lines that may contain a secret while the latest screen is shown.
  private(set) var privacy = LinePrivacy.none
  /// Whether to clear the terminal and draw from its top, at the next ``paint(_:)``.
  var isCleared = false

  /// A message above the line editor about work in progress; `nil` for none.
  var status: String?

  private var region: TerminalRegion
  /// Whether the screen is shown; `false` if later output has scrolled it off the terminal.
  private var isShown = false
  /// The latest screen, shown or not.
  private var latest: TerminalFrame?
  /// The part of the latest screen that fits.
  private var window = ScreenWindow()
  /// The number of rows below a screen: one for the line editor, and one for a message above it.
  private static let rowsBelow = 2
  /// The rows below the screen: lines that were typed, and output.
  private var outputRows: [String] = []
  /// Text to write before everything else.
  private var pending = ""
  /// Whether rows that no longer fit go into the scrollback at the next ``paint(_:)``.
  private var scrolls = true

  init(size: TerminalSize) {
    self.size = size
    region = TerminalRegion(size: size)
  }

  /// Whether a part of the screen that has been scrolled off the terminal has changed.
  var isStale: Bool { region.isStaleAbove || !isShown }

  /// Shows a new screen below the existing content.
  mutating func show(_ new: TerminalFrame) {
    if isShown || !outputRows.isEmpty { leaveBehind() }
    isShown = true
    window.show(content(of: new), height: height, isAnswer: true)
    (latest, screenNumber, scrolls) = (new, new.number, true)
    (seenEventCount, privacy) = (new.eventCount, new.privacy)
  }

  /// Replaces the screen in place; an older screen is ignored.
  mutating func update(_ new: TerminalFrame) {
    guard new.number >= screenNumber else { return }
    (latest, privacy) = (new, new.privacy)
    window.show(content(of: new), height: height, isAnswer: false)
    guard isShown else { return }
    (screenNumber, seenEventCount) = (new.number, new.eventCount)
  }

  /// Shows the part of the screen above or below the one that is shown, if there is one.
  mutating func scroll(back: Bool) { if isShown { window.scroll(back: back, height: height) } }

  /// Adds rows below the screen, for example a line that was typed.
  mutating func add(_ rows: [String]) {
    outputRows += rows
    scrolls = true
    guard outputRows.count >= size.rows else { return }
    // They have scrolled the screen off the terminal, where it can't be updated.
    leaveBehind()
    isShown = false
  }

  /// Adds lines below the screen, for example the output of a command; lines that are too long are
  /// split into rows.
  mutating func add(lines: [String]) { add(TerminalRows.of(lines, columns: size.columns)) }

  /// Leaves all rows as they are, to draw below them.
  private mutating func leaveBehind() {
    let rows = rows()
    pending += region.paint(rows + [""], cursor: (rows.count, 0), grows: true)
    region.forget()
    outputRows = []
  }

  /// Returns the text to write to show everything, with `editor` or an empty row at the bottom.
  mutating func paint(_ editor: EditorView?) -> String {
    if isCleared {
      pending += region.clear()
      window.isWhole = true
      (isShown, outputRows, isCleared, scrolls) = (true, [], false, true)
    }
    let above = rows() + TerminalRows.of(status.map { [$0] } ?? [], columns: size.columns)
    let view = editor ?? .empty
    let text = region.paint(
      above + view.rows, cursor: (above.count + view.cursor.row, view.cursor.column),
      grows: scrolls)
    scrolls = false
    defer { pending = "" }
    return pending + text
  }

  /// Returns the text to write to leave everything as it is, with the cursor on a new row.
  mutating func leave(editor: [String]) -> String {
    let all = rows() + editor
    defer { pending = "" }
    let last = max(all.count - 1, 0)
    return pending + region.paint(all.isEmpty ? [""] : all, cursor: (last, 0), grows: true)
      + region.leave()
  }

  /// Redraws the latest screen at the cursor, at the next ``paint(_:)``.
  mutating func redraw() {
    region.forget()
    isShown = true
    outputRows = []
    scrolls = true
  }

  /// Adapts to a new size; everything is redrawn at the next ``paint(_:)``.
  mutating func resize(_ new: TerminalSize) {
    pending += region.resize(new)
    size = new
    scrolls = true
    if let latest { window.show(content(of: latest), height: height, isAnswer: false) }
  }

  private func rows() -> [String] {
    (isShown ? window.rows(height: height, columns: size.columns) : [])
      + TerminalRows.of(outputRows, columns: size.columns)
  }

  /// The number of rows that a screen may have.
  private var height: Int { max(size.rows - Self.rowsBelow, 1) }

  /// A screen in rows of the terminal.
  private func content(of frame: TerminalFrame) -> ScreenRows {
    var content = ScreenRows()
    content.owner = frame.owner
    // The first row of each line, and the end.
    var starts: [Int] = []
    for line in frame.lines {
      starts.append(content.rows.count)
      content.rows += TerminalRows.of([line], columns: size.columns)
    }
    starts.append(content.rows.count)
    func rows(_ lines: Range<Int>) -> Range<Int> {
      let lines = lines.clamped(to: 0..<frame.lines.count)
      return starts[lines.lowerBound]..<starts[lines.upperBound]
    }
    content.headerCount = rows(0..<frame.layout.headerCount).upperBound
    content.controls = frame.layout.controls.map { ($0.numbers, rows($0.lines)) }
    content.focus = frame.layout.focus.map(rows)
    return content
  }
}
