import AppCore
import Foundation
import Testing

@Suite("Instant and UniqueID")
struct InstantTests {
  @Test(
    "A moment is written and read as ISO 8601",
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0), ("2026-03-01T08:30:00Z", 1_772_353_800, 0),
      ("2000-02-29T23:59:59.5Z", 951_868_799, 500_000_000),
      ("1969-12-31T23:59:59.000000001Z", -1, 1), ("0001-01-01T00:00:00Z", -62_135_596_800, 0),
      ("9999-12-31T23:59:59Z", 253_402_300_799, 0),
    ])
  func text(_ text: String, _ seconds: Int, _ nanoseconds: Int) {
    let instant = Instant(sinceEpoch: .seconds(seconds) + .nanoseconds(nanoseconds))
    #expect(instant.description == text)
    #expect(Instant(text) == instant)
  }

  @Test("A distance from UTC is taken off, and small letters do")
  func offsets() {
    #expect(Instant("2026-03-01T10:30:00+02:00") == Instant("2026-03-01T08:30:00Z"))
    #expect(Instant("2026-02-28T23:30:00-09:00") == Instant("2026-03-01T08:30:00Z"))
    #expect(Instant("2026-03-01t08:30:00z") == Instant("2026-03-01T08:30:00Z"))
  }

  @Test(
    "Text that is not an instant is refused",
    arguments: [
      "", "2026-03-01", "2026-03-01T08:30:00", "2026-02-29T00:00:00Z", "2026-13-01T00:00:00Z",
      "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
      "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
      "2026-01-01T00:00:00.1234567891Z", "2026-01-01T00:00:00+2:00", "2026-01-01T00:00:00Z ",
      "-026-01-01T00:00:00Z", "1900-02-29T00:00:00Z",
    ])
  func refused(_ text: String) {
    #expect(Instant(text) == nil)
  }

  @Test("Every day of four centuries comes back, in agreement with Foundation")
  func calendar() throws {
    let formatter = ISO8601DateFormatter()
    var day = -140_000
    while day < 146_097 {
      let seconds = day * 86_400 + 12_345
      let instant = Instant(secondsSinceEpoch: seconds)
      #expect(Instant(instant.description) == instant)
      if day.isMultiple(of: 7) {
        #expect(
          instant.description
            == formatter.string(from: Date(timeIntervalSince1970: Double(seconds))))
      }
      day += 53
    }
  }

  @Test("Every moment is read as it was written, the first and the last one included")
  func extremes() throws {
    var durations: [Duration] = [.zero, Duration(attoseconds: .min), Duration(attoseconds: .max)]
    // The ends of the years -1 and 9999, of the C library's calendar, and of 64-bit seconds.
    for seconds in [
      -62_167_219_200, 253_402_300_800, 67_768_036_191_676_800, -67_768_040_609_740_800, Int.min,
      Int.max,
    ] {
      durations += (-1...1).map { .seconds(seconds) + .nanoseconds($0) }
    }
    for _ in 0..<10_000 {
      let attoseconds = Int128.random(in: .min ... .max) >> Int128.random(in: 0..<128)
      durations.append(Duration(attoseconds: attoseconds))
    }
    for duration in durations {
      let instant = Instant(sinceEpoch: duration)
      let value = try ValueEncoder().encode(instant)
      #expect(try ValueDecoder().decode(Instant.self, from: value) == instant, "\(instant)")
    }
    #expect(Instant(secondsSinceEpoch: 253_402_300_800).description == "10000-01-01T00:00:00Z")
    #expect(Instant("+10000-01-01T00:00:00Z") == Instant(secondsSinceEpoch: 253_402_300_800))
    #expect(Instant("9999999999999-01-01T00:00:00Z") == nil)
  }

  @Test("Moments are ordered, and durations lie between them; less than a nanosecond is left out")
  func arithmetic() {
    let start = Instant(secondsSinceEpoch: 10)
    let later = start.advanced(by: .milliseconds(1500))
    #expect(start < later)
    #expect(start.duration(to: later) == .milliseconds(1500))
    #expect(later.description == "1970-01-01T00:00:11.5Z")
    let tiny = Duration(secondsComponent: 0, attosecondsComponent: 999_999_999)
    #expect(start.advanced(by: tiny) == start)
  }

  struct Note: Codable, Equatable {
    var id: UniqueID
    var at: Instant
  }

  @Test("Both are coded as their text, and what is none says so")
  func coding() throws {
    let note = Note(id: UniqueID(3), at: Instant(secondsSinceEpoch: 0))
    let value = try ValueEncoder().encode(note)
    #expect(
      value.json
        == #"{"at":"1970-01-01T00:00:00Z","id":"00000000-0000-0000-0000-000000000003"}"#)
    #expect(try ValueDecoder().decode(Note.self, from: value) == note)
    let wrong: Value = ["id": "no", "at": "1970-01-01T00:00:00Z"]
    let error = try #require(throws: DecodingError.self) {
      try ValueDecoder().decode(Note.self, from: wrong)
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(
      context.debugDescription
        == "'no' is not a unique id, as in 'f81d4fae-7dec-41d0-a765-00a0c91e6bf6'")
    #expect(context.codingPath.map(\.stringValue) == ["id"])
  }

  @Test("A unique id is read in either case, as Foundation writes it")
  func ids() throws {
    let foundation = UUID()
    let id = try #require(UniqueID(foundation.uuidString))
    #expect(id.description == foundation.uuidString.lowercased())
    #expect(UniqueID(id.description) == id)
    for text in ["", "f81d4fae", "f81d4fae-7dec-41d0-a765-00a0c91e6bf", "\(id)0", "g\(id)"] {
      #expect(UniqueID(text) == nil)
    }
    #expect(UniqueID("f81d4fae-7dec-41d0-a765-00a0c91e6bfé") == nil)
  }
}
