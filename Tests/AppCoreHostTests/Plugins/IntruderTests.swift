internal import AppCheck
import Foundation
import TestSupport
import Testing

/// What plugins can't do to other processes when they are scanned.
@Suite(
  "Plugins that reach out of a scan",
  .notSanitized("loads plugins that trap, which only a scan survives"))
struct IntruderTests {
  private static let manifest = """
    appcore: 1
    name: intruder
    plugins: [MockFaults]
    start: page
    nodes:
      page: { feature: MockFaults.Page }

    """

  @Test("One that signals the program is refused, and the program lives")
  func kills() async throws {
    let bench = try Workbench()
    let path = try bench.write(Self.manifest, to: "app.yaml")
    let output = try await bench.shell(
      "APPCORE_MOCK_FAULT=load:kill $BUILD/appcore check \(path); echo status $?")
    #expect(
      output.contains(
        "libMockFaults.so: it ended the scanning process with signal 31 (SIGSYS, a system call "
          + "that reaches another process) while it was loaded [plugin-unavailable]"), "\(output)")
    #expect(output.contains("status 69\n"))
  }

  @Test(
    "However the program ends, neither the scan nor what the plugin has started continues",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func abandoned(_ signal: Int32) async throws {
    let bench = try Workbench()
    let path = try bench.write(Self.manifest, to: "app.yaml")
    let environment = bench.options.environment.merging(["APPCORE_MOCK_FAULT": "load:leave"]) { $1 }
    // On a thread of its own: the program gives a scan ten seconds, whatever other tests do meanwhile.
    let result = await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(
          returning: Result { try Self.abandon(path, environment, by: signal) })
      }
    }
    let (begun, left) = try result.get()
    #expect(begun.count >= 3, "the scan did not begin")
    #expect(left == [])
  }

  /// Starts a check, ends it by a signal when the plugin is at work, and waits a while for what it has
  /// started to end.
  ///
  /// - Returns: the scanning process, its guard and what the plugin has started; and those that are left.
  private static func abandon(
    _ path: String, _ environment: [String: String], by signal: Int32
  ) throws -> (begun: Set<pid_t>, left: Set<pid_t>) {
    let process = try ChildProcess(
      Project.build + "/appcore", ["check", path], environment: environment)
    var group: Set<pid_t> = []
    while group.count < 3, process.isRunning {
      usleep(20_000)
      group = groups(startedBy: process.id)
    }
    process.send(signal)
    // Its own limits would end the scan after five seconds and more.
    for _ in 0..<200 where !group.allSatisfy(hasEnded) { usleep(20_000) }
    return (group, group.filter { !hasEnded($0) })
  }

  /// What is behind the name in a process's line of `/proc`: its state, its parent, its group.
  private static func line(of id: pid_t) -> [Substring] {
    let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)
    return text?.split(separator: ")").last?.split(separator: " ") ?? []
  }

  /// The members of the process groups of a process's children.
  private static func groups(startedBy id: pid_t) -> Set<pid_t> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    let processes = names.compactMap { pid_t($0) }.map { ($0, line(of: $0)) }
    let leaders = processes.filter { $1.count > 2 && $1[1] == "\(id)" }.map(\.0)
    return Set(
      processes.filter { $1.count > 2 && leaders.contains(pid_t($1[2]) ?? 0) }.map(\.0))
  }

  private static func hasEnded(_ id: pid_t) -> Bool {
    line(of: id).first.map { $0 == "Z" || $0 == "X" } ?? true
  }
}
