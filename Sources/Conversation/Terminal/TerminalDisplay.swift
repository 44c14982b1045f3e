internal import LineEditor

/// What a terminal shows: a screen, what was said since, and below it the line that is typed.
///
/// It gathers what changes and gives it as one piece of text to be written.
struct TerminalDisplay {
  private(set) var size: TerminalSize
  /// The number of the screen that shows.
  private(set) var screenNumber = 0
  /// How many events there were when the screen was made that showed last: its notices were seen.
  private(set) var toldCount = 0
  /// Whether a line that is typed may hold a secret.
  private(set) var asksForSecrets = false
  /// Whether everything is to be drawn anew from the terminal's top.
  var isCleared = false

  /// What is in progress, in one line above the one that is typed; it is not kept.
  var status: String?

  private var region: TerminalRegion
  /// The screen; `nil` where what was said since has pushed it off the terminal.
  private var frame: [String]?
  private var latest: [String] = []
  /// Lines that were typed and what was said to them.
  private var said: [String] = []
  /// What is to be written before anything else.
  private var pending = ""
  private var grows = true

  init(size: TerminalSize) {
    self.size = size
    region = TerminalRegion(size: size)
  }

  /// Whether a part of the screen that has left the terminal has changed.
  var isStale: Bool { region.isStaleAbove || frame == nil }

  /// Shows a screen below everything that was there.
  mutating func show(_ new: ShownFrame) {
    if frame != nil || !said.isEmpty {
      pending += draw(rows() + [""], cursor: (rows().count, 0), grows: true)
      region.forget()
    }
    said = []
    frame = new.lines
    (latest, screenNumber, grows) = (new.lines, new.number, true)
    (toldCount, asksForSecrets) = (new.eventCount, new.asksForSecrets)
  }

  /// Shows what the screen has become, in its place.
  mutating func update(_ new: ShownFrame) {
    guard new.number >= screenNumber else { return }
    (latest, asksForSecrets) = (new.lines, new.asksForSecrets)
    guard frame != nil else { return }
    (frame, screenNumber, toldCount) = (new.lines, new.number, new.eventCount)
  }

  /// Adds rows that stay below the screen: a line that was typed.
  mutating func add(_ rows: [String]) {
    said += rows
    grows = true
    detach()
  }

  /// Adds lines that stay below the screen: what a command printed.
  mutating func add(lines: [String]) { add(TerminalRows.of(lines, columns: size.columns)) }

  /// A screen that has left the terminal is not followed any more.
  private mutating func detach() {
    guard said.count >= size.rows else { return }
    pending += draw(rows() + [""], cursor: (rows().count, 0), grows: true)
    region.forget()
    (frame, said) = (nil, [])
  }

  /// What to write so that everything shows, with the line as `editor` or an empty row.
  mutating func paint(_ editor: EditorView?) -> String {
    if isCleared {
      pending += region.clear()
      (frame, said, isCleared, grows) = (latest, [], false, true)
    }
    let above = rows() + TerminalRows.of(status.map { [$0] } ?? [], columns: size.columns)
    let view = editor ?? .empty
    let text = draw(
      above + view.rows, cursor: (above.count + view.cursor.row, view.cursor.column), grows: grows)
    grows = false
    defer { pending = "" }
    return pending + text
  }

  /// What to write to leave everything as it stands, the cursor on a row of its own.
  mutating func leave(editor: [String]) -> String {
    let all = rows() + editor
    defer { pending = "" }
    let last = max(all.count - 1, 0)
    return pending + draw(all.isEmpty ? [""] : all, cursor: (last, 0), grows: true)
      + region.leave()
  }

  /// Draws everything anew where the cursor is.
  mutating func redraw() {
    region.forget()
    if frame == nil { frame = latest }
    said = []
    grows = true
  }

  mutating func resize(_ new: TerminalSize) {
    pending += region.resize(new)
    size = new
    grows = true
  }

  private func rows() -> [String] {
    TerminalRows.of((frame ?? []) + said, columns: size.columns)
  }

  private mutating func draw(
    _ rows: [String], cursor: (row: Int, column: Int), grows: Bool
  ) -> String {
    region.paint(rows, cursor: cursor, grows: grows)
  }
}
