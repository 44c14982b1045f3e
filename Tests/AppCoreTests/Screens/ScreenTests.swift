import Testing

@_spi(Host) @testable import AppCore

@Home
@Suite("Screen")
struct ScreenTests {
  enum Action: FeatureAction, Equatable {
    enum View: Codable, Sendable, Equatable {
      case pressed
      case typed(String)
      case password(length: Int)
      case counted(Double)
      case turned(Bool)
      case chose(String)
      case row(Int)
      case back
    }
    case view(View)
    case child(ChildAction)
  }
  enum ChildAction: FeatureAction, Equatable {
    enum View: Codable, Sendable, Equatable { case tapped, row(String), back }
    case view(View)
  }

  private func allControls(isEnabled: Bool = true) -> Screen<Action> {
    Screen("Controls") { screen in
      screen.button("Press", id: "press", isEnabled: isEnabled, action: .pressed)
      screen.field("Name", text: "x", isEnabled: isEnabled) { .typed($0) }
      screen.secretField("Password", isSet: true, isEnabled: isEnabled) {
        .password(length: $0.revealed.count)
      }
      screen.numberField("Count", value: 3, isEnabled: isEnabled) { .counted($0) }
      screen.toggle("Light", isOn: true, isEnabled: isEnabled) { .turned($0) }
      screen.choice(
        "Color", options: [ChoiceOption("red"), ChoiceOption("green", label: "Green")],
        selected: "red", isEnabled: isEnabled
      ) { .chose($0) }
    }
  }

  private let inputs: [ControlInput] = [
    .press, .text("abc"), .text("secret"), .number(2.5), .toggle(false), .choice("green"),
  ]

  /// What each control sends for its input.
  private func actions(_ screen: Screen<Action>, _ inputs: [ControlInput]) -> [Action?] {
    inputs.enumerated().map { screen.assembled().action(control: $0, input: $1) }
  }

  @Test("Every control sends its own action for its own input")
  func controls() {
    let screen = allControls()
    #expect(screen.content.controlCount == 6)
    #expect(
      actions(screen, inputs) == [
        .view(.pressed), .view(.typed("abc")), .view(.password(length: 6)), .view(.counted(2.5)),
        .view(.turned(false)), .view(.chose("green")),
      ])
  }

  @Test("Names that do not tell controls apart are reported when the screen is built")
  func repeatedNames() {
    func reports(_ build: @escaping (inout ScreenBuilder<Action>) -> Void) -> [String] {
      let reports = reported {
        _ = Screen<Action>("Lamps", build: build).assembled()
      }
      return reports
    }
    let lamp = Screen<ChildAction>("Lamp") { $0.button("Switch", id: "switch", action: .tapped) }
    let bare = Screen<ChildAction>("Lamp") { $0.button("Switch", action: .tapped) }
    #expect(
      reports { screen in
        screen.embed(lamp.titled("Left", id: "left"), /Action.child)
        screen.embed(lamp.titled("Right", id: "right"), /Action.child)
      } == [])
    let identifiers = reports { screen in
      screen.embed(lamp, /Action.child)
      screen.embed(lamp, /Action.child)
    }
    #expect(identifiers.count == 1)
    #expect(
      identifiers.first?.hasPrefix(
        "on the screen 'Lamps' several controls have the identifier 'switch', so '@switch' is refused"
      ) == true)
    let labels = reports { screen in
      screen.button("switch", id: "own", action: .pressed)
      screen.embed(bare, /Action.child)
    }
    #expect(labels.count == 1)
    #expect(labels.first?.contains("several controls have the label 'Switch'") == true)
  }

  @Test("A control sends nothing for what it can't take, and there is no control beyond the last")
  func wrongInput() {
    let screen = allControls()
    for (index, input) in inputs.enumerated() {
      for other in inputs + [.row(0)] {
        let fits = other == input || [1, 2].contains(index) && inputs[1...2].contains(other)
        #expect((screen.assembled().action(control: index, input: other) != nil) == fits)
      }
    }
    for (control, input) in [(5, ControlInput.choice("blue")), (6, .press), (-1, .press)] {
      #expect(screen.assembled().action(control: control, input: input) == nil)
    }
  }

  @Test("A disabled control keeps its place and sends nothing")
  func disabled() {
    let screen = allControls(isEnabled: false)
    #expect(screen.content.controlCount == 6)
    #expect(actions(screen, inputs).allSatisfy { $0 == nil })
  }

  @Test("The content has what was added, in order, and no secret")
  func content() {
    let screen = Screen<Action>("Title") { screen in
      screen.heading("H")
      screen.text("T", style: .warning)
      screen.preformatted("P")
      screen.keyValues([KeyValue("k", "v")])
      screen.divider()
      screen.progress("copying", fraction: 1.5)
      screen.sparkline("load", values: [1, 2], in: 0...4, unit: "%")
      screen.bars([Bar("disk", 3)], maximum: 4)
      screen.section("S") { $0.numberField("N", value: 4) { .counted($0) } }
    }
    let kinds = screen.content.elements.map { element -> String in
      switch element {
      case .heading(let text), .text(let text, _), .preformatted(let text): text
      case .keyValues(let pairs): pairs.map { $0.key + $0.value }.joined()
      case .divider: "divider"
      case .progress(let progress): "\(progress.label) \(progress.fraction ?? -1)"
      case .sparkline(let series): "\(series.label) \(series.values) \(series.unit)"
      case .bars(let chart): chart.bars.map { "\($0.label) \($0.value)" }.joined()
      case .section(let title, let elements): "\(title) \(elements.count)"
      case .columns(let columns): "\(columns.count) columns"
      case .control, .list, .table: "control"
      }
    }
    #expect(
      kinds == [
        "H", "T", "P", "kv", "divider", "copying 1.0", "load [1.0, 2.0] %", "disk 3.0", "S 1",
      ])
    guard case .section(_, let elements)? = screen.content.elements.last,
      case .control(let control)? = elements.first, case .field(let field) = control.kind
    else {
      Issue.record("the section has the field")
      return
    }
    #expect(field.text == "4")
    #expect(control.index == 0)
  }

  @Test("The back action is a view action of the screen's own feature")
  func back() {
    let child = Screen<ChildAction>("", back: .back) { _ in }
    let screen = Screen<Action>("A", back: .back) { $0.embed(child, /Action.child) }
    #expect(screen.content.hasBackAction)
    #expect(screen.backAction == .view(.back))
    let plain = Screen<Action>("B") { $0.embed(child, /Action.child) }
    #expect(!plain.content.hasBackAction)
    #expect(plain.backAction == nil)
  }

  @Test("An embedded child's controls send its actions embedded, wherever they stand")
  func embed() {
    let child = Screen<ChildAction>("Child") { screen in
      screen.section("Inner") { $0.button("Tap", action: .tapped) }
      screen.list(["a", "b"]) { Row($0, action: .row($0)) }
      screen.table(["c"], columns: [TableColumn("C")]) { Row(cells: [$0], action: .row($0)) }
    }
    let screen = Screen<Action>("Parent") { screen in
      screen.button("First", action: .pressed)
      screen.section("Group") { $0.embed(child, /Action.child) }
      screen.button("Last", action: .pressed)
    }
    #expect(screen.content.controlCount == 5)
    #expect(
      actions(screen, [.press, .press, .row(1), .row(0), .press]) == [
        .view(.pressed), .child(.view(.tapped)), .child(.view(.row("b"))),
        .child(.view(.row("c"))), .view(.pressed),
      ])
    #expect(indexes(screen.content.elements) == [0, 1, 2, 3, 4])
  }

  @Test("The screens of a collection's elements stand in its order and send each one's actions")
  func embedElements() {
    struct Item: Identifiable, Sendable { let id: Int }
    enum ListAction: FeatureAction { case items(IdentifiedAction<Int, ChildAction>) }
    let items: IdentifiedArray<Item> = [Item(id: 7), Item(id: 4)]
    let screen = Screen<ListAction>("All") { screen in
      screen.embed(items, /ListAction.items) { item in
        Screen<ChildAction>("") { $0.button("Tap \(item.id)", action: .tapped) }
      }
    }
    #expect(screen.content.controlCount == 2)
    for (control, id) in [7, 4].enumerated() {
      guard
        case .items(.element(id, .view(.tapped)))? = screen.assembled().action(
          control: control, input: .press)
      else {
        Issue.record("\(control) is not the control of \(id)")
        continue
      }
    }
  }

  @Test("The identifiers of a titled child begin with those of the screens around it")
  func titled() {
    let child = Screen<ChildAction>("Child") { screen in
      screen.button("Tap", id: "tap", action: .tapped)
      screen.button("Tap again", action: .tapped)
      screen.section("Inner") { screen in
        screen.list(["a"], id: "list") { Row($0, id: "row", action: .row($0)) }
        screen.table(["b"], columns: [TableColumn("B")], id: "table") { Row(cells: [$0]) }
      }
    }
    let pair = Screen<Action>("Pair") { screen in
      screen.embed(child.titled("Left", id: "left"), /Action.child)
      screen.embed(child, /Action.child)
    }
    enum Outer: FeatureAction { case pair(Action) }
    let screen = Screen<Outer>("Outer") { screen in
      screen.embed(pair.titled("", id: "all"), /Outer.pair)
    }
    let found = identifiers(screen.content.elements)
    #expect(
      found == [
        "# Left", "all.left.tap", nil, "# Inner", "all.left.list", "all.left.row", "all.left.table",
        nil, "# Child", "all.tap", nil, "# Inner", "all.list", "all.row", "all.table", nil,
      ])
    #expect(identifiers(pair.content.elements).prefix(3) == ["# Left", "left.tap", nil])
  }

  private func identifiers(_ elements: [ScreenElement]) -> [String?] {
    elements.flatMap { element -> [String?] in
      switch element {
      case .control(let control): [control.id]
      case .list(let list): [list.id, list.row(0).id]
      case .table(let table): [table.id, table.row(0).id]
      case .section(let title, let elements): ["# \(title)"] + identifiers(elements)
      default: []
      }
    }
  }

  private func indexes(_ elements: [ScreenElement]) -> [Int] {
    elements.flatMap { element -> [Int] in
      switch element {
      case .control(let control): [control.index]
      case .list(let list): [list.index]
      case .table(let table): [table.index]
      case .section(_, let elements): indexes(elements)
      default: []
      }
    }
  }

  @Test("The rows of a list are made only when they are looked at")
  func lazyRows() {
    let made = Log()
    let screen = Screen<Action>("List") { screen in
      screen.list(0..<1_000_000, id: "numbers") { number in
        made.add("\(number)")
        return Row("row \(number)", id: "r\(number)", action: number % 2 == 0 ? .row(number) : nil)
      }
    }
    #expect(made.lines.isEmpty)
    guard case .list(let list)? = screen.content.elements.first else {
      Issue.record("the screen has a list")
      return
    }
    #expect(list.count == 1_000_000)
    #expect(list.row(999_999).label == "row 999999")
    #expect(!list.row(999_999).isControl)
    #expect(
      screen.assembled().action(control: list.index, input: .row(500_000)) == .view(.row(500_000)))
    for row in [1, 1_000_000, -1] {
      #expect(screen.assembled().action(control: list.index, input: .row(row)) == nil)
    }
    #expect(made.lines.count == 4)
  }

  private indirect enum Nested: FeatureAction {
    enum View: Codable, Sendable { case tapped }
    case view(View)
    case child(Nested)

    var depth: Int {
      var depth = 0
      var action = self
      while case .child(let inner) = action { (depth, action) = (depth + 1, inner) }
      return depth
    }
  }

  @Test("Ten thousand nested screens are numbered in one walk", .timeLimit(.minutes(30)))
  func nested() {
    var screen = Screen<Nested>("") { $0.button("Go", action: .tapped) }
    for level in 1...10_000 {
      let inner = screen
      screen = Screen("\(level)") { builder in
        builder.button("Go", action: .tapped)
        builder.embed(inner, /Nested.child)
      }
    }
    let assembled = screen.assembled()
    #expect(assembled.content.controlCount == 10_001)
    #expect(assembled.content.elements.count == 2)
    for index in [0, 1, 9_999, 10_000] {
      #expect(assembled.action(control: index, input: .press)?.depth == index)
    }
    #expect(assembled.action(control: 10_001, input: .press) == nil)
  }
}
