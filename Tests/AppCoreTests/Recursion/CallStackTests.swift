@_spi(Host) import AppCore
import TestSupport
import Testing

@Suite(
  "Deep presentations", .timeLimit(.minutes(30)),
  .notSanitized("a sanitizer's frames are longer than what is kept free of a small stack"))
struct CallStackTests {
  @Test("An action for a child presented deeper than the stack allows is dropped and reported")
  func presented() async {
    let depth = 1_000
    let (reached, reports) = await onSmallStack {
      let reducer = Level.reducer
      var level = Level.nested(depth)
      let reports = reported {
        _ = reducer.reduce(into: &level, action: Level.at(1, .add))
        _ = reducer.reduce(into: &level, action: Level.at(depth, .add))
      }
      let counts = level.counts(from: 0)
      return ([counts[1], counts[depth], counts.reduce(0, +)], reports)
    }
    #expect(reached == [1, 0, 1])
    #expect(reports.count == 1)
    #expect(reports.first?.contains("nested deeper than this thread's stack allows") == true)
  }

  @Test("An action for an element nested deeper than the stack allows is dropped and reported")
  func tooDeep() async {
    struct Folder: Identifiable, Sendable {
      let id: Int
      var count = 0
      var folders: IdentifiedArray<Folder> = []
    }
    indirect enum FolderAction: ComponentAction {
      case add
      case folders(IdentifiedAction<Int, FolderAction>)
    }
    struct Folders: Reducer {
      var body: some Reducer<Folder, FolderAction> {
        Reduce { folder, action in
          if case .add = action { folder.count += 1 }
          return .none
        }
        .forEach(
          \.folders, action: /FolderAction.folders, element: { Self() }, fileID: "Folder.swift",
          line: 1)
      }
    }
    let depth = 1_000
    let (reached, reports) = await onSmallStack {
      let reducer = Folders()
      func at(_ depth: Int) -> FolderAction {
        (0..<depth).reduce(.add) { action, _ in .folders(.element(id: 1, action: action)) }
      }
      var folder = (0..<depth).reduce(Folder(id: 1)) { folder, _ in
        Folder(id: 1, folders: [folder])
      }
      let reports = reported {
        _ = reducer.reduce(into: &folder, action: at(1))
        _ = reducer.reduce(into: &folder, action: at(depth))
      }
      return (folder.folders[id: 1]?.count, reports)
    }
    #expect(reached == 1)
    #expect(
      reports == [
        """
        forEach at Folder.swift:1: children are nested deeper than this thread's stack allows; \
        the action was dropped
          - use the store on an actor whose thread has more stack, as the host's has
        """
      ])
  }
}
