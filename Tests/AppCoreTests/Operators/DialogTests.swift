import Testing

@_spi(Host) @testable import AppCore

@Suite("Alerts and confirmation dialogs", .timeLimit(.minutes(30)))
struct DialogTests {
  enum Button: Codable, Equatable, Sendable { case delete, rename(String) }

  struct State: Codable, Equatable, Sendable {
    @Presented var alert: AlertState<Button>?
    @Presented var dialog: ConfirmationDialogState<Button>?
    @Presented var destination: Destination?
    var seen: [String] = []
  }

  enum Destination: Codable, Equatable, Sendable {
    case alert(AlertState<Button>)
    case count(Int)
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable { case askTapped }
    case view(View)
    case alert(PresentationAction<Button>)
    case dialog(PresentationAction<Button>)
    case destination(PresentationAction<Button>)
  }

  private static let question = AlertState<Button> {
    "Delete all?"
  } actions: {
    ButtonState("Delete", role: .destructive, action: .delete)
    ButtonState.cancel()
  } message: {
    "They do not come back."
  }

  private var reducer: some Reducer<State, Action> {
    Reduce<State, Action> { state, action in
      switch action {
      case .view(.askTapped): state.alert = Self.question
      case .alert(.presented(let button)):
        state.seen.append("\(button) while \(state.alert == nil ? "gone" : "shown")")
        guard case .rename = button else { break }
        state.alert = nil
        state.alert = Self.question
      case .alert(.dismiss): state.seen.append("dismissed")
      case .dialog(let action): state.seen.append("\(action)")
      case .destination: break
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert, fileID: "Notes.swift", line: 3)
    .ifLet(\.$dialog, action: /Action.dialog)
    .ifLet(\.$destination, action: /Action.destination)
  }

  private func after(_ actions: Action..., from state: State = State()) -> State {
    var state = state
    for action in actions { _ = reducer.reduce(into: &state, action: action) }
    return state
  }

  private struct Plain: Equatable {
    var alert: AlertState<Button>?
    var dialog: ConfirmationDialogState<Button>?
    var seen: [String] = []
  }

  private enum PlainAction: ComponentAction {
    case alert(Button)
    case dialog(PresentationAction<Button>)
  }

  private var plainReducer: some Reducer<Plain, PlainAction> {
    Reduce<Plain, PlainAction> { state, action in
      switch action {
      case .alert(let button):
        state.seen.append("\(button) while \(state.alert == nil ? "gone" : "shown")")
        if button == .delete { state.alert = Self.question }
      case .dialog(let action): state.seen.append("\(action)")
      }
      return .none
    }
    .ifLet(\.alert, action: /PlainAction.alert, fileID: "Notes.swift", line: 5)
    .ifLet(\.dialog, action: /PlainAction.dialog)
  }

  private enum NoAnswer: NoButtons {}

  @Test("A dialog without buttons of its own is encoded and decoded")
  func noButtons() throws {
    let alert = AlertState<NoAnswer> {
      "Saved."
    } actions: {
      ButtonState.cancel("Close")
    }
    let coded = try ValueEncoder().encode(alert)
    #expect(try ValueDecoder().decode(AlertState<NoAnswer>.self, from: coded) == alert)
    #expect(throws: DecodingError.self) {
      try ValueDecoder().decode(NoAnswer.self, from: ["any": [:]])
    }
  }

  @Test("In a plain optional, any of its actions dismisses a dialog before the parent handles it")
  func plainOptional() {
    var state = Plain(alert: Self.question)
    _ = plainReducer.reduce(into: &state, action: .alert(.rename("a")))
    #expect(state == Plain(seen: ["rename(\"a\") while gone"]))
    // The parent may answer with another one.
    state = Plain(alert: AlertState { "First?" })
    _ = plainReducer.reduce(into: &state, action: .alert(.delete))
    #expect(state.alert == Self.question)
    for action in [PresentationAction<Button>.dismiss, .presented(.delete)] {
      var state = Plain(
        dialog: ConfirmationDialogState {
          "Which?"
        } actions: {
        })
      _ = plainReducer.reduce(into: &state, action: .dialog(action))
      #expect(state == Plain(seen: ["\(action)"]))
    }
    let reports = reported {
      _ = plainReducer.reduce(into: &state, action: .alert(.delete))
      _ = plainReducer.reduce(into: &state, action: .dialog(.dismiss))
    }
    #expect(reports.count == 1)
  }

  @Test("A button's action reaches the parent while the alert is there, and then lets it go")
  func button() {
    #expect(after(.view(.askTapped)).alert == Self.question)
    let state = after(.view(.askTapped), .alert(.presented(.delete)))
    #expect(state.seen == ["delete while shown"])
    #expect(state.alert == nil)
    #expect(after(.view(.askTapped), .alert(.dismiss)).seen == ["dismissed"])
    #expect(after(.view(.askTapped), .alert(.dismiss)).alert == nil)
  }

  @Test("An alert that the parent puts in its place stays")
  func replaced() {
    let state = after(.view(.askTapped), .alert(.presented(.rename("x"))))
    #expect(state.alert == Self.question)
  }

  @Test("A dialog presented in answer to a button, or to a dismissal, stays")
  func followUp() {
    typealias Alert = AlertState<Button>
    struct Asking { @Presented var alert: Alert? }
    let failed = Alert(title: { "Deletion failed" })
    enum Action: ComponentAction { case alert(PresentationAction<Button>) }
    let reducer = Reduce<Asking, Action> { state, _ in
      state.alert = failed
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
    for action: Action in [.alert(.presented(.delete)), .alert(.dismiss)] {
      var state = Asking(alert: Self.question)
      _ = reducer.reduce(into: &state, action: action)
      #expect(state.alert == failed)
      _ = Reduce<Asking, Action> { _, _ in .none }.ifLet(\.$alert, action: /Action.alert)
        .reduce(into: &state, action: action)
      #expect(state.alert == nil)
    }
  }

  @Test("An action for another case of the destination leaves an alert where it is")
  func otherCase() {
    enum Sheet: ComponentAction { case typed }
    enum Destination {
      case alert(AlertState<Button>)
      case sheet(Int)
    }
    enum DestinationAction: Sendable {
      case alert(Button)
      case sheet(Sheet)
    }
    struct Screen { @Presented var destination: Destination? }
    enum Action: ComponentAction { case destination(PresentationAction<DestinationAction>) }
    let reducer = EmptyReducer<Screen, Action>()
      .ifLet(\.$destination, action: /Action.destination)
    var state = Screen(destination: .alert(Self.question))
    _ = reducer.reduce(into: &state, action: .destination(.presented(.sheet(.typed))))
    #expect(state.destination != nil)
    _ = reducer.reduce(into: &state, action: .destination(.presented(.alert(.delete))))
    #expect(state.destination == nil)
  }

  @Test("In an enum of destinations only the case with an alert goes by itself")
  func destinations() {
    let shown = after(
      .destination(.presented(.delete)), from: State(destination: .alert(Self.question)))
    #expect(shown.destination == nil)
    let counting = after(.destination(.presented(.delete)), from: State(destination: .count(1)))
    #expect(counting.destination == .count(1))
  }

  @Test("A button of an alert that is gone is reported")
  func absent() {
    let reports = reported { _ = after(.alert(.presented(.delete))) }
    #expect(
      reports.begin(
        with: """
          ifLet at Notes.swift:3: an action came for a child that is not presented
            action: .alert(.presented(.delete))
          """))
  }

  /// The labels, identifiers and actions of a screen's buttons.
  private func buttons(_ screen: Screen<Action>) -> [String] {
    screen.content.elements.compactMap { element in
      guard case .control(let control) = element else { return nil }
      let action = screen.assembled().action(control: control.index, input: .press)
      return "\(control.label) @\(control.id ?? "-") \(action.map { StateDump.line($0) } ?? "-")"
    }
  }

  @Test("A screen shows it as title, message and buttons, which send its actions")
  func screen() {
    let screen = Screen<Action>("Notes") { screen in
      let isShown = screen.alert(Self.question, /Action.alert)
      #expect(isShown)
      screen.button("Ask", id: "ask", action: .askTapped)
    }
    guard case .heading("Delete all?") = screen.content.elements[0],
      case .text("They do not come back.", .plain) = screen.content.elements[1]
    else {
      Issue.record("\(screen.content.elements)")
      return
    }
    #expect(
      buttons(screen) == [
        "Delete @alert.delete .alert(.presented(.delete))",
        "Cancel @alert.cancel .alert(.dismiss)", "Ask @ask .view(.askTapped)",
      ])
  }

  @Test("Without buttons an alert can be let go of, and a choice can always be left")
  func closing() {
    let screen = Screen<Action>("Notes") { screen in
      screen.alert(AlertState { "Saved." }, /Action.alert)
      screen.confirmationDialog(
        ConfirmationDialogState {
          "Rename to"
        } actions: {
          for name in ["a", "b"] { ButtonState(name, action: .rename(name)) }
        }, /Action.dialog)
      let isShown = screen.alert(nil as AlertState<Button>?, /Action.alert)
      #expect(!isShown)
    }
    #expect(
      buttons(screen) == [
        "OK @alert.1 .alert(.dismiss)",
        #"a @dialog.rename .dialog(.presented(.rename("a")))"#,
        #"b @dialog.rename.2 .dialog(.presented(.rename("b")))"#,
        "Cancel @dialog.cancel .dialog(.dismiss)",
      ])
  }

  @Test("It is coded with the state it is part of")
  func coding() throws {
    let state = after(.view(.askTapped))
    let value = try ValueEncoder().encode(state)
    #expect(try ValueDecoder().decode(State.self, from: value) == state)
  }
}
