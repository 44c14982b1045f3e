import Navigation
import Sessions
import Testing

@testable import Supervision

@Suite("Going on after crashes")
struct RestartPolicyTests {
  private let second = 1_000_000_000

  private func end(
    _ plugin: String, at seconds: Int, digest: String = "d1", instance: String = "1.0",
    action: String = "tapped", wasRunning: Bool = true, hasLostState: Bool = false,
    retried: Set<String> = []
  ) -> WorkerCrash {
    var report = CrashReport()
    report.plugin = plugin
    if !plugin.isEmpty {
      (report.node, report.call, report.action) = ("page", "reduce(into:action:)", action)
      report.instance = instance
    }
    return WorkerCrash(
      time: seconds * second, wasRunning: wasRunning, report: report,
      identity: SessionIdentity(
        app: "a", manifest: "m",
        plugins: plugin.isEmpty
          ? [] : [.init(name: plugin, version: "1", digest: digest)], nodes: []),
      hasLostState: hasLostState, retriedPlugins: retried)
  }

  private func policy(_ ends: [WorkerCrash], digest: String = "d1") -> RestartPolicy {
    RestartPolicy(after: ends, digests: ["Bad": digest])
  }

  @Test("One crash suspends nothing")
  func once() {
    #expect(policy([end("Bad", at: 1)]).suspensions == Suspensions())
    #expect(policy([]).suspensions == Suspensions())
  }

  @Test("The same action on the same node a second time suspends the instance")
  func twice() {
    let ends = [end("Bad", at: 1), end("Bad", at: 2, instance: "7.2")]
    #expect(
      policy(ends).suspensions.instances
        == [InstanceID(number: 7 << 32 | 2): "it crashed twice in reduce(into:action:)"])
    #expect(policy(ends).suspensions.plugins.isEmpty)
    let others = [end("Bad", at: 1), end("Bad", at: 2, action: "typed")]
    #expect(policy(others).suspensions == Suspensions())
  }

  @Test("Three crashes within 10 minutes suspend the plugin, until its file is another one")
  func plugin() {
    let ends = (0..<3).map { end("Bad", at: $0 * 200, action: "\($0)") }
    #expect(
      policy(ends).suspensions.plugins == ["Bad": "it crashed 3 times within 10 minutes"])
    #expect(policy(ends, digest: "d2").suspensions.plugins.isEmpty)
    let slow = (0..<3).map { end("Bad", at: $0 * 400, action: "\($0)") }
    #expect(policy(slow).suspensions.plugins.isEmpty)
  }

  @Test("A plugin that the user has resumed is not suspended again for its earlier crashes")
  func retried() {
    let crashes = (0..<3).map { end("Bad", at: $0, action: "\($0)") }
    let other = end("Other", at: 3600)
    #expect(!policy(crashes + [other]).suspensions.plugins.isEmpty)
    let later = end("Other", at: 3600, retried: ["Bad"])
    #expect(policy(crashes + [later]).suspensions == Suspensions())
    #expect(policy(crashes + [later, other]).suspensions.plugins.isEmpty)
    let again = (0..<3).map { end("Bad", at: 3700 + $0, action: "\($0)") }
    #expect(policy(crashes + [later] + again).suspensions.plugins.keys.sorted() == ["Bad"])
    let restoring = end("Bad", at: 1, wasRunning: false)
    #expect(policy([restoring, later]).suspensions == Suspensions())
  }

  @Test("A crash while the app is being restored suspends the plugin at once")
  func restoring() {
    for action in ["", "tapped"] {
      let suspensions = policy([
        end("Bad", at: 1), end("Bad", at: 2, action: action, wasRunning: false),
      ]).suspensions
      #expect(suspensions.plugins == ["Bad": "it crashed while the app was being restored"])
      // Another instance has the identifier in the image that this one had while it was restored.
      #expect(suspensions.instances.isEmpty)
    }
  }

  @Test("Three crashes within a minute of which nobody is known to be the culprit end the app")
  func unknown() {
    #expect(!policy([end("", at: 0), end("", at: 20)]).givesUp)
    #expect(policy([end("", at: 0), end("", at: 20), end("", at: 59)]).givesUp)
    #expect(!policy([end("", at: 0), end("", at: 20), end("", at: 61)]).givesUp)
    #expect(!policy([end("", at: 0), end("", at: 1), end("Bad", at: 2)]).givesUp)
  }

  @Test("Crashes that have lost the state count as well, whoever is the culprit")
  func lost() {
    let ends = (0..<3).map { end("Bad", at: $0, action: "\($0)", hasLostState: true) }
    #expect(policy(ends).givesUp)
    #expect(!policy(Array(ends.dropLast())).givesUp)
    #expect(policy([end("", at: 0)] + ends.dropFirst()).givesUp)
    #expect(!policy(ends.dropLast() + [end("Bad", at: 2)]).givesUp)
  }

  @Test("What decides nothing any more is forgotten, and suspensions stay")
  func remembered() {
    var ends: [WorkerCrash] = []
    for hour in 0..<1000 { ends = RestartPolicy.remembered(ends + [end("", at: hour * 3600)]) }
    #expect(ends == [end("", at: 999 * 3600)])
    let restoring = end("Bad", at: 0, wasRunning: false)
    ends = RestartPolicy.remembered([restoring])
    for hour in 1..<1000 { ends = RestartPolicy.remembered(ends + [end("", at: hour * 3600)]) }
    #expect(policy(ends).suspensions.plugins.keys.sorted() == ["Bad"])
    ends = RestartPolicy.remembered(ends + [end("", at: 1001 * 3600, retried: ["Bad"])])
    ends = RestartPolicy.remembered(ends + [end("", at: 1002 * 3600)])
    #expect(policy(ends).suspensions == Suspensions())
    for hour in 0..<1000 {
      ends = RestartPolicy.remembered(ends + [end("Bad", at: hour * 3600, action: "\(hour)")])
    }
    #expect(ends.count == RestartPolicy.crashLimit)
    #expect(ends.last == end("Bad", at: 999 * 3600, action: "999"))
    // A suspension lasts, however often another plugin crashes.
    ends = [restoring]
    for hour in 1..<1000 {
      ends = RestartPolicy.remembered(ends + [end("Other", at: hour * 3600, action: "\(hour)")])
    }
    #expect(policy(ends).suspensions.plugins.keys.contains("Bad"))
    let recent = (0..<3).map { end("", at: $0 * 20) }
    #expect(policy(RestartPolicy.remembered(recent)).givesUp)
  }

  @Test("A report of a crash is read as it was written, and nothing else is")
  func report() {
    var report = CrashReport()
    report.plugin = "Bad"
    report.action = ".view(.typed(\"日本\"))"
    report.cause = "SIGSEGV"
    #expect(CrashReport(report.bytes) == report)
    #expect(CrashReport([]) == nil)
    #expect(CrashReport(Array("nonsense".utf8)) == nil)
    #expect(CrashReport(report.bytes + [1]) == nil)
  }
}
