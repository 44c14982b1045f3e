# The program is killed while it writes a shared value's file: what was confirmed is there, and whole.
tries 200
mkdir "$WORK/app"
cat > "$WORK/Texts.swift" <<'END'
import AppCore

struct Page: Feature {
  struct State: Codable, Sendable {
    @Shared var text: String
    var saved = "nothing"
  }
  enum Action: FeatureAction {
    enum View: Codable, Sendable { case changed(String), saveTapped }
    enum Internal: Sendable { case saved(String) }
    case view(View)
    case `internal`(Internal)
  }
  let file: String

  func initialState(_ arguments: NoArguments) -> State {
    State(text: Shared(wrappedValue: "", .file(file)))
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .view(.changed(let text)):
      state.$text.withLock { $0 = text }
      return .none
    case .view(.saveTapped):
      let shared = state.$text
      return .run { send in
        let text = shared.wrappedValue
        try await shared.save()
        await send(.internal(.saved(text)))
      }
    case .internal(.saved(let text)):
      state.saved = text
      return .none
    }
  }

  func screen(_ state: State) -> Screen<Action> {
    Screen("Texts") { screen in
      screen.field("Text", id: "text", text: state.text) { .changed($0) }
      screen.button("Save", id: "save", action: .saveTapped)
      screen.text(state.saved)
    }
  }
}

struct Texts: Plugin {
  struct Configuration: Codable, Sendable { var file: String }
  static let name = "Texts"
  static let version = "1.0.0"
  let file: String
  init(configuration: Configuration) { file = configuration.file }
  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Page.self) { Page(file: $0.file) }
  }
}

@c(appcore_plugin_Texts)
public func entry() -> UnsafeMutableRawPointer { export(Texts.self) }
END
swiftc -swift-version 6 -emit-library -module-name Texts "$WORK/Texts.swift" \
  -o "$WORK/app/libTexts.so" -I "$BUILD/Modules" -L "$BUILD" -lAppCore
cat > "$WORK/app/app.yaml" <<'END'
appcore: 1
vars: { file: { default: /nonexistent } }
plugins: [{ name: Texts, with: { file: $vars.file } }]
start: page
nodes:
  page: { feature: Texts.Page }
END
in_python shared.py killed
