internal import AppCore
import Foundation
internal import Navigation
internal import Support
import TestSupport
import Testing

@testable internal import AppCoreHost

/// When the code of plugins is loaded; `Tests/Transcripts/run/lazy.md` has what a person sees of it.
@Suite("Lazy plugins", .notSanitized("without a scan nothing is loaded before it is needed"))
struct LazyLoadingTests {
  @Test("Where nothing scans, everything is loaded before the app begins")
  func unscanned() async throws {
    let bench = try Workbench()
    let path = try bench.write(
      """
      appcore: 1
      plugins: [{ name: MockFaults, load: lazy }, Dialogs]
      start: ask
      nodes:
        ask: { feature: Dialogs.Confirm }
        page: { feature: MockFaults.Page }
      routes:
        - { from: ask, action: confirmed, push: page }
        - { from: any, action: [declined, left], do: ignore }

      """, to: "app.yaml")
    var options = bench.options
    for (scanner, isLoaded) in [(options.scanner, false), (nil, true)] {
      options.scanner = scanner
      let app = App(try LoadedApp.load(path, options: options))
      try await app.begin()
      #expect(app.loaded.isLoaded(plugin: "MockFaults") == isLoaded)
      await app.end()
    }
  }
}
