import Foundation
import Glibc
import TestSupport
import Testing

/// Reports of crashes that are kept in files; `Tests/Transcripts/program/crashes.md` has the command.
@Suite("Crash reports", .ownThread)
struct CrashReportTests {
  private static let manifest = CrashingApp.manifest

  private func crash(
    _ lines: [String], _ options: [String] = [], in reports: CrashReports,
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await Program.appcore(
      ["run", Self.manifest] + options, input: lines.map { $0 + "\n" }.joined(),
      environment: reports.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
        .merging(environment) { $1 })
  }

  @Test(
    "Without a supervisor the process itself leaves a report, whatever ends it in Swift code",
    arguments: ["trap", "segv", "bus", "abort", "index", "exit", "overflow", "thread", "loop"])
  func unsupervised(_ fault: String) async throws {
    let reports = try CrashReports()
    _ = try await crash(
      ["@add", "@fault = reduce \(fault)"], fault == "loop" ? ["--hang-limit", "0.5"] : [],
      in: reports)
    let report = try reports.last()
    #expect(reports.names.count == 1)
    #expect(report.kind == (fault == "loop" ? "hang" : "crash"))
    #expect(report.outcome == "ended")
    #expect(report.plugin?.name == "MockFaults" && report.plugin?.version == "1.0.0")
    #expect(report.plugin?.digest?.count == 64 && report.plugin?.buildID != nil)
    #expect(report.feature == "MockFaults.Faulty" && report.node == "faulty")
    #expect(report.call == "reduce(into:action:)")
    #expect(report.action == ".view(.faultTyped(…))")
    #expect(report.app == "crashes")
    // A thread that has exited has no calls any more.
    #expect(fault == "thread" || report.place?.module == "libMockFaults.so", "\(report)")
    #expect(fault == "thread" || report.calls.contains { $0.module == "libMockFaults.so" })
    #expect(
      report.log.suffix(3) == [
        "line 1: @add", "faulty: MockFaults.Faulty.view.addTapped", "line 2: @fault",
      ], "\(report.log)")
    // Nothing that was typed.
    let file = reports.folder.appendingPathComponent(reports.names[0])
    #expect(try !String(contentsOf: file, encoding: .utf8).contains("reduce \(fault)"))
    let mode = { (path: String) in
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    #expect(try mode(file.path) == 0o600)
    #expect(try mode(reports.folder.path) == 0o700)
  }

  @Test("A supervisor says what each crash led to, up to the suspension and the end")
  func outcomes() async throws {
    let reports = try CrashReports()
    let lines = ["@fault = reduce trap", "@fault = effect kill", "@fault = reduce trap"]
    let run = try await crash(lines, ["--supervise", "--json"], in: reports)
    #expect(run.status == 0, "\(run.errors)")
    let first = try reports.all
    #expect(first.map(\.outcome) == ["restored", "restored", "suspended"])
    #expect(first.map(\.cause) == ["SIGILL", "SIGKILL", "SIGILL"])
    #expect(first.last?.suspension == "it crashed twice in reduce(into:action:)")
    #expect(first.map(\.plugin?.name) == ["MockFaults", nil, "MockFaults"])
    #expect(first.map(\.log.last) == (1...3).map { "line \($0): @fault" })
    // What ends a process without a word three times within a minute ends the app.
    let end = try await crash(
      Array(repeating: "@fault = effect kill", count: 3), ["--supervise", "--json"], in: reports)
    #expect(end.status == 70, "\(end.errors)")
    #expect(try reports.all.dropFirst(3).map(\.outcome) == ["restored", "restored", "ended"])
  }

  @Test("What is typed in the place of a command is in no report")
  func typedCommand() async throws {
    let reports = try CrashReports()
    _ = try await crash(
      [":hunter2 rest", ":back", "@fault = reduce trap"], ["--json", "--live"], in: reports)
    #expect(
      try reports.last().log.suffix(4) == [
        "line 1: a line [unknown-command]", "line 2: :back", "appcore.navigate.back",
        "line 3: @fault",
      ])
  }

  @Test("A service has its reports in its state folder")
  func service() async throws {
    let reports = try CrashReports()
    let folder = reports.state.path + "/service"
    _ = try await crash(
      ["@fault = reduce trap"], in: reports, environment: ["STATE_DIRECTORY": folder + ":/other"])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/crashes").count == 1)
    #expect(reports.names.isEmpty)
  }

  @Test("Without a cache, so that the plugin's copy is gone by then, a report has the build ID")
  func withoutCache() async throws {
    let reports = try CrashReports()
    _ = try await crash(
      ["@fault = reduce trap"], ["--supervise", "--json"], in: reports,
      environment: ["HOME": "", "XDG_CACHE_HOME": ""])
    #expect(try reports.last().plugin?.buildID != nil)
  }

  @Test("At most 100 reports are kept: the oldest goes, and other files stay")
  func limit() async throws {
    let reports = try CrashReports()
    for number in 1...120 {
      try reports.state.write(
        "appcore/crashes/20260101T000000Z-\(number).json", "{\"format\":1")
    }
    try reports.state.write("appcore/crashes/notes.txt", "mine")
    _ = try await crash(["@fault = reduce trap"], in: reports)
    let names = try FileManager.default.contentsOfDirectory(atPath: reports.folder.path)
    #expect(names.count == 101 && names.contains("notes.txt"))
    #expect(!names.contains("20260101T000000Z-21.json"))
    #expect(names.contains { $0.hasSuffix("Z-121.json") })
  }

  @Test("Where reports can't be written, the app continues, and says so once")
  func unwritable() async throws {
    let reports = try CrashReports()
    // A file in the place of the folder: root may write into any folder.
    try reports.state.write("appcore", "not a folder")
    let lines = ["@fault = reduce trap", ":sleep 2", "@fault = screen trap", ":sleep 2", "@add"]
    let run = try await crash(lines, ["--supervise", "--json"], in: reports)
    #expect(run.status == 0, "\(run.errors)")
    let told = run.errors.components(separatedBy: "crash reports can't be written to ")
    #expect(told.count == 2, "\(run.errors)")
    #expect(told.last?.contains("/appcore/crashes: Not a directory") == true, "\(run.errors)")
    // The last line of a process names who has ended it.
    let alone = try await crash(["@fault = reduce trap"], in: reports)
    #expect(alone.errors.split(separator: "\n").last?.hasPrefix("appcore: ended by ") == true)
  }

  @Test("Any bytes in the place of a report are skipped, or read as one")
  func damaged() async throws {
    let reports = try CrashReports()
    _ = try await crash(["@fault = reduce trap"], in: reports)
    let name = try #require(reports.names.first)
    let whole = [UInt8](
      try Data(contentsOf: reports.folder.appendingPathComponent(name)))
    var random = SplitMix64(seed: 37)
    for number in 2...80 {
      var bytes = whole
      switch number % 4 {
      case 0: bytes = Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
      case 1: bytes = (0..<500).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      case 2: bytes = Array(repeating: UInt8(ascii: "["), count: 1 << 20)
      default:
        bytes[Int.random(in: 0..<bytes.count, using: &random)] =
          .random(in: .min ... .max, using: &random)
      }
      try Data(bytes).write(to: reports.folder.appendingPathComponent("0T0Z-\(number).json"))
    }
    for options in [[], ["--json"]] {
      let list = try await Program.appcore(
        ["crashes"] + options, environment: reports.environment)
      #expect(list.status == 0, "\(list.errors)")
      #expect(list.output.contains("MockFaults"))
      // A third of the whole ones has another byte in a text.
      #expect(list.errors.components(separatedBy: "appcore: skips ").count > 60)
    }
  }

  @Test("A refused update is reported once, with its code, and the app continues")
  func refusedUpdate() async throws {
    let reports = try CrashReports()
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent(Self.manifest), encoding: .utf8)
    func refuse() async throws -> ProgramResult {
      try folder.write("app.yaml", text)
      return try await Program.run(
        "/bin/bash",
        [
          "-c",
          """
          cd '\(folder.path)'; : > screens
          { echo @add; until grep -q '"screen":2' screens; do sleep 0.05; done
            sed -i 's/start: home/start: hmoe/' app.yaml
            echo :reload; echo :reload; echo :path; } |
            '\(buildFolder.path)/appcore' run app.yaml --json > screens
          """,
        ], environment: reports.environment)
    }
    let run = try await refuse()
    #expect(run.status == 0, "\(run.errors)")
    let report = try reports.last()
    #expect(reports.names.count == 1)
    #expect(report.kind == "refused-update" && report.outcome == "continued")
    #expect(report.cause == "manifest-not-reloaded" && report.app == "crashes")
    // However many there are, there is room for crashes.
    let file = try String(
      contentsOf: reports.folder.appendingPathComponent(reports.names[0]), encoding: .utf8)
    for number in 2...30 {
      try reports.state.write("appcore/crashes/20260101T000000Z-\(number).json", file)
    }
    _ = try await refuse()
    #expect(reports.names.count == 20 && reports.names.last?.hasSuffix("Z-31.json") == true)
  }

  @Test("With the symbols of its bundle, a crash has the line of the source")
  func symbols() async throws {
    let reports = try CrashReports()
    let bundles = try TemporaryFolder()
    let made = try await Program.appcore([
      "bundle", Self.manifest, "--with-runtime=no", "-o", bundles.path + "/crashes",
      "--symbols", bundles.path + "/symbols.tar.gz",
    ])
    #expect(made.status == 0, "\(made.errors)")
    let lines = [
      "trap": "preconditionFailure", "segv": "pointee = 1", "index": "[Int]()[",
      "overflow": "overflow(",
    ]
    for (number, (fault, expected)) in lines.sorted(by: { $0.key < $1.key }).enumerated() {
      _ = try await Program.appcore(
        ["run", bundles.path + "/crashes"], input: "@fault = reduce \(fault)\n",
        environment: reports.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 })
      let report = try reports.last(of: number + 1)
      #expect(report.lock?.count == 64)
      let shown = try await Program.appcore(
        ["crashes", "\(number + 1)", "--symbols", bundles.path + "/symbols.tar.gz"],
        environment: reports.environment)
      #expect(shown.status == 0, "\(shown.errors)")
      let source = try #require(
        shown.output.firstMatch(of: #/Faulty\.swift:([1-9]\d*):\d+/#), "\(fault): \(shown.output)")
      let line = try String(
        contentsOf: packageFolder.appendingPathComponent(
          "Tests/Fixtures/MockPlugins/MockFaults/Faulty.swift"), encoding: .utf8
      ).components(separatedBy: "\n").dropFirst((Int(source.1) ?? 1) - 1).first
      #expect(line?.contains(expected) == true, "\(fault): \(line ?? "")\n\(shown.output)")
    }
    let other = try await Program.appcore([
      "bundle", "Tests/Fixtures/manifests/mocks/counter.yaml", "--with-runtime=no",
      "-o", bundles.path + "/other", "--symbols", bundles.path + "/other.tar.gz",
    ])
    #expect(other.status == 0, "\(other.errors)")
    let wrong = try await Program.appcore(
      ["crashes", "1", "--symbols", bundles.path + "/other.tar.gz"],
      environment: reports.environment)
    #expect(wrong.status == 65)
    #expect(wrong.errors.contains("has no symbols of plugin 'MockFaults' in build "))
  }
}
