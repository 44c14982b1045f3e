import Testing

@testable import Shell

@Suite struct FramePainterTests {
  /// A terminal that knows what the painter writes, and nothing more.
  private struct Screen {
    let rows: Int
    var lines: [String] = [""]
    var row = 0
    var column = 0

    mutating func write(_ text: String) {
      var rest = text[...]
      while let character = rest.popFirst() {
        switch character {
        case "\r": column = 0
        case "\n", "\r\n":
          if character == "\r\n" { column = 0 }
          row += 1
          if row == lines.count { lines.append("") }
        case "\u{1b}":
          let code = rest.prefix { !$0.isLetter }
          rest = rest[code.endIndex...]
          escape(rest.popFirst(), Int(code.dropFirst()) ?? 1)
        default:
          precondition(column == lines[row].count, "written over something that stands there")
          lines[row].append(character)
          column += 1
        }
      }
    }

    private mutating func escape(_ letter: Character?, _ number: Int) {
      switch letter {
      case "A": row -= number
      case "K": lines[row] = ""
      case "J": lines.removeSubrange((row + 1)...); lines[row] = String(lines[row].prefix(column))
      default: preconditionFailure("unknown sequence")
      }
      precondition(row >= max(0, lines.count - rows), "above the top of the terminal")
    }
  }

  @Test("From any frame to any other the terminal shows the new one, and nothing of the old")
  func random() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<2000 {
      func frame() -> [String] {
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          String(repeating: "x", count: Int.random(in: 0...5, using: &random))
        }
      }
      let (old, new) = (frame(), frame())
      let below = Int.random(in: 0...2, using: &random)
      var screen = Screen(rows: 40)
      for line in old + (0..<below).map({ "typed \($0)" }) { screen.write(line + "\r\n") }
      guard
        let update = FramePainter.update(
          from: old, to: new, rows: 40, columns: 80, below: below)
      else {
        Issue.record("a small frame can be painted over")
        return
      }
      screen.write(update)
      #expect(screen.lines == new + [""])
      #expect(screen.row == new.count && screen.column == 0)
    }
  }

  @Test("Only the lines that differ are written")
  func difference() {
    let update = FramePainter.update(
      from: ["title", "count 1", "footer"], to: ["title", "count 2", "footer"], rows: 24,
      columns: 80)
    #expect(update == "\r\u{1b}[2A\u{1b}[2Kcount 2\r\n\n\u{1b}[J")
  }

  @Test("A line that has left the terminal, or takes several rows, asks for a new print")
  func impossible() {
    let long = (0..<50).map { "line \($0)" }
    var other = long
    other[0] = "changed"
    #expect(FramePainter.update(from: long, to: other, rows: 24, columns: 80) == nil)
    other = long
    other[49] = "changed"
    #expect(FramePainter.update(from: long, to: other, rows: 24, columns: 80) != nil)
    let wide = [String(repeating: "x", count: 90)]
    #expect(FramePainter.update(from: wide, to: wide, rows: 24, columns: 80) == nil)
    let colored = ["\u{1b}[1m" + String(repeating: "x", count: 79) + "\u{1b}[0m"]
    #expect(FramePainter.update(from: colored, to: [], rows: 24, columns: 80) != nil)
  }
}
