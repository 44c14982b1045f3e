@_spi(Host) import AppCore
import Testing

@testable import FullScreen
@testable import LineEditor
@testable import Shell
@testable import Support

@Suite("Fields for dates") struct DateFieldTests {
  private static let today = CalendarDate("2024-02-28")

  /// A screen with a date, on which it is a day in a leap year.
  private static func trip(
    _ value: String? = "2024-03-01", problem: String? = nil
  ) throws -> ShellScreen {
    let today = try #require(today)
    let content = screen("Trip") { screen in
      screen.dateField(
        "Departure", id: "departure", value: value.flatMap { CalendarDate($0) }, problem: problem
      ) { .tapped("\($0)") }
      screen.button("Book", id: "book", action: .tapped("book"))
    }.content
    return ShellScreen(content, owner: "1", today: { today })
  }

  @Test(
    "A date is a day of the calendar, or some days or weeks from today",
    arguments: [
      ("2026-03-01", "2026-03-01"), (" 2026-03-01 ", "2026-03-01"), ("today", "2024-02-28"),
      ("Today", "2024-02-28"), ("+0d", "2024-02-28"), ("+1d", "2024-02-29"), ("+3d", "2024-03-02"),
      ("-1d", "2024-02-27"), ("-1w", "2024-02-21"), ("+2W", "2024-03-13"), ("-59d", "2023-12-31"),
      ("+2913000d", "9999-09-07"),
    ])
  func values(text: String, date: String) throws {
    let trip = try Self.trip()
    var session = ShellSession.showing(trip)
    for line in ["@departure \(text)", "1 \(text)", "Departure = \(text)"] {
      let intent = session.interpret(line, on: trip)
      #expect(intent.input == CalendarDate(date).map { .date($0) }, "\(line): \(intent)")
      // What is recorded is the same on another day.
      #expect(intent.activation.flatMap(trip.scriptLine) == "@departure = \(date)")
    }
  }

  @Test(
    "What is not a date is refused, with the reason",
    arguments: [
      ("2026-02-30", "; 2026-02 has 28 days"), ("2024-02-30", "; 2024-02 has 29 days"),
      ("2026-13-01", "; months are 01 to 12"), ("0000-01-01", "; the first year is 0001"),
      ("2026-04-00", "; 2026-04 has 30 days"), ("2026-3-1", ""), ("tomorrow", ""), ("+3", ""),
      ("3d", ""), ("+d", ""), ("+3m", ""), ("+-3d", ""), ("--3d", ""), ("\"\"", ""), ("+٣d", ""),
      ("+3000000d", "; the calendar ends with the years 1 and 9999"),
      ("-99999999999999999999w", "; the calendar ends with the years 1 and 9999"),
      ("+9223372036854775807w", "; the calendar ends with the years 1 and 9999"),
    ])
  func refusals(text: String, reason: String) throws {
    let trip = try Self.trip()
    var session = ShellSession.showing(trip)
    let intent = session.interpret("@departure \(text)", on: trip)
    #expect(intent.code == "not-a-date")
    let shown = text == "\"\"" ? "" : text
    #expect(
      intent.text == "control 1, 'Departure', takes a date such as 2026-03-01, today, +3d or -1w, "
        + "not '\(shown)'" + reason)
  }

  @Test("JSON has the date as text, and null for none; a number or a bool is refused")
  func json() throws {
    var session = ShellSession(ShellSession.json)
    let shown = session.frame(try Self.trip()).joined()
    #expect(shown.contains(#""value":"2024-03-01","enabled":true,"type":"date""#))
    let empty = try Self.trip(nil)
    #expect(session.frame(empty).joined().contains(#""value":null,"enabled":true,"type":"date""#))
    let given = session.interpret(#"{"id":"departure","value":"2024-03-04"}"#, on: empty)
    #expect(given.input == CalendarDate("2024-03-04").map { .date($0) })
    for value in ["20240304", "true"] {
      let intent = session.interpret(#"{"id":"departure","value":\#(value)}"#, on: empty)
      #expect(intent.code == "wrong-type" && intent.text?.contains("takes a date, not") == true)
    }
  }

  @Test("In lines and in linear text it is the ISO date, or empty")
  func lines() throws {
    var session = ShellSession()
    #expect(session.frame(try Self.trip()).contains("[1] Departure: 2024-03-01"))
    #expect(session.frame(try Self.trip(nil)).contains("[1] Departure: (empty)"))
    session.settings.format = .text(.linear)
    #expect(session.frame(try Self.trip()).contains("[1] Departure: 2024-03-01"))
    #expect(session.frame(try Self.trip(nil)).contains("[1] Departure: empty"))
    let missing = session.interpret("@departure", on: try Self.trip())
    #expect(missing.text?.contains("write a date after it") == true)
  }

  @Test("Full screen the arrows step days while the date is edited, and the date is sent as it is")
  func stepping() throws {
    var drawn = Drawn(try Self.trip())
    drawn.type(.enter, .down)
    #expect(drawn.focused?.contains("[2024-02-29 ") == true)
    #expect(drawn.type(.up, .up, .enter) == ["@departure = 2024-03-02"])
    // Undone as one change.
    drawn.type(.enter, .up)
    _ = drawn.press(.control("_"))
    #expect(drawn.focused?.contains("[2024-03-01 ") == true)
    drawn.type(.escape)
    // Words are typed, and stepped from; an empty field begins with today.
    drawn = Drawn(try Self.trip(nil))
    drawn.type("+3d")
    #expect(drawn.type(.enter) == ["@departure = 2024-03-02"])
    drawn.type("today")
    #expect(drawn.type(.up, .enter) == ["@departure = 2024-02-29"])
    #expect(drawn.type(.enter, .down, .enter) == ["@departure = 2024-02-28"])
    // What is not a date stays as it is.
    drawn.type("2026-02-30")
    drawn.type(.up)
    #expect(drawn.focused?.contains("[2026-02-30 ") == true)
    #expect(drawn.type(.enter).first?.contains("2026-02 has 28 days") == true)
    drawn = Drawn(try Self.trip("9999-12-31"))
    drawn.type(.enter, .up)
    #expect(drawn.focused?.contains("[9999-12-31 ") == true)
    // The focus moves with the arrows where nothing is edited.
    drawn.type(.escape, .down)
    #expect(drawn.focused == "[ Book ]")
  }

  @Test("The arrows show the next day before the app has handled them, as it will be")
  func echo() throws {
    var drawn = Drawn(try Self.trip())
    drawn.type(.enter)
    let before = drawn.view.picture()
    let keys: [KeyPress.Code] = [.up, .up, .left, .down]
    let echoed = before.echoing(keys.map { KeyPress($0) })
    for key in keys { drawn.type(key) }
    let after = drawn.view.picture()
    #expect(echoed.grid.lines == after.grid.lines && echoed.cursor == after.cursor)
  }

  @Test("It looks the same at every size")
  func golden() throws {
    var text: [String] = []
    for (columns, rows) in [(20, 5), (80, 24), (200, 60)] {
      var drawn = Drawn(try Self.trip(problem: "is full"), columns: columns, rows: rows)
      drawn.type(.enter, .up)
      text += ["\(columns) × \(rows)"] + drawn.lines.map { "|" + $0 }
    }
    try expectGolden("full-screen/date", text)
  }
}
