internal import AppCore

/// A plugin with two features of the same name.
struct MockDuplicatePlugin: Plugin {
  static let name = "MockDuplicate"
  static let version = "1.0.0"

  init(configuration: NoConfiguration) {}

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Note.self) { _ in Note() }
    registry.feature(Note.self) { _ in Note() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_MockDuplicate)
public func mockDuplicatePlugin() -> UnsafeMutableRawPointer { export(MockDuplicatePlugin.self) }

struct Note: Feature {
  struct State: Codable, Sendable {}
  enum Action: FeatureAction {}

  func initialState(_ arguments: NoArguments) -> State { State() }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {}
  func screen(_ state: State) -> Screen<Action> { Screen("Note") { $0.text("A note.") } }
}
