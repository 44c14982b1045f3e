import TestSupport
import Testing

@testable import AppCore

@Suite(
  "Deep presentations", .timeLimit(.minutes(2)), .notThreadSanitized("nests more than 65,536 calls")
)
struct CallStackTests {
  @Test("The contents of nested presentations are released before the release returns")
  func waits() async {
    struct Holder: Sendable {
      let object: Counted
      @Presented var next: Holder?
    }
    let count = LifeCount()
    let alive = await onSmallStack {
      var holder: Holder?
      for number in 0..<2_000 { holder = Holder(object: Counted(number, count), next: holder) }
      let before = count.alive
      holder = nil
      return [before, count.alive]
    }
    #expect(alive == [2_000, 0])
  }

  @Test("An action for a child presented deeper than the stack allows is dropped and reported")
  func presented() async {
    let depth = 4_000
    let reports = Reports()
    let reached = await onSmallStack {
      let reducer = Level.reducer
      var level = Level.nested(depth)
      RuntimeIssue.$handler.withValue({ reports.add($0) }) {
        _ = reducer.reduce(into: &level, action: Level.at(1, .add))
        _ = reducer.reduce(into: &level, action: Level.at(depth, .add))
      }
      let counts = level.counts(from: 0)
      return [counts[1], counts[depth], counts.reduce(0, +)]
    }
    #expect(reached == [1, 0, 1])
    #expect(reports.all.count == 1)
    #expect(reports.all.first?.contains("nested deeper than this thread's stack allows") == true)
  }

  @Test("An action for an element nested deeper than the stack allows is dropped and reported")
  func tooDeep() async throws {
    struct Folder: Identifiable, Sendable {
      let id: Int
      var count = 0
      var folders: IdentifiedArray<Folder> = []
    }
    indirect enum FolderAction: ComponentAction {
      case add
      case folders(IdentifiedAction<Int, FolderAction>)
    }
    let depth = 1_000
    let reports = Reports()
    let reached = await onSmallStack {
      let reducer = Recurse<Folder, FolderAction> { itself in
        Reduce<Folder, FolderAction> { folder, action in
          if case .add = action { folder.count += 1 }
          return .none
        }
        .forEach(
          \.folders, action: /FolderAction.folders, element: { itself }, fileID: "Folder.swift",
          line: 1)
      }
      func at(_ depth: Int) -> FolderAction {
        (0..<depth).reduce(.add) { action, _ in .folders(.element(id: 1, action: action)) }
      }
      var folder = (0..<depth).reduce(Folder(id: 1)) { folder, _ in
        Folder(id: 1, folders: [folder])
      }
      RuntimeIssue.$handler.withValue({ reports.add($0) }) {
        _ = reducer.reduce(into: &folder, action: at(1))
        _ = reducer.reduce(into: &folder, action: at(depth))
      }
      return folder.folders[id: 1]?.count
    }
    #expect(reached == 1)
    #expect(
      reports.all == [
        """
        forEach at Folder.swift:1: children are nested deeper than this thread's stack allows; \
        the action was dropped
          - use the store on an actor whose thread has more stack, as the host's has
        """
      ])
  }

  @Test("Two hundred thousand presentations are released on a small stack")
  func release() async {
    let count = await onSmallStack {
      var level: Level? = Level.nested(200_000)
      let count = level?.count
      level = nil
      return count
    }
    #expect(count == 0)
  }
}
