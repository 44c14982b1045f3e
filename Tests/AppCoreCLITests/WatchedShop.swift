import Foundation
import TestSupport
import Testing

/// A folder with an app and the sources of its plugin, which a test saves while the app runs.
struct WatchedShop {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(
      "app.yaml",
      """
      appcore: 1
      name: shop
      plugins: [{ path: ./Shop }]
      start: cart
      nodes:
        cart: { feature: Shop.Cart }

      """)
    try save(Self.sources("One"))
  }

  static func sources(_ word: String) -> String {
    """
    import AppCore

    struct ShopPlugin: Plugin {
      static let name = "Shop"
      static let version = "1.0.0"
      init(configuration: NoConfiguration) {}
      static func register(in registry: inout PluginRegistry<Self>) {
        registry.feature(Cart.self) { _ in Cart() }
      }
    }

    struct Cart: Feature {
      struct State: Codable, Sendable { var count = 0 }
      enum Action: FeatureAction {
        enum View: Codable, Sendable { case addTapped }
        case view(View)
      }
      func initialState(_ arguments: NoArguments) -> State { State() }
      func reduce(into state: inout State, action: Action) -> Effect<Action> {
        state.count += 1
        return .none
      }
      func screen(_ state: State) -> Screen<Action> {
        Screen("Cart") { screen in
          screen.text("\(word): \\(state.count)")
          screen.button("Add", id: "add", action: .addTapped)
        }
      }
    }

    @c(appcore_plugin_Shop)
    public func shop() -> UnsafeMutableRawPointer { export(ShopPlugin.self) }

    """
  }

  /// Saves as most editors do: another file takes the name.
  func save(_ text: String) throws {
    let draft = try folder.write("Shop/.Shop.swift.draft", text)
    #expect(
      rename(draft.path, folder.url.appendingPathComponent("Shop/Shop.swift").path) == 0)
  }

  /// The app on a terminal.
  func terminal(columns: Int = 100, environment: [String: String] = [:]) throws -> TypedTerminal {
    try TypedTerminal(
      ["run", folder.url.appendingPathComponent("app.yaml").path, "--watch"], columns: columns,
      environment: ["XDG_CACHE_HOME": folder.url.appendingPathComponent("cache").path]
        .merging(environment) { $1 })
  }
}
