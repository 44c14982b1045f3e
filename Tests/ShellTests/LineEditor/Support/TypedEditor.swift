import TestSupport

@testable import LineEditor
@testable import Support

/// An editor with the terminal that it draws on, typed into by a test.
struct TypedEditor {
  var editor = LineEditor()
  var terminal: TerminalModel
  var region: TerminalRegion
  var size: TerminalSize
  /// What is above the line.
  var above: [String] = []
  private(set) var events: [LineEditor.Event] = []
  private var decoder = KeyDecoder()

  init(columns: Int = 40, rows: Int = 10, history: [String] = [], above: [String] = []) {
    terminal = TerminalModel(columns: columns, rows: rows)
    size = TerminalSize(columns: columns, rows: rows)
    region = TerminalRegion(size: size)
    self.above = above
    editor.remember(History(history.map { Array($0.utf8)[...] }))
    editor.begin(LineEditor.Question(prompt: "> "))
    show()
  }

  var text: String { editor.text }
  var last: LineEditor.Event? { events.last }

  /// Types bytes as a terminal sends them: `\u{1b}` is ESC.
  mutating func type(_ bytes: String) {
    for key in decoder.keys(bytes.utf8) {
      events.append(editor.press(key))
      show()
    }
  }

  /// Waits until an ESC is one.
  mutating func pause() {
    for key in decoder.giveUpWaiting() {
      events.append(editor.press(key))
      show()
    }
  }

  mutating func receive(_ list: CompletionList) {
    editor.receive(list)
    show()
  }

  mutating func show(grows: Bool = false) {
    let view = editor.view(size: size)
    let above = TerminalRows.of(self.above, columns: size.columns)
    terminal.write(
      region.paint(
        above + view.rows, cursor: (above.count + view.cursor.row, view.cursor.column),
        grows: grows))
  }

  mutating func resize(columns: Int, rows: Int) {
    terminal.resize(columns: columns, rows: rows)
    size = TerminalSize(columns: columns, rows: rows)
    terminal.write(region.resize(size))
    show()
  }
}
