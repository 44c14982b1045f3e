internal import AppCore

/// Every element of a screen that is not a control.
///
/// A row with an action is a control, too.
struct Elements: Feature {
  struct State: Codable, Sendable, Equatable {
    var samples = [3.0, 12, 40, 75, 42]
    var chosen: String?
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case discTapped(String) }
    case view(View)
  }
  private static let discs = [("root", 12.5, 20.0), ("home", 48.0, 60), ("media", 300, 500)]

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    if case .view(.discTapped(let name)) = action { state.chosen = name }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Elements") { screen in
      screen.heading("Text")
      screen.text("A paragraph. It is wrapped to the width of the terminal, wherever that ends.")
      screen.text("secondary", style: .secondary)
      screen.text("success", style: .success)
      screen.text("a warning", style: .warning)
      screen.text("an error", style: .error)
      screen.preformatted("never  wrapped\n  never  indented")
      screen.divider()
      screen.section("Values") { screen in
        screen.keyValues([KeyValue("Host", "fjord"), KeyValue("Chosen", state.chosen ?? "nothing")])
        screen.progress("Copying", fraction: 0.25)
        screen.progress("Looking for more")
      }
      screen.section("Rows") { screen in
        screen.list(Self.discs) {
          Row($0.0, detail: "\($0.1) GB", id: $0.0, action: .discTapped($0.0))
        }
        screen.table(
          Self.discs, columns: [TableColumn("Disc"), TableColumn("GB", alignment: .trailing)]
        ) { Row(cells: [$0.0, "\($0.2)"]) }
      }
      screen.section("Charts") { screen in
        screen.sparkline("Load", values: state.samples, in: 0...100, unit: "%")
        screen.bars(Self.discs.map { Bar($0.0, $0.1) }, maximum: 500, unit: "GB")
      }
    }
  }
}
