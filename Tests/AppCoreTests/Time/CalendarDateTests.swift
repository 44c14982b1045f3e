import AppCore
import Foundation
import Glibc
import Testing

@Suite("CalendarDate")
struct CalendarDateTests {
  private func date(_ text: String) throws -> CalendarDate { try #require(CalendarDate(text)) }

  @Test(
    "A date is written and read in ISO 8601 format",
    arguments: [
      ("2026-03-01", 2026, 3, 1), ("2024-02-29", 2024, 2, 29), ("2000-02-29", 2000, 2, 29),
      ("0001-01-01", 1, 1, 1), ("9999-12-31", 9999, 12, 31), ("1582-10-10", 1582, 10, 10),
    ])
  func text(text: String, year: Int, month: Int, day: Int) throws {
    let date = try #require(CalendarDate(year: year, month: month, day: day))
    #expect(date.description == text)
    #expect(CalendarDate(text) == date)
    let json = try JSONEncoder().encode([date])
    #expect(String(decoding: json, as: UTF8.self) == "[\"\(text)\"]")
    #expect(try JSONDecoder().decode([CalendarDate].self, from: json) == [date])
  }

  @Test(
    "Text that is not a date is refused",
    arguments: [
      "", "2026-02-30", "2026-02-29", "1900-02-29", "2026-04-31", "2026-13-01", "2026-00-01",
      "2026-01-00", "2026-01-32", "0000-01-01", "10000-01-01", "-001-01-01", "2026-3-01",
      "2026/03/01", "2026-03-01 ", " 2026-03-01", "2026-03-01T00:00:00Z", "２０２６-03-01",
      "+026-03-01", "20é6-3-01",
    ])
  func refused(text: String) throws {
    #expect(CalendarDate(text) == nil)
    let json = try JSONEncoder().encode([text])
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([CalendarDate].self, from: json)
    }
    #expect(error.map { "\($0)" }?.contains("is not a date; write it as in '2026-03-01'") == true)
  }

  @Test("Its days are those of the C library, which has the same calendar, for all of its years")
  func days() throws {
    var date = try date("0001-01-01")
    let first = date
    for step in [1, 27, 365, 1461] {
      date = first
      var count = 0
      while let next = date.advanced(by: step) {
        #expect(date < next && date.days(to: next) == step)
        (date, count) = (next, count + 1)
        guard step > 1 || count < 40_000 else { break }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (
          Int32(date.year - 1900), Int32(date.month - 1), Int32(date.day)
        )
        let days = timegm(&parts) / 86_400
        guard days == first.days(to: date) - 719_162, date.advanced(by: -step) != nil else {
          Issue.record("\(date)")
          return
        }
      }
    }
  }

  @Test("Beyond the years 1 and 9999 there is nothing, however far")
  func ends() throws {
    #expect(try date("9999-12-31").advanced(by: 1) == nil)
    #expect(try date("0001-01-01").advanced(by: -1) == nil)
    for days in [Int.max, .min, 3_652_059] {
      #expect(try date("2026-03-01").advanced(by: days) == nil)
    }
    #expect(try date("0001-01-01").advanced(by: 3_652_058) == date("9999-12-31"))
    #expect(CalendarDate.days(in: 2, of: 1900) == 28 && CalendarDate.days(in: 2, of: 2000) == 29)
    #expect(CalendarDate.days(in: 13, of: 2000) == nil && CalendarDate.days(in: 1, of: 0) == nil)
  }

  @Test(
    "The day of a moment is that of the zone",
    arguments: [
      ("2026-03-01T08:30:00Z", 0, "2026-03-01"), ("2026-02-28T23:30:00Z", 3600, "2026-03-01"),
      ("2026-03-01T00:30:00Z", -3600, "2026-02-28"), ("1969-12-31T23:59:59.5Z", 0, "1969-12-31"),
      ("1970-01-01T00:00:00Z", 0, "1970-01-01"), ("0001-01-01T00:00:00Z", -1, "0001-01-01"),
      ("9999-12-31T23:59:59Z", 1, "9999-12-31"), ("2026-03-01T08:30:00Z", Int.max, nil),
    ] as [(String, Int, String?)])
  func zones(moment: String, offset: Int, day: String?) throws {
    let instant = try #require(Instant(moment))
    let date = AppTimeZone.fixed(secondsFromUTC: offset).date(of: instant)
    if let day { #expect("\(date)" == day) }
    for seconds in [Int.max, .min] {
      let date = AppTimeZone.utc.date(of: Instant(sinceEpoch: .seconds(seconds)))
      #expect("\(date)" == (seconds > 0 ? "9999-12-31" : "0001-01-01"))
    }
  }
}
