@_spi(Host) import AppCore
internal import Support
import Testing

@_spi(Host) @testable import Navigation

@MainActor
@Suite("Journal")
struct JournalTests {
  @Test("Every step says who asked for it and what came of it")
  func origins() throws {
    let app = try TestApp(
      .home, (.list, "go", [.push(.detail), .tell(.current)]))
    let list = try app.last(.list)
    try app.emit(.list, "go=a")
    app.store.send(.navigate(.dismiss))
    try app.emit(list, "go=a")
    let events = app.state.journal.events
    #expect(events.map(\.number) == Array(1...events.count))
    let emitter = NavigationEvent.Origin.instance(list, node: "list", action: "go")
    #expect(
      events.map(\.origin)
        == [.app, emitter, emitter, emitter, .person(command: "dismiss"), emitter, emitter])
    let words = events.map { event in
      switch event.outcome {
      case .emitted: "delegate"
      case .navigated(let verbs): verbs.joined(separator: ", ")
      case .notified(_, let node, let input): "\(input) for \(node)"
      case .refused(_, _, let refusal): refusal.code
      default: "other"
      }
    }
    #expect(
      words == [
        "start", "delegate", "push", "told for detail", "not-in-modal", "delegate", "not-current",
      ])
    #expect(events.allSatisfy { $0.duration >= .zero })
    #expect(events[2].duration > .zero)
  }

  @Test("Only the latest events are kept, and they can be read from a given number")
  func ring() {
    var journal = Journal()
    for _ in 0..<1000 { journal.append(.navigated(verbs: []), by: .app) }
    #expect(journal.count == 1000)
    #expect(journal.events.map(\.number) == Array(745...1000))
    #expect(journal.events(after: 998).map(\.number) == [999, 1000])
    #expect(journal.events(after: 1000).isEmpty)
    #expect(journal.events(after: 3).count == Journal.limit)
  }

  @Test("A reload says what did not continue, of a plugin as of the manifest")
  func losses() throws {
    func text(of plugin: NavigationEvent.PluginChange?) throws -> String? {
      let app = try TestApp(.list)
      app.store.send(
        .adopt(
          Replacement(
            app.graph, features: FeatureTable(app.features),
            layout: Layout([
              Layout.Entry(
                node: Place.list.node, arguments: [:], place: .layer(over: nil), origin: .restored,
                order: 1)
            ]),
            reload: NavigationEvent.Reload(
              plugin: plugin, instances: 1, losses: "'list' starts afresh: it was damaged"),
            isAsked: true)))
      return app.state.journal.events.last?.text
    }
    #expect(
      try text(of: nil)
        == "the manifest was reloaded; 1 instance continues; 'list' starts afresh: it was damaged")
    #expect(
      try text(of: .init(name: "Mock", from: "1.0.0", to: "2.0.0"))
        == "'Mock' was replaced, version 1.0.0 by 2.0.0; 1 instance continues with it; "
        + "'list' starts afresh: it was damaged")
  }
}
