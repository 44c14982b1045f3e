internal import AppCore

/// A form that is filled in by several nodes of the manifest, which share it by its key.
struct SignUpForm: Codable, Sendable, Equatable {
  enum Topic: String, CaseIterable, Codable, Sendable { case music, film, science, sport }
  var email = ""
  var password: Secret<String>?
  var topics: Set<Topic> = []
}

extension SharedKey where Value == SignUpForm {
  fileprivate static var signUp: Self { .inMemory("signUp") }
}

/// The first step.
///
/// If it is opened from the summary, it goes back there.
struct SignUpAccount: Feature {
  struct Arguments: Codable, Sendable, Defaulted { var isEditing = false }
  struct State: Codable, Sendable, Equatable {
    let isEditing: Bool
    @Shared(.signUp) var form = SignUpForm()
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable {
      case emailChanged(String), passwordChanged(Secret<String>), doneTapped
    }
    enum Delegate: Codable, Sendable, Equatable { case done, edited }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: Arguments) -> State { State(isEditing: arguments.isEditing) }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.emailChanged(let email)): state.$form.withLock { $0.email = email }
    case .view(.passwordChanged(let password)): state.$form.withLock { $0.password = password }
    case .view(.doneTapped): return .send(.delegate(state.isEditing ? .edited : .done))
    case .delegate: break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Account") { screen in
      screen.field("Email", id: "email", text: state.form.email) { .emailChanged($0) }
      screen.secretField("Password", id: "password", isSet: state.form.password != nil) {
        .passwordChanged($0)
      }
      screen.button(state.isEditing ? "Done" : "Next", id: "done", action: .doneTapped)
    }
  }
}

/// The second step, which requires at least one topic.
struct SignUpTopics: Feature {
  struct Arguments: Codable, Sendable, Defaulted { var isEditing = false }
  struct State: Codable, Sendable, Equatable {
    let isEditing: Bool
    @Presented var alert: AlertState<Never>?
    @Shared(.signUp) var form = SignUpForm()
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case topicChanged(SignUpForm.Topic, isOn: Bool), doneTapped }
    enum Delegate: Codable, Sendable, Equatable { case done, edited }
    case view(View)
    case delegate(Delegate)
    case alert(PresentationAction<Never>)
  }

  func initialState(_ arguments: Arguments) -> State { State(isEditing: arguments.isEditing) }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .view(.topicChanged(let topic, let isOn)):
        state.$form.withLock { form in
          if isOn { form.topics.insert(topic) } else { form.topics.remove(topic) }
        }
      case .view(.doneTapped) where state.form.topics.isEmpty:
        state.alert = AlertState { "Choose a topic" }
      case .view(.doneTapped): return .send(.delegate(state.isEditing ? .edited : .done))
      case .delegate, .alert: break
      }
      return .none
    }
    .ifLet(\.$alert, action: /Action.alert)
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Topics") { screen in
      if screen.alert(state.alert, /Action.alert) { return }
      for topic in SignUpForm.Topic.allCases {
        screen.toggle(
          topic.rawValue, id: topic.rawValue, isOn: state.form.topics.contains(topic)
        ) { .topicChanged(topic, isOn: $0) }
      }
      screen.button(state.isEditing ? "Done" : "Next", id: "done", action: .doneTapped)
    }
  }
}

/// The last step, which shows the form, leads back to the other steps, and submits the form.
struct SignUpSummary: Feature {
  struct State: Codable, Sendable, Equatable { @Shared(.signUp) var form = SignUpForm() }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case accountTapped, topicsTapped, submitTapped }
    enum Delegate: Codable, Sendable, Equatable {
      case accountRequested, topicsRequested, submitted
    }
    case view(View)
    case delegate(Delegate)
  }

  func initialState(_ arguments: NoArguments) -> State { State() }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.accountTapped): return .send(.delegate(.accountRequested))
    case .view(.topicsTapped): return .send(.delegate(.topicsRequested))
    case .view(.submitTapped):
      state.$form.withLock { $0 = SignUpForm() }
      return .send(.delegate(.submitted))
    case .delegate: return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Summary") { screen in
      screen.keyValues([
        KeyValue("Email", state.form.email),
        KeyValue("Password", state.form.password == nil ? "not set" : "set"),
        KeyValue("Topics", state.form.topics.map(\.rawValue).sorted().joined(separator: ", ")),
      ])
      screen.button("Edit the account", id: "account", action: .accountTapped)
      screen.button("Edit the topics", id: "topics", action: .topicsTapped)
      screen.button("Submit", id: "submit", action: .submitTapped)
    }
  }
}
