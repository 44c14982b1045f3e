import AppCore

/// A feature with a typical state: some fields, a few rows, a choice, a child.
struct Form: Feature {
  typealias State = FormState

  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case addTapped
      case anotherTapped
    }
    enum Delegate: Codable, Sendable { case another }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.addTapped):
      state.edits += 1
      return .none
    case .view(.anotherTapped): return .send(.delegate(.another))
    case .delegate: return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Form") { screen in
      screen.button("Add", id: "add", action: .addTapped)
      screen.button("Another", id: "another", action: .anotherTapped)
    }
  }
}

struct FormState: Codable, Sendable {
  struct Row: Codable, Sendable {
    var name: String
    var amount: Int
    var isPaid: Bool
  }
  enum Mode: String, Codable, Sendable { case reading, editing }

  var title = "An order"
  var note = "To be delivered on a weekday, before noon"
  var edits = 0
  var total = 129.95
  var isUrgent = false
  var mode = Mode.reading
  var selected: Int? = 1
  var password = Secret("hunter2")
  var rows = (0..<3).map { Row(name: "Row \($0)", amount: $0 * 10, isPaid: $0 == 0) }
  @Presented var child: Row?
}
