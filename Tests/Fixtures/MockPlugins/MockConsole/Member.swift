internal import AppCore

/// A form of a member with many phones, which is longer than any window.
struct Member: Feature {
  struct State: Codable, Sendable, Hashable {
    var phones = Array(repeating: "", count: 40)
    var isSaved = false
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case phoneChanged(Int, String)
      case added
      case saved
    }
    case view(View)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.phoneChanged(let index, let phone)): state.phones[index] = phone
    case .view(.added): state.phones.append("")
    case .view(.saved): state.isSaved = true
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Member") { screen in
      screen.text("\(state.phones.count) phones\(state.isSaved ? ", saved" : "")")
      for (index, phone) in state.phones.enumerated() {
        screen.section("Phone \(index + 1)") { screen in
          screen.field(
            "Number \(index + 1)", id: "phone-\(index + 1)", text: phone,
            problem: phone.allSatisfy { $0.isNumber || $0 == "-" }
              ? nil : "a number has digits and '-'"
          ) { .phoneChanged(index, $0) }
        }
      }
      screen.button("Add a phone", id: "add", action: .added)
      screen.button("Save", id: "save", action: .saved)
    }
  }
}
