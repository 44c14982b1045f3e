@_spi(Host) import AppCore
import Foundation
import TestSupport
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("What is written for a picture")
struct PictureDifferenceTests {
  private let palette = Palette(hasColor: true)

  /// What a terminal shows for a picture that is drawn as a whole.
  private func terminal(showing picture: Picture) -> TerminalModel {
    var model = TerminalModel(columns: picture.grid.size.columns, rows: picture.grid.size.rows)
    model.write(picture.text(after: nil, palette))
    return model
  }

  private func expectSame(_ found: TerminalModel, _ wanted: TerminalModel, _ what: String) {
    #expect(found.unknown == [], "\(what)")
    #expect(found.screen == wanted.screen, "\(what)")
    #expect(found.isCursorVisible == wanted.isCursorVisible, "\(what)")
    if wanted.isCursorVisible { #expect(found.cursor == wanted.cursor, "\(what)") }
    for row in 0..<wanted.rows {
      let (found, wanted) = (found.spans(of: row), wanted.spans(of: row))
      #expect(
        found.map(\.attributes) == wanted.map(\.attributes)
          && found.map(\.column) == wanted.map(\.column), "\(what), row \(row)")
    }
  }

  /// How many random sequences are drawn.
  private static let sequences =
    ProcessInfo.processInfo.environment["APPCORE_DRAWN_SEQUENCES"].flatMap(Int.init) ?? 100

  @Test("After any keys, sizes and screens a terminal shows what drawing everything would show")
  func randomSequences() {
    for seed in 0..<Self.sequences {
      var session = RandomSession(seed: seed)
      var drawn = Drawn(session.screen(), columns: 40, rows: 12)
      var shown: Picture?
      var model = TerminalModel(columns: 40, rows: 12)
      for step in 0..<20 {
        switch Int.random(in: 0..<10, using: &session.random) {
        case 0: drawn.show(session.screen(), over: Bool.random() ? session.screen() : nil)
        case 1:
          let size = session.size()
          drawn.resize(columns: size.columns, rows: size.rows)
          model = TerminalModel(columns: size.columns, rows: size.rows)
          shown = nil
        default: _ = drawn.press(session.key())
        }
        let picture = drawn.view.picture()
        model.write(picture.text(after: shown, palette))
        shown = picture
        expectSame(model, terminal(showing: picture), "sequence \(seed), step \(step)")
      }
    }
  }

  @Test("A picture that is shown is not written again")
  func unchanged() {
    var view = Drawn(Samples.everything).view
    let (first, second) = (view.picture(), view.picture())
    #expect(second.text(after: first, palette) == "")
  }

  @Test("A step of the cursor takes at most 1.5 kB, one that scrolls the list too")
  func size() {
    var drawn = Drawn(
      screen("Rows") { screen in
        screen.list(0..<10_000, id: "rows") { row in
          Row(
            "row \(row) of a list that has ten thousand of them", detail: "detail \(row * 37)",
            id: "\(row)", action: .tapped(""))
        }
      }, columns: 200, rows: 60)
    var shown = drawn.view.picture()
    var longest = 0
    for _ in 0..<100 {
      drawn.type(.down)
      let picture = drawn.view.picture()
      longest = max(longest, picture.text(after: shown, palette).utf8.count)
      shown = picture
    }
    #expect(longest > 50 && longest <= 1536)
    #expect(drawn.focused?.hasPrefix("row 100 ") == true)
  }

  @Test("Only rows that are in view are created, of however many")
  func lazyRows() {
    let counter = RowCounter()
    var drawn = Drawn(
      screen { $0.rows(0..<100_000, id: "rows", counter: counter) }, columns: 80, rows: 24)
    _ = drawn.lines
    #expect(counter.count < 40)
    counter.count = 0
    drawn.type(.end)
    _ = drawn.lines
    #expect(counter.count < 40)
    #expect(drawn.focused?.hasPrefix("Row 99999") == true)
  }

  @Test("Nothing in a title, a cell or an identifier leaves its place", arguments: [20, 80])
  func hostile(columns: Int) {
    for text in HostileText.all + [String(repeating: "wide 日本 ", count: 100_000)] {
      let chrome = Chrome(
        path: [text, text], tabs: [Tab("a", title: text, isSelected: true)],
        notices: [Notice(text)])
      var drawn = Drawn(
        screen(text, chrome: chrome) { screen in
          screen.text(text)
          screen.field(text, id: text, text: text, problem: text, action: { .tapped($0) })
          screen.button(text, action: .tapped(""))
          screen.list([text], id: text) { Row($0, detail: $0, id: $0, action: .tapped("")) }
          screen.table([text], columns: [TableColumn(text), TableColumn(text)]) {
            Row(cells: [$0, $0], action: .tapped(""))
          }
        }, columns: columns, rows: 12)
      for key: KeyPress.Code in [.enter, .tab, .tab, .tab, .function(1), .escape, .paste(text)] {
        drawn.type(key)
        let picture = drawn.view.picture()
        let shown = picture.grid.lines
        #expect(HostileText.harm(of: shown.joined(separator: "\n")) == nil, "\(text.prefix(20))")
        #expect(shown.allSatisfy { DisplayWidth.of($0) <= columns }, "\(text.prefix(20))")
        #expect(terminal(showing: picture).unknown == [])
      }
    }
  }
}
