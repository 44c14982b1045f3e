internal import AppCore
internal import Glibc

/// Shows texts in every way that a feature can output text: those of the file that
/// `APPCORE_MOCK_TEXTS` names, in which 0xff separates them.
struct Hostile: Feature {
  struct State: Codable, Sendable, Hashable {
    let texts: [String]
    /// All texts of less than 1,000 bytes, joined; longer ones would exceed the size of a screen.
    var all: String
    var isAsking = false
  }

  enum Action: FeatureAction {
    enum View: Codable, Sendable, Hashable {
      case textChanged(String)
      case numberChanged(Double)
      case secretChanged(Secret<String>)
      case optionChosen(String)
      case toggled(Bool)
      case failTapped
      case printTapped
      case leaveTapped
      case endTapped
    }
    enum Internal: Codable, Sendable, Hashable { case told(String) }
    enum Delegate: Codable, Sendable, Hashable { case left(String) }
    case view(View)
    case `internal`(Internal)
    case delegate(Delegate)
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  func initialState(_ arguments: NoArguments) throws -> State {
    let texts = Self.texts()
    let all = texts.filter { $0.utf8.count < 1000 }.joined(separator: " ")
    if getenv("APPCORE_MOCK_FAILS") != nil { throw Failure(description: all) }
    return State(texts: texts, all: all)
  }

  private static func texts() -> [String] {
    guard let path = getenv("APPCORE_MOCK_TEXTS") else { return [] }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let file = open(path, O_RDONLY)
    defer { close(file) }
    let count = read(file, &bytes, bytes.count)
    return bytes.prefix(max(count, 0)).split(separator: 0xff)
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    let all = state.all
    switch action {
    case .view(.textChanged(let text)):
      state.all = text
      return .send(.internal(.told(text)))
    case .view(.failTapped): return .run { _ in throw Failure(description: all) }
    case .view(.printTapped): print(all)
    case .view(.leaveTapped): return .send(.delegate(.left(all)))
    case .view(.endTapped): fatalError("the end")
    case .view(.numberChanged), .view(.secretChanged), .view(.optionChosen), .view(.toggled),
      .internal, .delegate:
      break
    }
    return .none
  }

  func screen(_ state: State) -> Screen<Action> {
    let all = state.all
    return Screen(all) { screen in
      screen.button("Fail", id: "fail", action: .failTapped)
      screen.button("Print", id: "print", action: .printTapped)
      screen.button("Leave", id: "leave", action: .leaveTapped)
      screen.button("End", id: "end", action: .endTapped)
      screen.heading(all)
      for text in state.texts { screen.text(text) }
      for style: TextStyle in [.plain, .secondary, .success, .warning, .error] {
        screen.text(all, style: style)
      }
      screen.preformatted(all)
      screen.keyValues([KeyValue(all, all)])
      screen.divider()
      screen.progress(all, fraction: 0.5)
      screen.sparkline(all, values: [1, 2], unit: all)
      screen.bars([Bar(all, 1)], unit: all)
      screen.field(
        all, id: "text", text: all, placeholder: all, problem: all
      ) { .textChanged($0) }
      screen.field(
        all + " lines", id: "lines", text: all, isMultiline: true
      ) { .textChanged($0) }
      screen.numberField(all + " number", value: 1, problem: all) { .numberChanged($0) }
      screen.secretField(all + " secret", isSet: true) { .secretChanged($0) }
      screen.toggle(all + " toggle", isOn: true) { .toggled($0) }
      screen.choice(
        all + " choice", options: [ChoiceOption("a", label: all), ChoiceOption(all)],
        selected: all
      ) { .optionChosen($0) }
      screen.button(all + " button", id: all, action: .leaveTapped)
      screen.section(all) { $0.text(all) }
      screen.columns { columns in columns.column { $0.text(all) } }
      screen.list(state.texts, id: "list", placeholder: all) {
        Row($0, detail: $0, id: $0, action: .textChanged($0))
      }
      screen.list([String](), id: "empty", placeholder: all) { Row($0) }
      screen.table(state.texts, columns: [TableColumn(all), TableColumn(all)], id: "table") {
        Row(cells: [$0, $0])
      }
    }
  }
}
