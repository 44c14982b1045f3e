import Testing

@testable import LineEditor

@Suite("The part of a long screen that is shown") struct ScreenWindowTests {
  /// A screen with a title and fields of one row, some with a problem below.
  private func form(
    _ count: Int, owner: String = "1", problems: Set<Int> = [], focus: Int? = nil,
    values: [Int: String] = [:]
  ) -> ScreenRows {
    var content = ScreenRows()
    content.owner = owner
    content.rows = ["── Member", ""]
    content.headerCount = 1
    for number in 1...count {
      let start = content.rows.count
      content.rows.append("[\(number)] Phone: \(values[number] ?? "")")
      if problems.contains(number) { content.rows.append("    ✗ not a number") }
      content.controls.append((number...number, start..<content.rows.count))
      if focus == number { content.focus = start..<content.rows.count }
    }
    return content
  }

  private let height = 12

  private func rows(_ window: ScreenWindow) -> [String] { window.rows(height: height, columns: 80) }

  @Test("A screen that fits is shown whole")
  func fitting() {
    var window = ScreenWindow()
    window.show(form(10))
    #expect(rows(window) == form(10).rows)
    let hasMoved = window.scroll(back: false, height: height)
    #expect(!hasMoved)
  }

  @Test("Of a longer one the beginning is shown, and below it how much there is")
  func beginning() {
    var window = ScreenWindow()
    window.show(form(80))
    #expect(
      rows(window)
        == ["── Member", ""] + (1...9).map { "[\($0)] Phone: " }
        + ["↓ 71 lines below, with [10] to [80]: PageDown, or Ctrl-L for all"])
  }

  @Test("The control that was given a value is in view with its problem, and the title too")
  func problem() {
    var window = ScreenWindow()
    window.show(form(80))
    window.show(form(80, problems: [40], focus: 40, values: [40: "x"]))
    let shown = rows(window)
    #expect(shown.count == height)
    #expect(shown.first == "── Member")
    #expect(shown[1].hasPrefix("↑ "))
    #expect(shown.contains("[40] Phone: x"))
    #expect(shown.contains("    ✗ not a number"))
    #expect(shown.last?.hasPrefix("↓ ") == true)
    // What is in view already does not move.
    window.show(form(80, problems: [40, 41], focus: 41, values: [40: "x", 41: "y"]))
    #expect(rows(window).prefix(3) == shown.prefix(3))
    #expect(rows(window).contains("[41] Phone: y"))
  }

  @Test("A problem that an effect adds later comes into view")
  func laterProblem() {
    var window = ScreenWindow()
    window.show(form(80))
    // The ninth field is the last that is shown.
    window.show(form(80, focus: 9, values: [9: "x"]))
    window.show(form(80, problems: [9], focus: 9, values: [9: "x"]), isAnswer: false)
    #expect(rows(window).contains("    ✗ not a number"))
    // Other changes by effects do not move the window.
    let before = rows(window)
    window.show(form(80, problems: [9], focus: 9, values: [9: "x", 70: "z"]), isAnswer: false)
    #expect(rows(window) == before)
  }

  @Test("After a button, what has changed most is shown")
  func changes() {
    var window = ScreenWindow()
    window.show(form(80))
    window.show(form(80, problems: [60]))
    #expect(rows(window).contains("    ✗ not a number"))
    window.show(form(84, values: [2: "new"]))
    #expect(rows(window).contains("[84] Phone: "))
    #expect(rows(window).last == "[84] Phone: ")
    // Nothing has changed: it stays.
    let before = rows(window)
    window.show(form(84, values: [2: "new"]))
    #expect(rows(window) == before)
  }

  @Test("Another screen begins at its top, and a shorter one moves the window back")
  func others() {
    var window = ScreenWindow()
    window.show(form(80, focus: 70))
    window.show(form(80, focus: 71))
    #expect(rows(window).contains("[71] Phone: "))
    window.show(form(20, focus: nil))
    #expect(rows(window).last == "[20] Phone: ")
    #expect(rows(window).count == height)
    window.show(form(80, owner: "2"))
    #expect(rows(window).contains("[1] Phone: "))
  }

  @Test("The window moves by Page Up and Page Down from end to end; no row is left out")
  func scrolling() {
    var window = ScreenWindow()
    window.show(form(80))
    var seen = Set(rows(window))
    var steps = 0
    while window.scroll(back: false, height: height) {
      #expect(rows(window).count <= height)
      seen.formUnion(rows(window))
      steps += 1
    }
    #expect(seen.isSuperset(of: form(80).rows))
    #expect(steps < 15)
    #expect(rows(window).last == "[80] Phone: ")
    while window.scroll(back: true, height: height) {}
    #expect(rows(window).prefix(3) == ["── Member", "", "[1] Phone: "])
    window.isWhole = true
    #expect(rows(window) == form(80).rows)
  }

  @Test("Whatever the sizes, the rows fit, are of the screen, and hold the control's last row")
  func sizes() {
    for height in 3...14 {
      for count in 1...30 {
        for focus in 1...count {
          var window = ScreenWindow()
          window.show(form(count), height: height)
          let content = form(count, problems: [focus], focus: focus)
          window.show(content, height: height)
          let rows = window.rows(height: height, columns: 40)
          #expect(rows.count <= max(height, 4), "\(height), \(count), \(focus)")
          if height >= 5 {
            #expect(rows.contains("    ✗ not a number"), "\(height), \(count), \(focus)")
          }
        }
      }
    }
  }
}

extension ScreenWindow {
  fileprivate mutating func show(_ content: ScreenRows, isAnswer: Bool = true, height: Int = 12) {
    show(content, height: height, isAnswer: isAnswer)
  }
}
