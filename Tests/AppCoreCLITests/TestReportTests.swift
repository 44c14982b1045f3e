import Testing

@testable import AppCoreCLI

@Suite("The report of tests")
struct TestReportTests {
  private func report(_ outcomes: [TestReport.Outcome]) -> TestReport {
    var report = TestReport()
    report.suites = [
      TestReport.Suite(
        name: "A \"B\" <C> & D", kind: "plugin",
        tests: outcomes.map { .init(name: "n\u{0}\u{1b}\n", outcome: $0, duration: .zero) },
        duration: .milliseconds(1204))
    ]
    return report
  }

  @Test("Its summary and status say how many tests failed")
  func summary() {
    #expect(report([.passed]).summary == "1 test passed")
    #expect(report([.passed, .skipped, .passed]).summary == "2 tests passed, 1 skipped")
    // A suite counts as the summary does.
    #expect(
      report([.passed, .skipped]).suites[0].text
        == "plugin A \"B\" <C> & D: 1 test passed, 1 skipped\n")
    #expect(
      report([.failed("no"), .passed, .skipped]).suites[0].text
        .hasPrefix("plugin A \"B\" <C> & D: 1 of 2 tests failed, 1 skipped\n"))
    let failed = report([.passed, .failed("no")])
    #expect(failed.summary == "1 of 2 tests failed")
    #expect(failed.exitStatus == 65)
    #expect(report([]).exitStatus == 0)
  }

  @Test("Nothing that a test says can break the XML")
  func junit() {
    let text = report([.failed("]]> <&>\"\u{7}\u{FFFE}\u{9F}"), .skipped]).junit
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="2" failures="1" errors="0" skipped="1" time="1.204">
          <testsuite name="A &quot;B&quot; &lt;C&gt; &amp; D" tests="2" failures="1" errors="0" \
        skipped="1" time="1.204">
            <testcase classname="plugin.A &quot;B&quot; &lt;C&gt; &amp; D" \
        name="n\u{FFFD}\u{FFFD}&#10;" time="0.000">
              <failure message="]]&gt; &lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}\u{FFFD}">\
        ]]&gt; &lt;&amp;&gt;&quot;\u{FFFD}\u{FFFD}\u{FFFD}</failure>
            </testcase>
            <testcase classname="plugin.A &quot;B&quot; &lt;C&gt; &amp; D" \
        name="n\u{FFFD}\u{FFFD}&#10;" time="0.000"><skipped/></testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test("A test that has begun and not ended is the one in which the process crashed")
  func crash() {
    let events = SwiftTestEvents(
      """
      {"kind":"test","payload":{"kind":"suite","id":"S","name":"S"}}
      {"kind":"test","payload":{"kind":"function","id":"S/a","name":"a()","displayName":"A"}}
      {"kind":"test","payload":{"kind":"function","id":"S/b","name":"b()"}}
      {"kind":"event","payload":{"kind":"testStarted","testID":"S/a","instant":{"absolute":1.5}}}
      {"kind":"event","payload":{"kind":"testStarted","testID":"S/b","instant":{"absolute":2}}}
      {"kind":"event","payload":{"kind":"issueRecorded","testID":"S/a","issue":{"isKnown":true},\
      "messages":[{"text":"known"}]}}
      {"kind":"event","payload":{"kind":"testEnded","testID":"S/a","instant":{"absolute":2.5}}}
      {"kind":"event","payload":{"ki
      """)
    #expect(events.tests.map(\.name) == ["A", "b()"])
    #expect(events.tests.first?.outcome == .passed)
    #expect(events.tests.first?.duration == .seconds(1))
    #expect(events.tests.last?.outcome.isFailure == true)
  }
}
