import TestSupport
import Testing

@_spi(Host) @testable import AppCore

@Home
@Suite("Destinations: one line for each child", .timeLimit(.minutes(30)))
struct DestinationTests {
  struct Form: Reducer {
    struct State: Codable, Equatable, Sendable { var name = "" }
    enum Action: FeatureAction, Equatable {
      enum View: Codable, Equatable, Sendable { case saveTapped, waitTapped, leaveTapped }
      enum Internal: Equatable, Sendable { case waited }
      enum Delegate: Codable, Equatable, Sendable { case saved(String) }
      case view(View)
      case `internal`(Internal)
      case delegate(Delegate)
    }
    var log: Log?
    @Dependency(\.dismiss) var dismiss

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .view(.saveTapped): return .send(.delegate(.saved(state.name)))
      case .view(.leaveTapped): return .run { [dismiss] _ in await dismiss() }
      case .view(.waitTapped):
        let name = state.name
        let log = log
        return .run { send in
          do {
            try await Gate().wait()
          } catch {
            log?.add("\(name) cancelled")
            throw error
          }
          await send(.internal(.waited))
        }
      case .internal(.waited): state.name = "waited"
      case .delegate: state.name = "never"
      }
      return .none
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Item \(state.name)") { $0.button("Save", id: "save", action: .saveTapped) }
    }
  }

  struct Page: Reducer {
    struct State: Codable, Equatable, Identifiable, Sendable {
      let id: Int
      var text = ""
    }
    enum Action: ComponentAction { case typed(String) }
    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      if case .typed(let text) = action { state.text = text }
      return .none
    }
  }

  enum Button: Codable, Equatable, Sendable { case delete }

  nonisolated static let log = Log()

  struct Destination: Destinations {
    let add = Case(Form(log: log), screen: Form.screen)
    let edit = Case(Form(log: log), screen: Form.screen)
    let page = Case(Page())
    let alert = Case(AlertState<Button>.self)
    let dialog = Case(ConfirmationDialogState<Button>.self)
  }

  struct Shop: Reducer {
    struct State: Codable, Equatable, Sendable {
      @Presented var destination: Destination.State?
      var path: StackState<Destination.State> = []
      var saved: [String] = []
    }
    enum Action: FeatureAction {
      enum View: Codable, Sendable {
        case show(Destination.State?), pushed(Destination.State), replaced(Destination.State)
      }
      case view(View)
      case destination(PresentationAction<Destination.Action>)
      case path(StackActionOf<Destination>)
    }

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .view(.show(let destination)): state.destination = destination
        case .view(.pushed(let destination)): state.path.append(destination)
        case .view(.replaced(let destination)):
          if let id = state.path.ids.last { state.path[id: id] = destination }
        case .destination(.presented(let action)):
          if case .delegate(.saved(let name)) = action.add { state.saved.append("add \(name)") }
          if case .delegate(.saved(let name)) = action.edit { state.saved.append("edit \(name)") }
          if case .delete = action.alert { state.saved = [] }
        case .path(.element(_, let action)):
          if case .delegate(.saved(let name)) = action.add { state.saved.append("path \(name)") }
        case .destination, .path: break
        }
        return .none
      }
      .ifLet(\.$destination, action: /Action.destination) { Destination() }
      .forEach(\.path, action: /Action.path) { Destination() }
    }

    func screen(_ state: State) -> Screen<Action> {
      Screen("Shop") { screen in
        if screen.embed(state.destination, /Action.destination) { return }
        if screen.embed(state.path, /Action.path) { return }
        screen.text("Nothing is shown.")
      }
    }
  }

  private static let form = Form.State(name: "Milk")

  @Test("The child that is shown gets its actions, and its delegate actions go to the parent alone")
  func reduces() {
    let store = Store(initialState: Shop.State(), reducer: Shop())
    store.send(.show(Destination.State.add(Self.form)))
    store.sendAny(.destination(.presented(Destination.Action.add(.view(.saveTapped)))))
    #expect(store.state.saved == ["add Milk"])
    #expect(store.state.destination?.add == Self.form)
    store.send(.show(Destination.State.page(Page.State(id: 1))))
    store.sendAny(.destination(.presented(Destination.Action.page(.typed("x")))))
    #expect(store.state.destination?.page?.text == "x")
    store.send(.pushed(Destination.State.add(Self.form)))
    let top = store.state.path.ids[0]
    store.sendAny(.path(.element(id: top, action: Destination.Action.add(.view(.saveTapped)))))
    #expect(store.state.saved == ["add Milk", "path Milk"])
  }

  @Test("An action for a child that is not shown is reported and dropped")
  func notShown() {
    var state = Destination.State.add(Self.form)
    let reports = reported {
      _ = Destination().reduce(into: &state, action: Destination.Action.edit(.view(.saveTapped)))
    }
    #expect(state == Destination.State.add(Self.form))
    #expect(reports.count == 1)
    #expect(reports[0].contains("an action came for a destination while another one is shown"))
    #expect(reports[0].contains(".edit(.view(.saveTapped))"))
  }

  @Test("The effects of a child end when another case, or another id, is shown")
  func effectsEnd() async {
    let log = Self.log
    log.clear()
    let store = Store(initialState: Shop.State(), reducer: Shop())
    store.send(.show(Destination.State.add(Form.State(name: "first"))))
    let task = store.sendAny(.destination(.presented(Destination.Action.add(.view(.waitTapped)))))
    store.send(.show(Destination.State.edit(Form.State(name: "second"))))
    await task.finish()
    #expect(log.lines == ["first cancelled"])
    // In a stack the element stays, and its case changes.
    store.send(.pushed(Destination.State.edit(Form.State(name: "third"))))
    let top = store.state.path.ids[0]
    let pushed = store.sendAny(
      .path(.element(id: top, action: Destination.Action.edit(.view(.waitTapped)))))
    store.sendAny(.path(.element(id: top, action: Destination.Action.edit(.view(.saveTapped)))))
    #expect(log.lines == ["first cancelled"])
    store.send(.replaced(Destination.State.add(Form.State(name: "fourth"))))
    store.sendAny(.path(.element(id: top, action: Destination.Action.add(.view(.saveTapped)))))
    await pushed.finish()
    #expect(log.lines == ["first cancelled", "third cancelled"])
  }

  @Test("A child may dismiss itself")
  func dismiss() async {
    let store = Store(initialState: Shop.State(), reducer: Shop())
    store.send(.show(Destination.State.add(Self.form)))
    await store.sendAny(
      .destination(.presented(Destination.Action.add(.view(.leaveTapped))))
    ).finish()
    #expect(store.state.destination == nil)
  }

  @Test("An alert among the cases goes when one of its buttons is pressed")
  func alert() {
    let store = Store(initialState: Shop.State(saved: ["x"]), reducer: Shop())
    store.send(.show(Destination.State.alert(AlertState { "Sure?" })))
    store.sendAny(.destination(.presented(Destination.Action.alert(.delete))))
    #expect(store.state == Shop.State())
    // One of another case does not answer it.
    store.send(.show(Destination.State.alert(AlertState { "Sure?" })))
    let reports = reported {
      _ = store.sendAny(.destination(.presented(Destination.Action.add(.internal(.waited)))))
    }
    #expect(reports.count == 1)
    #expect(store.state.destination != nil)
  }

  @Test("A screen shows the child, the alert or the top of the stack that is there")
  func screens() {
    func labels(_ state: Shop.State) -> [String] {
      Shop().screen(state).content.elements.flatMap { element -> [String] in
        switch element {
        case .section(let title, let elements):
          [title]
            + elements.compactMap { if case .control(let own) = $0 { own.label } else { nil } }
        case .control(let control): [control.label]
        case .heading(let text), .text(let text, _): [text]
        default: ["?"]
        }
      }
    }
    #expect(labels(Shop.State()) == ["Nothing is shown."])
    #expect(
      labels(Shop.State(destination: Destination.State.add(Self.form))) == ["Item Milk", "Save"])
    #expect(labels(Shop.State(path: [Destination.State.edit(Self.form)])) == ["Item Milk", "Save"])
    #expect(
      labels(Shop.State(destination: Destination.State.alert(AlertState { "Sure?" })))
        == ["Sure?", "OK"])
    // A child without a screen leaves the parent's.
    #expect(
      labels(Shop.State(destination: Destination.State.page(Page.State(id: 1))))
        == ["Nothing is shown."])
    let shown = Shop().screen(Shop.State(destination: Destination.State.edit(Self.form)))
    let action = shown.assembled().action(control: 0, input: .press)
    guard case .destination(.presented(let presented))? = action else {
      Issue.record("\(String(describing: action))")
      return
    }
    #expect(presented == Destination.Action.edit(.view(.saveTapped)))
  }

  @Test("A path leads to the actions of a case")
  func paths() {
    let path: CasePath<Destination.Action, Form.Action> = Destination.Action.add
    #expect(path.extract(Destination.Action.add(.view(.saveTapped))) == .view(.saveTapped))
    #expect(path.extract(Destination.Action.edit(.view(.saveTapped))) == nil)
    let presented = (/Shop.Action.destination).appending(\.add)
    let action = presented.embed(.presented(.view(.saveTapped)))
    #expect(presented.extract(action) == .presented(.view(.saveTapped)))
    #expect(presented.extract(presented.embed(.dismiss)) == .dismiss)
  }

  @Test(
    "A destination may lead to itself, 10,000 deep",
    .notThreadSanitized("nests more than 65,536 calls"))
  @DeepHome func recursive() {
    struct Node: Reducer {
      struct State: Codable, Equatable, Sendable {
        var depth = 0
        @Presented var next: Next.State?
      }
      enum Action: ComponentAction {
        case deepen
        case next(PresentationAction<Next.Action>)
      }
      struct Next: Destinations {
        let node = Case(Node())
      }
      var body: some ReducerOf<Self> {
        Reduce { state, action in
          if case .deepen = action {
            state.next = Next.State.node(Node.State(depth: state.depth + 1))
          }
          return .none
        }
        .ifLet(\.$next, action: /Action.next) { Next() }
      }
    }
    // Each inside the one before.
    var state = Node.State(depth: 10_000)
    var action = Node.Action.deepen
    for depth in (0..<10_000).reversed() {
      state = Node.State(depth: depth, next: Node.Next.State.node(state))
      action = .next(.presented(Node.Next.Action.node(action)))
    }
    let store = Store(deep: state, reducer: Node())
    state = Node.State()
    store.send(action)
    var depth = 0
    var node: Node.State? = store.state
    while let next = node?.next?.node, next.depth == depth + 1 {
      (depth, node) = (next.depth, next)
    }
    #expect(depth == 10_001)
  }
}
