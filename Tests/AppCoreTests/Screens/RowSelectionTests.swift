import Testing

@_spi(Host) @testable import AppCore

@Suite("Rows that are sorted and selected")
struct RowSelectionTests {
  enum Action: FeatureAction, Equatable {
    enum View: Codable, Sendable, Equatable {
      case selected(Set<String>)
      case sorted(TableSort)
      case tapped(String)
    }
    case view(View)
  }
  enum ParentAction: FeatureAction, Equatable {
    case child(Action)
  }

  private static func table(_ selection: Set<String>) -> Screen<Action> {
    Screen("Files") { screen in
      screen.table(
        ["a", "b", "-"], columns: [TableColumn("Name"), TableColumn("")], id: "files",
        sort: TableSort("Name"), sortAction: { .sorted($0) },
        selection: selection, selectionAction: { .selected($0) }
      ) { Row(cells: [$0, "x"], id: $0 == "-" ? nil : $0, action: .tapped($0)) }
    }
  }

  private func rows(_ content: ScreenContent) throws -> RowsContent {
    guard case .table(let rows)? = content.elements.first else {
      throw CancellationError()
    }
    return rows
  }

  @Test("The feature gets the whole selection, that of rows which are not shown too")
  func selection() throws {
    let screen = Self.table(["a", "gone"]).assembled()
    func action(_ row: Int, _ isSelected: Bool) -> Action? {
      screen.action(control: 0, input: .select(row: row, isSelected))
    }
    #expect(action(1, true) == .view(.selected(["a", "b", "gone"])))
    #expect(action(0, true) == .view(.selected(["a", "gone"])))
    #expect(action(0, false) == .view(.selected(["gone"])))
    #expect(action(1, false) == .view(.selected(["a", "gone"])))
    // A row without an identifier can't be selected, and neither can one that is not there.
    #expect(action(2, true) == nil)
    #expect(action(3, true) == nil)
    #expect(action(-1, true) == nil)
    let rows = try rows(screen.content)
    #expect(rows.selectedCount == 2)
    #expect((0..<3).map { rows.row($0).isSelected } == [true, false, nil])
  }

  @Test("A table is sorted by its own columns, and opens its rows as well")
  func sorting() throws {
    let screen = Self.table([]).assembled()
    let descending = TableSort("Name", isDescending: true)
    #expect(screen.action(control: 0, input: .sort(descending)) == .view(.sorted(descending)))
    #expect(screen.action(control: 0, input: .sort(TableSort("Size"))) == nil)
    #expect(screen.action(control: 0, input: .row(1)) == .view(.tapped("b")))
    let rows = try rows(screen.content)
    #expect(rows.isSortable && rows.sort == TableSort("Name"))
  }

  @Test("Rows of other tables and lists take neither")
  func plain() {
    let screen = Screen<Action>("Files") { screen in
      screen.table(["a"], columns: [TableColumn("Name")], id: "t") { Row(cells: [$0], id: $0) }
      screen.list(["a"], id: "l") { Row($0, id: $0) }
      screen.table(
        ["a"], columns: [TableColumn("Name")], id: "s", selection: [],
        selectionAction: { .selected($0) }
      ) { Row(cells: [$0], id: $0) }
    }.assembled()
    for control in 0..<2 {
      #expect(screen.action(control: control, input: .select(row: 0, true)) == nil)
    }
    for control in 0..<3 {
      #expect(screen.action(control: control, input: .sort(TableSort("Name"))) == nil)
    }
  }

  @Test("A child's rows are selected by the child's own identifiers")
  func child() throws {
    let screen = Screen<ParentAction>("Parent") { screen in
      screen.embed(Self.table(["a"]).titled("", id: "left"), /ParentAction.child)
    }.assembled()
    let rows = try rows(screen.content)
    #expect(rows.id == "left.files")
    #expect(rows.row(0).id == "left.a" && rows.row(0).isSelected == true)
    #expect(
      screen.action(control: 0, input: .select(row: 1, true))
        == .child(.view(.selected(["a", "b"]))))
  }

  struct FormState: Codable, Sendable, Equatable {
    var chosen: Set<String> = ["b"]
  }
  enum FormAction: FeatureAction, Equatable {
    enum View: BindableAction, Equatable { case binding(BindingAction<FormState>) }
    case view(View)
  }

  @Test("In a form a property is the selection, and its name the identifier")
  func form() throws {
    let state = FormState()
    let screen = Screen<FormAction>("Form") { screen in
      screen.form(state) { form in
        form.table(["a", "b"], columns: [TableColumn("Name")], selection: \.chosen) {
          Row(cells: [$0], id: $0)
        }
        form.list(["a", "b"], selection: \.chosen, id: "again") { Row($0, id: $0) }
      }
    }.assembled()
    let rows = try rows(screen.content)
    #expect(rows.id == "chosen" && rows.selectedCount == 1 && !rows.isSortable)
    for control in 0..<2 {
      #expect(
        screen.action(control: control, input: .select(row: 0, true))
          == .view(.binding(.set(\.chosen, ["a", "b"]))))
      #expect(
        screen.action(control: control, input: .select(row: 1, false))
          == .view(.binding(.set(\.chosen, []))))
    }
  }
}
