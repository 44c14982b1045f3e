internal import AppCore
import Foundation
internal import Navigation
import TestSupport
import Testing

@testable internal import AppCoreHost

@Suite("The profile of an app")
struct ProfilerTests {
  typealias Span = SpeedscopeProfile.Span

  /// The file that is written of a memory.
  private func file(_ memory: ProfileMemory) throws -> SpeedscopeProfile {
    var file = SpeedscopeFile(memory, title: "timed.yaml")
    var bytes: [UInt8] = []
    try file.write { bytes += $0 }
    return try SpeedscopeProfile(Data(bytes))
  }

  @Test("Each action has a frame, within that of its instance, as long as it took")
  func actions() async throws {
    let memory = try ProfileMemory(limit: 100)
    let app = try await TimedApp(profile: memory)
    _ = await app.type("@quick", "@slow", "@open")
    let file = try file(memory)
    let first = "first #0.0"
    let millisecond = 1_000_000
    #expect(
      file.spans.filter { !$0.stack.contains("Timed.Work.screen()") } == [
        Span(["appcore.navigate.begin"], 0, 4 * millisecond),
        Span([first, "Timed.Work.view.quickTapped"], 4 * millisecond, 5 * millisecond),
        Span([first, "Timed.Work.view.slowTapped"], 5 * millisecond, 12 * millisecond),
        Span([first, "Timed.Work.view.openTapped"], 12 * millisecond, 12 * millisecond),
        Span([first, "Timed.Work.delegate.opened"], 12 * millisecond, 16 * millisecond),
      ])
    #expect(file.spans.last?.stack == ["second #1.0", "Timed.Work.screen()"])
    #expect(file.samples.isEmpty)
  }

  @Test("Each effect is a sample under the action that it answers, also if it still runs")
  func effects() async throws {
    let memory = try ProfileMemory(limit: 100)
    let app = try await TimedApp(profile: memory)
    _ = await app.type("@effect", "@wait")
    app.stopwatch.spend(20)
    app.profiler.finish { _ in }
    let file = try file(memory)
    #expect(
      file.samples.map(\.stack) == [
        ["first #0.0", "Timed.Work.view.effectTapped"],
        ["first #0.0", "Timed.Work.view.waitTapped"],
      ])
    // What it sends is reduced while it runs: it waits for that.
    #expect(file.samples.map(\.weight) == [13_000_000, 20_000_000])
  }

  @Test("Of very many actions the newest are kept, in as much memory as at first")
  func bounded() async throws {
    let memory = try ProfileMemory(limit: 10)
    let app = try await TimedApp(profile: memory)
    for _ in 0..<50 { _ = await app.type("@quick") }
    let file = try file(memory)
    #expect(file.spans.count == 10)
    #expect(file.spans.last?.end == 54_000_000)
    #expect(
      SpeedscopeFile.losses(of: memory)
        == "the newest 10 of \(memory.count(.action)) actions and screens")
    #expect(memory.count(.action) > 100)
    for _ in 0..<11 { memory.append(.init(), .effect) }
    #expect(
      SpeedscopeFile.losses(of: memory)?.hasSuffix("screens and the newest 10 of 11 effects")
        == true)
  }

  @Test("A process that continues after a crash adds to what the one before has recorded")
  func continued() async throws {
    let memory = try ProfileMemory(limit: 100)
    let clock = Stopwatch()
    let former = try await TimedApp(stopwatch: clock, profile: memory)
    _ = await former.type("@quick")
    memory.isWritten = true
    clock.spend(100)
    let next = try await TimedApp(stopwatch: clock, profile: memory)
    #expect(memory.isDue)
    _ = await next.type("@quick")
    let file = try file(memory)
    #expect(
      file.actions.filter { !$0.hasSuffix("screen()") } == [
        "appcore.navigate.begin", "Timed.Work.view.quickTapped", "appcore.navigate.begin",
        "Timed.Work.view.quickTapped",
      ])
    #expect(file.spans.last?.end == 110_000_000)
  }

  @Test("Nothing that an action carries is in the profile")
  func secrets() async throws {
    let memory = try ProfileMemory(limit: 100)
    let app = try await TimedApp(profile: memory)
    _ = await app.type("@password hunter2")
    let file = try file(memory)
    #expect(file.actions.contains("Timed.Work.view.passwordChanged"))
    #expect(!file.frames.joined().contains("hunter2"))
  }

  @Test("Memory that something has overwritten makes no file that can't be read")
  func damaged() throws {
    let memory = try ProfileMemory(limit: 10)
    memory.start = 1000
    let name = memory.add("Timed.Work.view.\u{1b}[31m\"quick\"\n")
    for (start, duration, name) in [
      (Int.max, Int.max, name), (Int.min, 1, name), (2000, -5, 7), (5, Int.min, UInt32.max),
    ] {
      for kind in ProfileMemory.Kind.allCases {
        memory.append(.init(start: start, duration: duration, name: name, node: 99), kind)
      }
    }
    let file = try file(memory)
    #expect(file.spans.count == 4)
    #expect(file.samples.count == 4)
    #expect(file.actions.last == "(unknown)")
  }

  @Test("Names that there is no room for are left out, and what was recorded is not")
  func names() throws {
    let memory = try ProfileMemory(limit: 10)
    let profiler = Profiler(memory, now: { 5 })
    profiler.begin()
    let long = String(repeating: "x", count: 600_000)
    for name in [long, long + "y", "short"] { profiler.ran(name, at: nil, from: 5, for: 1) }
    #expect(try file(memory).actions == [long, "(unknown)", "short"])
  }
}
