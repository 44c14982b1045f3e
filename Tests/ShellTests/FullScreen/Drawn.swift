@_spi(Host) import AppCore
import TestSupport

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

extension Grid {
  /// The rows as text, without spaces at their ends.
  var lines: [String] {
    (0..<size.rows).map { index in
      var text = row(index).map(\.text).joined()
      while text.last == " " { text.removeLast() }
      return text
    }
  }
}

/// A view of one screen that tests press keys in.
struct Drawn {
  var view = ScreenView()
  private(set) var screen: ShellScreen
  private(set) var size: GridSize

  init(_ screen: ShellScreen, columns: Int = 80, rows: Int = 24) {
    self.screen = screen
    size = GridSize(columns: columns, rows: rows)
    view.show(screen, size: size)
  }

  mutating func show(_ screen: ShellScreen, over opener: ShellScreen? = nil) {
    self.screen = screen
    view.show(screen, over: opener, size: size)
  }

  mutating func resize(columns: Int, rows: Int) {
    size = GridSize(columns: columns, rows: rows)
    view.show(screen, size: size)
  }

  var lines: [String] {
    mutating get { view.picture().grid.lines }
  }

  /// Types text and keys, and returns what the app is to do, as lines of the shell.
  @discardableResult
  mutating func type(_ keys: KeyPress.Code...) -> [String] {
    keys.compactMap { press(KeyPress($0)) }
  }

  @discardableResult
  mutating func type(_ text: String) -> [String] {
    text.unicodeScalars.compactMap { press(KeyPress(.scalar($0))) }
  }

  mutating func press(_ key: KeyPress, typedFor picture: Int = 0) -> String? {
    let steps = view.press(key, typedFor: picture).steps
    while view.isSearching { view.search() }
    let lines = steps.map { step in
      switch step {
      case .line(let line): line
      case .refused(let rejection, let line): "\(line): \(rejection.message)"
      case .intent(.activate(let activation)):
        screen.scriptLine(for: activation) ?? "\(activation)"
      default: "\(step)"
      }
    }
    return lines.isEmpty ? nil : lines.joined(separator: "\n")
  }

  /// The row on which something has the focus, without the mark and the scroll bar.
  var focused: String? {
    mutating get {
      lines.first { $0.contains("› ") && !$0.contains("‹ ") }.flatMap { line in
        guard let mark = line.firstRange(of: "› ") else { return nil }
        var text = line[mark.upperBound...]
        // Without the scroll bar.
        while text.last.map({ " │█".contains($0) }) == true { text.removeLast() }
        return String(text)
      }
    }
  }
}

extension ShellScreen {
  static func form(
    name: String = "", isOn: Bool = false, extra: Bool = false, hasName: Bool = true,
    isEnabled: Bool = true, owner: String = "1"
  ) -> ShellScreen {
    ShellTests.screen("Form", owner: owner) { screen in
      if extra { screen.button("New", id: "new", action: .tapped("")) }
      if hasName {
        screen.field(
          "Name", id: "name", text: name, isEnabled: isEnabled, action: { .tapped($0) })
      }
      screen.numberField("Age", id: "age", value: 7, action: { .number($0) })
      screen.toggle("Active", id: "active", isOn: isOn, action: { .flag($0) })
      screen.choice("Sort", id: "sort", options: Samples.options, selected: "size") { .tapped($0) }
      screen.button("Save", id: "save", action: .tapped(""))
    }
  }

  static func rows(_ range: Range<Int>) -> ShellScreen {
    ShellTests.screen("Rows") { screen in
      screen.rows(range, id: "rows")
      screen.button("Below", action: .tapped(""))
    }
  }
}

/// A small generator of screens, keys and sizes.
struct RandomSession {
  var random: SplitMix64

  init(seed: Int) { random = SplitMix64(seed: UInt64(seed)) }

  private static let words = [
    "alpha", "日本語", "e\u{301}clair", "👩‍👩‍👧", "a\u{202e}b", "\u{1b}[2J", "x\ty", "", "\r",
    "long "
      + "word that goes on and on and does not end before the line does", "🇫🇷", "\u{301}",
  ]

  mutating func word() -> String { Self.words.randomElement(using: &random) ?? "" }

  mutating func screen() -> ShellScreen {
    let words = (0..<24).map { _ in word() }
    let count = [0, 1, 5, 40, 10_000].randomElement(using: &random) ?? 0
    let parts = (0..<Int.random(in: 0...8, using: &random)).map { _ in
      Int.random(in: 0..<17, using: &random)
    }
    let tabs =
      Bool.random(using: &random) ? [Tab("a", title: word(), isSelected: true), Tab("b")] : []
    let chrome = Chrome(
      path: ["home", "here"], tabs: tabs, isModal: Int.random(in: 0..<4, using: &random) == 0)
    let owner = "\(Int.random(in: 0..<3, using: &random))"
    return ShellTests.screen(words[0], owner: owner, chrome: chrome) { screen in
      for (index, part) in parts.enumerated() {
        let (word, id) = (words[index * 2 + 1], "id\(index)")
        switch part {
        case 0: screen.text(word + " " + words[index])
        case 1: screen.heading(word)
        case 2: screen.button(word, id: id, action: .tapped(id))
        case 3: screen.field(word, id: id, text: words[index], action: { .tapped($0) })
        case 4:
          screen.field(word, id: id, text: words[index], isMultiline: true, action: { .tapped($0) })
        case 5: screen.secretField(word, id: id, isSet: true, action: { .secret($0) })
        case 6: screen.toggle(word, id: id, isOn: true, problem: word, action: { .flag($0) })
        case 7:
          screen.choice(
            word, id: id, options: Samples.options, selected: "size", action: { .tapped($0) })
        case 8: screen.rows(0..<count, id: id)
        case 9:
          screen.table(
            0..<count, columns: [TableColumn(word), TableColumn("Uses", alignment: .trailing)],
            id: id
          ) { Row(cells: ["\(word) \($0)", "\($0)"], action: .tapped("\($0)")) }
        case 11:
          screen.field(word, id: id, text: words[index], isLive: true, action: { .tapped($0) })
        case 12:
          screen.table(
            0..<count, columns: [TableColumn(word), TableColumn("Uses")], id: id,
            sort: TableSort(word, isDescending: true), sortAction: { .tapped($0.column) }
          ) { Row(cells: ["\(word) \($0)", "\($0)"], action: .tapped("\($0)")) }
        case 13:
          screen.list(
            0..<count, id: id, selection: ["row 1", "2"], selectionAction: { _ in .tapped(id) }
          ) { Row("\(word) \($0)", id: $0 == 3 ? nil : "row \($0)", action: .tapped("\($0)")) }
        case 14, 15:
          screen.columns { columns in
            columns.column { screen in
              screen.preformatted(words[index] + word)
              screen.rows(0..<count, id: id)
            }
            for column in 0..<part - 13 {
              columns.column { screen in
                screen.button(word, id: "\(id)-\(column)", action: .tapped(id))
                screen.field(word, id: "\(id)+\(column)", text: word, action: { .tapped($0) })
              }
            }
          }
        case 10: screen.keyValues([KeyValue(word, words[index])])
        default: screen.preformatted(word + "\n" + words[index])
        }
      }
    }
  }

  mutating func key() -> KeyPress {
    let codes: [KeyPress.Code] = [
      .enter, .tab, .backspace, .escape, .up, .down, .left, .right, .home, .end, .delete, .pageUp,
      .pageDown, .function(1), .scalar("a"), .scalar("/"), .scalar(":"), .scalar(" "), .scalar("日"),
      .scalar("1"),
      .paste("pasted\ntext"), .unknown,
      .pointer(.init(.press, row: 3, column: 5)), .pointer(.init(.wheelDown, row: 0, column: 0)),
    ]
    let modifiers: [KeyPress.Modifiers] = [[], [], [], .shift, .control, .alt]
    return KeyPress(
      codes.randomElement(using: &random) ?? .tab, modifiers.randomElement(using: &random) ?? [])
  }

  mutating func size() -> GridSize {
    let sizes = [(1, 1), (20, 5), (33, 11), (80, 24), (80, 24), (200, 60)]
    let (columns, rows) = sizes.randomElement(using: &random) ?? (80, 24)
    return GridSize(columns: columns, rows: rows)
  }
}
