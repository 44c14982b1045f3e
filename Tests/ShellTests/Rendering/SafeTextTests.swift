import AppCore
import TestSupport
import Testing

@testable import AppCheck
@testable import Shell
@testable internal import Support

@Suite("Text can't reach the terminal's controls") struct SafeTextTests {
  static let hostile =
    "a\u{1b}[2Jb\u{9b}31mc\u{7}d\u{202e}e\u{2066}f\u{7f}g\u{2028}h\r\ni\u{85}j\u{8}k\u{0}l"

  @Test("Control characters become pictures or numbers")
  func pictures() {
    #expect(SafeText.line("\u{1b}[31m") == "␛[31m")
    #expect(SafeText.line("\u{9b}\u{202e}\u{7f}\u{0}") == "<U+9B><U+202E>␡␀")
    #expect(SafeText.line("a\tb\nc\r\nd\re") == "a b␊c␊d␊e")
    #expect(SafeText.paragraph("a\r\nb\rc\u{b}") == "a\nb\nc␋")
    #expect(SafeText.preformatted("\ta\nbc\td\n漢\te") == ["        a", "bc      d", "漢      e"])
    #expect(SafeText.line("שלום مرحبا 👩‍👩‍👧 e\u{301}") == "שלום مرحبا 👩‍👩‍👧 e\u{301}")
  }

  @Test(
    "Wherever a feature or a route puts text, nothing comes out that does something",
    arguments: HostileText.all + [hostile])
  func everywhere(text: String) {
    let chrome = Chrome(
      path: [text, text], tabs: [Tab(text, title: text, isSelected: true)], isModal: true,
      notices: [Notice(text, style: .error)], isSettled: false)
    let hostile = screen(text, chrome: chrome) { screen in
      screen.heading(text)
      screen.text(text, style: .warning)
      screen.preformatted(text)
      screen.keyValues([KeyValue(text, text)])
      screen.progress(text, fraction: 0.5)
      screen.button(text, id: text, action: .tapped(""))
      screen.field(text, text: text, placeholder: text, problem: text, action: { .tapped($0) })
      screen.field(text, text: "", placeholder: text, action: { .tapped($0) })
      screen.field(text, text: text, isMultiline: true, action: { .tapped($0) })
      screen.secretField(text, isSet: true, problem: text, action: { .secret($0) })
      screen.toggle(text, isOn: true, action: { .flag($0) })
      screen.choice(
        text, options: [ChoiceOption(text)], selected: text, action: { .tapped($0) })
      screen.list([0], placeholder: text) { _ in Row(text, detail: text, id: text) }
      screen.list([Int](), placeholder: text) { _ in Row(text) }
      screen.table([0], columns: [TableColumn(text)]) { _ in Row(cells: [text, text]) }
      screen.section(text) { $0.text(text) }
    }
    for width in [20, 40, 80, 200] {
      var session = ShellSession(SessionSettings(width: width))
      check(session.frame(hostile))
      for line in [text, "@" + text, ":" + text, ":find zz" + text, "1 " + text, ":tab"] {
        if case .refused(let refusal) = session.interpret(
          Array(line.utf8.filter { $0 != 0 && $0 != 0x0a }), on: hostile)
        {
          check(session.lines(for: refusal, line: 3))
        }
      }
      check(session.lines(for: Rejection(.notFound, text)))
    }
    var json = ShellSession(ShellSession.json)
    check(json.frame(hostile))
    let drawing = GraphDrawing(
      name: text, title: text,
      nodes: [.init(name: text, feature: text, title: text, tabs: [text], background: [text])],
      routes: [
        .init(
          from: text, action: text,
          verbs: [
            .init(word: text, target: text, options: [text]),
            .init(word: text, target: text, targetIsNode: false),
          ])
      ],
      links: [.init(path: text, steps: [.init(word: text, target: text)], needs: text)], start: text
    )
    for width in [20, 40, 80] { check(drawing.lines(width: width)) }
    check(drawing.dot.split(separator: "\n").map(String.init))
    check(drawing.mermaid.split(separator: "\n").map(String.init))
  }

  private func check(_ lines: [String]) {
    for line in lines {
      #expect(!line.unicodeScalars.contains(where: SafeText.isHazard), "\(line.debugDescription)")
    }
  }
}
