import Foundation
import TestSupport
import Testing

/// The table of The Composable Architecture's API in docs/tca-api.md: a line of Swift for
/// each row, which compiles.
@Suite("The table of TCA's API")
struct TCATableTests {
  private struct Row {
    let line: Int
    let name: String
    let answer: String
    /// A line of Swift; empty for what is not here.
    let code: String
  }

  private let rows: [Row]
  /// The rows of the first table that say "the same"; they have no line of Swift.
  private let sameNames: [String]

  init() throws {
    let text = try String(
      contentsOf: packageFolder.appendingPathComponent("docs/tca-api.md"), encoding: .utf8)
    sameNames = text.components(separatedBy: "\n").compactMap { line in
      let cells = line.split(separator: " | ")
      guard line.hasPrefix("| "), cells.count == 2, cells[1].hasPrefix("the same") else {
        return nil
      }
      return String(cells[0].dropFirst(2))
    }
    rows = text.components(separatedBy: "\n").enumerated().compactMap { index, line in
      // A `\|` is part of the code.
      let cells = line.replacing("\\|", with: "\u{0}").split(separator: " | ")
      guard line.hasPrefix("| `"), cells.count == 3, line.hasSuffix(" |") else { return nil }
      let code = cells[2].dropLast(2).trimmingCharacters(in: .whitespaces)
      return Row(
        line: index + 1, name: String(cells[0].dropFirst(2)), answer: String(cells[1]),
        code: code.trimmingCharacters(in: ["`"]).replacing("\u{0}", with: "|"))
    }
  }

  @Test("Each row is the same, has another name, or is not here for a reason")
  func answers() {
    #expect(rows.count > 100)
    for row in rows {
      let isAbsent = row.answer.hasPrefix("not here, because ")
      #expect(isAbsent == row.code.isEmpty, "line \(row.line): \(row.name)")
    }
    let names = rows.map(\.name)
    #expect(names.count == Set(names).count, "a row is there twice")
  }

  @Test("What is called the same is run by a test")
  func sameRows() throws {
    let same = Set(rows.filter { $0.answer.hasPrefix("the same") }.map(\.name))
    let (tests, testsOfNames) = (try backing("rows.txt"), try backing("names.txt"))
    let backed = tests.flatMap(\.entries)
    let names = Set(backed.map { "`\($0)`" })
    #expect(same.subtracting(names) == [])
    #expect(names.subtracting(same) == [])
    #expect(backed.count == names.count, "a row is there twice")
    #expect(Set(sameNames) == Set(testsOfNames.map(\.heading)))
    let folder = packageFolder.appendingPathComponent("Tests")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    var source = ""
    for case let file as URL in files
    where file.pathExtension == "swift" {
      source += (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }
    source = source.replacing(#/@Test\(\s*/#, with: "@Test(")
    for title in tests.map(\.heading) + testsOfNames.flatMap(\.entries) {
      #expect(source.contains("@Test(\"\(title)\""), "\(title)")
    }
  }

  /// The paragraphs of a file of `Tests/Fixtures/tca` after the first one: a heading, and the lines
  /// below it.
  private func backing(_ name: String) throws -> [(heading: String, entries: [String])] {
    let file = packageFolder.appendingPathComponent("Tests/Fixtures/tca/" + name)
    return try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n\n").dropFirst()
      .map { paragraph in
        let lines = paragraph.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return (lines[0], Array(lines.dropFirst()))
      }
  }

  @Test("The line of each row compiles")
  func lines() async throws {
    let source =
      Self.prelude
      + rows.filter { !$0.code.isEmpty }.map { row in
        """
        @MainActor func line\(row.line)(
          _ state: inout Parent.State, _ store: StoreOf<Parent>, _ testStore: TestStoreOf<Parent>,
          _ files: FileSystem, _ id: StackElementID
        ) async throws {
        #sourceLocation(file: "coming-from-tca.md", line: \(row.line))
          \(row.code)
        #sourceLocation()
        }

        """
      }.joined()
    let folder = try TranscriptFolder()
    try source.write(
      to: folder.folder.appendingPathComponent("Lines.swift"), atomically: true, encoding: .utf8)
    let output = try await folder.run(
      "swiftc -typecheck -swift-version 6 -I $APPCORE_BUILD/Modules Lines.swift")
    #expect(!output.contains("error:"), "\(output)")
  }

  /// What the lines are about.
  private static let prelude = """
    import AppCore
    import AppCoreTesting

    struct Row: Reducer {
      struct State: Codable, Equatable, Identifiable, Sendable {
        let id: Int
        var text = ""
        var words = [""]
      }
      enum Action: ComponentAction, Equatable { case tapped, loaded(Int) }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    enum Alert: Codable, Equatable, Sendable { case confirmed }
    enum Mode: Equatable { case row(Row.State), none }
    struct Parent: Reducer {
      struct State: Equatable {
        var count = 0
        var row = Row.State(id: 0)
        var optional: Row.State?
        var mode = Mode.none
        var rows: IdentifiedArrayOf<Row.State> = []
        var path: StackState<Row.State> = []
        @Presented var sheet: Row.State?
        @Presented var alert: AlertState<Alert>?
        @Presented var dialog: ConfirmationDialogState<Alert>?
        @Shared(.inMemory("rows")) var shared: IdentifiedArrayOf<Row.State> = []
        @Shared(.inMemory("first")) var first = Row.State(id: 1)
      }
      enum Action: ComponentAction {
        case tapped, loaded(Int)
        case row(Row.Action)
        case rows(IdentifiedActionOf<Row>)
        case path(StackActionOf<Row>)
        case sheet(PresentationAction<Row.Action>)
        case alert(PresentationAction<Alert>)
        case dialog(PresentationAction<Alert>)
      }
      func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
    }
    typealias Action = Parent.Action
    enum CancelID { case load }
    struct Stock: DependencyKey {
      var count: @Sendable (String) async throws -> Int
      static let liveValue = Stock { _ in 0 }
    }

    """
}
