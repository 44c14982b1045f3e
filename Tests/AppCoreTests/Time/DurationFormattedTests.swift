import AppCore
import Testing

@Suite("Durations for people")
struct DurationFormattedTests {
  @Test(
    "A duration is written in whole seconds, in three styles",
    arguments: [
      (Duration.zero, "0:00:00", "0:00", "0 sec"),
      (.seconds(9), "0:00:09", "0:09", "9 sec"),
      (.milliseconds(59_500), "0:01:00", "1:00", "1 min"),
      (.milliseconds(-499), "0:00:00", "0:00", "0 sec"),
      (.seconds(-3_909), "-1:05:09", "-65:09", "-1 hr, 5 min, 9 sec"),
      (.seconds(3_909), "1:05:09", "65:09", "1 hr, 5 min, 9 sec"),
      (.seconds(7_200), "2:00:00", "120:00", "2 hr"),
    ])
  func styles(duration: Duration, time: String, minutes: String, units: String) {
    #expect(duration.formatted(.time) == time)
    #expect(duration.formatted(.minutes) == minutes)
    #expect(duration.formatted(.units) == units)
  }

  @Test("The longest durations are written, too")
  func longest() {
    for duration in [Duration.seconds(Int64.max), .seconds(Int64.min)] {
      #expect(
        duration.formatted(.time).hasSuffix(":07") || duration.formatted(.time).hasSuffix(":08"))
    }
  }
}
