import Foundation
import TestSupport
import Testing

@testable import AppCore

@Suite("Dependencies: locale and time zone")
struct LocaleTests {
  @Test("A locale is read from the environment as the C library reads it")
  func environment() {
    let found: [(EnvironmentVariables, String)] = [
      ([:], "en_US_POSIX"), (["LANG": "C.UTF-8"], "en_US_POSIX"),
      (["LANG": "de_DE.UTF-8"], "de_DE"),
      (["LANG": "de_DE", "LC_MESSAGES": "fr_CA.UTF-8"], "fr_CA"),
      (["LANG": "de_DE", "LC_ALL": "pt_BR@x", "LC_MESSAGES": "fr_CA"], "pt_BR"),
      (["LANG": "de_DE", "LC_ALL": ""], "de_DE"),
    ]
    for (environment, identifier) in found {
      #expect(AppLocale(environment: environment).identifier == identifier)
    }
  }

  @Test("A locale has a language, and a region where it says one")
  func parts() {
    let found: [(String, String, String?)] = [
      ("de_AT", "de", "AT"), ("de-AT", "de", "AT"), ("eo", "eo", nil), ("zh_Hant_TW", "zh", "TW"),
      ("es_419", "es", "419"), ("en_US_POSIX", "en", "US"), ("C", "en", "US"),
    ]
    for (identifier, language, region) in found {
      let locale = AppLocale(identifier: identifier)
      #expect(locale.language == language && locale.region == region, "\(identifier)")
    }
  }

  @Test("A fixed zone is as far from UTC as it says, and named for it")
  func fixed() {
    let instant = Instant(secondsSinceEpoch: 0)
    let zones: [(Int, String, String)] = [
      (0, "UTC", "1970-01-01 00:00:00"), (3600, "UTC+01:00", "1970-01-01 01:00:00"),
      (-12_600, "UTC-03:30", "1969-12-31 20:30:00"),
    ]
    for (seconds, name, text) in zones {
      let zone = AppTimeZone.fixed(secondsFromUTC: seconds)
      #expect(zone.identifier == name)
      #expect(zone.secondsFromUTC(at: instant) == seconds)
      #expect(zone.text(of: instant) == text)
    }
    #expect(AppTimeZone.utc == .fixed(secondsFromUTC: 0))
    let half = Instant(sinceEpoch: .milliseconds(-500))
    #expect(AppTimeZone.utc.text(of: half) == "1969-12-31 23:59:59")
  }

  @Test("Two that differ by seconds have different names, and no moment is too late for a zone")
  func extremes() {
    #expect(AppTimeZone.fixed(secondsFromUTC: 30) != .fixed(secondsFromUTC: 45))
    let zone = AppTimeZone.fixed(secondsFromUTC: 3600)
    for seconds in [Int.max, Int.min] {
      #expect(!zone.text(of: Instant(secondsSinceEpoch: seconds)).isEmpty)
    }
  }

  @Test("The system's zone is the one that Foundation has")
  func system() {
    for seconds in [-2_000_000_000, 0, 1_000_000_000, 1_750_000_000, 1_766_000_000] {
      #expect(
        AppTimeZone.system.secondsFromUTC(at: Instant(secondsSinceEpoch: seconds))
          == TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
    }
  }

  @Test(
    "The system's zone is the one of TZ",
    arguments: [
      ("UTC-05:30", "UTC-05:30", 19_800), ("", "UTC", 0), (":EST5", "EST5", -18_000),
    ])
  func variable(_ value: String, _ name: String, _ offset: Int) async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      [value] in
      setenv("TZ", value, 1)
      let zone = AppTimeZone.system
      let offset = zone.secondsFromUTC(at: Instant(secondsSinceEpoch: 1_700_000_000))
      print("<\(zone.identifier) \(offset)>")
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output.contains("<\(name) \(offset)>"), "\(output)")
  }
}
