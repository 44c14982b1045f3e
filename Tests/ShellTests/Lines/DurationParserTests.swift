internal import Support
import Testing

@testable import Shell

@Suite("Times with a unit")
struct DurationParserTests {
  @Test(
    "A number and its unit are read",
    arguments: [
      ("5ms", .milliseconds(5)), ("250us", .microseconds(250)), ("250\u{b5}s", .microseconds(250)),
      ("250\u{3bc}s", .microseconds(250)), ("1s", .seconds(1)), ("1.5ms", .microseconds(1500)),
      ("0.25us", .nanoseconds(250)), ("0ms", .zero), ("86400s", .seconds(86_400)),
    ] as [(String, Duration)])
  func read(text: String, duration: Duration) {
    #expect(DurationParser.duration(text) == duration)
  }

  @Test(
    "Anything else is not",
    arguments: [
      "", "5", "ms", "5 ms", "-5ms", "+5ms", "5m", "5MS", "5ns", "1e3ms", "1..5ms", ".ms", "5ms5",
      "86401s", "99999999999999999999s", "٥ms", "nans",
    ])
  func refused(text: String) {
    #expect(DurationParser.duration(text) == nil)
  }

  @Test("A time without a unit is refused with the forms that are right")
  func message() throws {
    do {
      _ = try LineParser(supported: [.log]).parse(":log --slow 5")
      #expect(Bool(false), "it was read")
    } catch {
      #expect(
        error.message
          == "':log' can't take '5': expected a time with its unit, such as 250us, 5ms or 1s")
    }
  }
}
