internal import FullScreen
internal import LineEditor
import TestSupport
import Testing

@testable internal import AppCoreHost

@Suite("Keys that are handled while others wait")
struct OverlappingKeysTests {
  private func press(_ text: String, in app: App) async -> Int? {
    await app.converse {
      let keys = text.unicodeScalars.map { (KeyPress($0 == "\r" ? .enter : .scalar($0)), 0) }
      return await $0.press(keys, history: History(), in: $1).frame.picture?.keyCount
    }
  }

  @Test("Each key counts once: pictures never say that fewer were handled than one before said")
  func counted() async throws {
    let bench = try Workbench()
    let app = App(
      try LoadedApp.load(
        text: """
          appcore: 1
          name: counter
          plugins: [MockSlow]
          start: counter
          nodes: { counter: { feature: MockSlow.Counter } }
          """, path: "counter.yaml", options: bench.options))
    try await app.begin()
    await app.converse()
    await app.converse { conversation, _ in
      _ = conversation.show(fullScreen: GridSize(columns: 80, rows: 24), noticesAfter: 0)
    }
    // The key behind the line waits until it is cancelled.
    let first = Task { await press(":sleep 600\rx", in: app) }
    while await app.converse({ conversation, _ in conversation.keyCount }) < 11 {
      await Task.yield()
    }
    #expect(await press("ab", in: app) == 13)
    first.cancel()
    #expect(await first.value == 14)
    #expect(await press("", in: app) == 14)
  }
}
