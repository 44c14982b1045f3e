import AppCore
internal import Support
import Testing

@testable import Navigation

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
    let entries = app.state.journal.entries
    #expect(entries.map(\.number) == Array(1...entries.count))
    let emitter = Journal.Origin.instance(list, node: Place.list.node, action: "go")
    #expect(
      entries.map(\.origin)
        == [.app, emitter, emitter, emitter, .person("dismiss"), emitter, emitter])
    let words = entries.map { entry in
      switch entry.event {
      case .delegate: "delegate"
      case .navigated(let verbs): verbs.joined(separator: ", ")
      case .notified(_, let node, let input): "\(input) for \(Place.allCases[node])"
      case .refused(_, _, let refusal): refusal.code
      default: "other"
      }
    }
    #expect(
      words == [
        "start", "delegate", "push", "told for detail", "not-in-modal", "delegate", "not-current",
      ])
    #expect(entries.allSatisfy { $0.duration >= .zero })
    #expect(entries[2].duration > .zero)
  }

  @Test("Only the latest entries are kept, and they are had from a number on")
  func ring() {
    var journal = Journal()
    for _ in 0..<1000 { journal.append(.navigated(verbs: []), by: .app) }
    #expect(journal.count == 1000)
    #expect(journal.entries.map(\.number) == Array(745...1000))
    #expect(journal.entries(after: 998).map(\.number) == [999, 1000])
    #expect(journal.entries(after: 1000).isEmpty)
    #expect(journal.entries(after: 3).count == Journal.limit)
  }
}
