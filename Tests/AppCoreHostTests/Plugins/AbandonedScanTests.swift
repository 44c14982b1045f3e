internal import AppCoreHost
import Foundation
import Testing

/// What becomes of the process that scans a plugin when the program ends meanwhile.
@Suite("Scans that are abandoned")
struct AbandonedScanTests {
  @Test(
    "However the program ends, neither the scan nor what the plugin has started goes on",
    arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func signals(_ signal: Int32) async throws {
    let bench = try Workbench()
    let path = try bench.write(FaultTests.manifest("MockFaults"), to: "app.yaml")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Project.build + "/appcore")
    process.arguments = ["check", path]
    process.environment = bench.options.environment.merging(["APPCORE_MOCK_FAULT": "load:leave"]) {
      $1
    }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    defer { process.terminate() }

    // The scanning process, its guard, and the one that the plugin has started.
    let deadline = ContinuousClock.now + .seconds(60)
    var group: Set<pid_t> = []
    while group.count < 3, ContinuousClock.now < deadline {
      try await Task.sleep(for: .milliseconds(20))
      group = Self.groups(startedBy: process.processIdentifier)
    }
    try #require(group.count >= 3, "the scan has begun")
    #expect(kill(process.processIdentifier, signal) == 0)
    // Its own limits would end the scan after five seconds and more.
    let end = ContinuousClock.now + .seconds(4)
    while !group.allSatisfy(Self.hasEnded), ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(20))
    }
    #expect(group.allSatisfy(Self.hasEnded))
  }

  /// What stands behind the name in a process's line of `/proc`: its state, its parent, its group.
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
