@_spi(Host) internal import AppCore
internal import Navigation
internal import Shell
import TestSupport
import Testing

@testable internal import AppCoreHost
@testable internal import Sessions

/// What a session knows beside the instances that are shown, when it is resumed and rewound.
@Suite("Resumed sessions that are rewound", .ownThread)
struct ContinuingTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String { folder.path + "/\(name).session" }

  private func app(_ session: AppSession) async throws -> App {
    let app = App(
      try WalkApp.loaded(FirstRule.self), dependencies: WalkApp.own(), profiler: nil,
      timeline: TimelineOptions())
    try await app.begin(session)
    await app.converse()
    _ = await app.show()
    return app
  }

  /// The session of an app that has made a step, in which `change` has changed something, resumed.
  private func resumed(_ change: (inout SessionImage) -> Void) async throws -> App {
    let first = try await app(AppSession(nil, file: path("first")))
    _ = await first.type("@step")
    var image = try #require(try await first.savedImage(path("first")))
    _ = await first.end(within: .seconds(1))
    change(&image)
    let changed = AppSession(nil, file: path("changed"))
    changed.write(image.whole)
    changed.file?.flush()
    let saved = try #require(try SavedSession.read(path("changed"), app: "walk", isShared: true))
    return try await app(AppSession(nil, file: path("second"), resuming: saved))
  }

  @Test("What is suspended stays so, with its data")
  func suspended() async throws {
    let app = try await resumed { image in
      image.moment.instances = image.moment.instances.mapValues {
        $0.with(.suspended($0.state.value ?? .null, reason: "it hung", isWholePlugin: false))
      }
    }
    let kept = await app.keptStates
    #expect(kept.first?.value?["count"] == 1)
    let shown = await app.type(":goto 1")
    #expect(shown.contains("! 'Walk.Walk' is suspended: it hung."), "\(shown)")
    _ = await app.type(":continue")
    #expect(await app.keptStates == kept)
    let saved = try await app.savedImage(path("second"))
    #expect(saved?.moment.instances.values.map(\.state) == kept)
    _ = await app.end(within: .seconds(1))
  }

  @Test("What is unplaced stays so, on what it was on")
  func unplaced() async throws {
    let app = try await resumed { image in
      let root = image.moment.instances.keys.first
      let left = SavedInstance(
        id: InstanceID(number: 1 << 63), node: "gone",
        place: root.map { .above($0) } ?? .layer(over: nil),
        order: 2, state: .value(7), encodedBy: .init(feature: "Walk.Gone", version: "1.0.0"))
      image.moment.instances[left.id] = left
    }
    _ = await app.type("@step", ":goto 1", ":continue", "@step", ":goto 2", ":continue")
    let image = try #require(try await app.savedImage(path("second")))
    let left = image.moment.instances.values.first { $0.node == "gone" }
    #expect(left?.state == .value(7))
    let current = try #require(await app.state.current)
    #expect(left?.place == .above(current))
    #expect(image.moment.instances.count == 2)
    _ = await app.end(within: .seconds(1))
  }

  @Test("A link that waited, and that the manifest does not have any more, is reported")
  func waitingLink() async throws {
    let app = try await resumed { $0.moment.waitingLink = "/nowhere" }
    let log = await app.logText()
    #expect(log.contains("the link that waited is not opened: at column 2, 'nowhere'"), "\(log)")
    _ = await app.end(within: .seconds(1))
  }
}

extension App {
  /// The states of the suspended instances.
  fileprivate var keptStates: [SavedInstance.State] { keeper.suspended.values.map(\.state) }

  /// The session as it is in its file once it is written.
  fileprivate func savedImage(_ path: String) throws -> SessionImage? {
    keeper.save(self)
    keeper.session?.file?.flush()
    return try SavedSession.read(path, app: "walk", isShared: true)?.image
  }
}
