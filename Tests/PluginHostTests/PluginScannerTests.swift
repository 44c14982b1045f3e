import Foundation
import Testing

@testable import PluginHost

@Suite("PluginScanner")
struct PluginScannerTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// A scanner whose process leaves a mark for each time it runs.
  func scanner(_ script: String, form: String = "1", limits: ScanLimits = ScanLimits()) throws
    -> PluginScanner
  {
    let script = "echo run >> '\(workshop.path("runs"))'; \(script)"
    let process = ScanProcess(
      executable: "/bin/sh", arguments: ["-c", script, "scan"],
      environment: ["PATH": "/usr/bin:/bin"], limits: limits)
    let cache = ScanCache(environment: workshop.environment, form: form)
    return PluginScanner(process: process, cache: cache)
  }

  var runs: Int {
    let text = try? String(contentsOfFile: workshop.path("runs"), encoding: .utf8)
    return text?.split(separator: "\n").count ?? 0
  }

  func judged(_ path: String) throws -> JudgedPlugin { try workshop.loader().open(path: path) }

  @Test("The process is given the path, and runs once for each content and form")
  func once() throws {
    let path = try workshop.plugin("Scanned", answer: "one")
    let answer = Array("\(path)\n\n".utf8)
    for _ in 0..<3 {
      #expect(try scanner("echo \"$1\"; echo").scan(try judged(path)) == answer)
    }
    #expect(runs == 1)
    _ = try scanner("echo", form: "2").scan(try judged(path))
    #expect(runs == 2)
    try workshop.plugin("Scanned", answer: "two")
    _ = try scanner("echo").scan(try judged(path))
    #expect(runs == 3)
  }

  @Test("The same bytes elsewhere need no other scan")
  func elsewhere() throws {
    let path = try workshop.plugin("Scanned")
    let other = workshop.path("other.so")
    try FileManager.default.copyItem(atPath: path, toPath: other)
    #expect(try scanner("echo x").scan(try judged(path)) == Array("x\n".utf8))
    #expect(try scanner("echo y").scan(try judged(other)) == Array("x\n".utf8))
    #expect(runs == 1)
  }

  @Test("A plugin that crashes is in quarantine, with its last words, until it changes")
  func quarantine() throws {
    let path = try workshop.plugin("Crashing", answer: "one")
    var problems: Set<PluginProblem> = []
    for _ in 0..<3 {
      problems.insert(
        try workshop.problem {
          try scanner("echo words >&2; kill -ILL $$").scan(try judged(path))
        })
    }
    let cause = PluginProblem.Cause.scanSignal(SIGILL, errorTail: "words\n")
    #expect(problems == [PluginProblem(.scanned, path: path, cause)])
    #expect(runs == 1)
    try workshop.plugin("Crashing", answer: "two")
    #expect(try scanner("echo well").scan(try judged(path)) == Array("well\n".utf8))
  }

  @Test("What may be the machine's fault is tried again")
  func transient() throws {
    let path = try workshop.plugin("Slow")
    let limits = ScanLimits(time: .milliseconds(100))
    for script in ["sleep 10", "kill -KILL $$", "exit 1"] {
      #expect(throws: PluginProblem.self) {
        try scanner(script, limits: limits).scan(try judged(path))
      }
    }
    #expect(try scanner("echo well").scan(try judged(path)) == Array("well\n".utf8))
    #expect(runs == 4)
  }

  @Test("A file that changes during its scan has no answer")
  func changed() throws {
    let path = try workshop.plugin("Moving")
    let problem = try workshop.problem {
      try scanner("echo >> \"$1\"; echo answer").scan(try judged(path))
    }
    #expect(problem == PluginProblem(.scanned, path: path, .changedWhileRead))
    #expect(!FileManager.default.fileExists(atPath: workshop.path("cache/appcore/scans/x")))
  }

  @Test("An entry that is cut off or nonsense is no entry")
  func damagedEntry() throws {
    let path = try workshop.plugin("Stored")
    _ = try scanner("echo a long answer").scan(try judged(path))
    let folder = workshop.path("cache/appcore/scans")
    let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
    let entry = try workshop.read(folder + "/" + name)
    for count in 0..<entry.count {
      try workshop.write(Array(entry.prefix(count)), to: "cache/appcore/scans/\(name)")
      let cache = try #require(ScanCache(environment: workshop.environment, form: "1"))
      #expect(cache.outcome(for: try judged(path)) == nil, "cut at \(count)")
    }
  }
}
