extension ScreenBuilder {
  /// Sends an action when this screen is first shown, as SwiftUI's `task` does.
  ///
  /// ```swift
  /// enum Action: FeatureAction {
  ///   enum View: Codable, Sendable { case onTask, stopTapped }
  ///   case view(View)
  /// }
  ///
  /// func screen() -> Screen<Action> {
  ///   Screen("Recording") { screen in
  ///     screen.task { .onTask }
  ///     screen.button("Stop", action: .stopTapped)
  ///   }
  /// }
  /// ```
  ///
  /// On the screen of a child it starts the child: the action is sent once, however often the screen
  /// is built or covered by another one, and its effects end with the child, whoever removes it. A
  /// child that takes the place of another one gets it anew. It is sent again after the app was
  /// restored or the plugin replaced.
  ///
  /// - Parameters:
  ///   - id: if it has another value than before, the action's effects are cancelled, and the action
  ///     is sent again.
  ///   - action: makes the action.
  public mutating func task(id: AnyHashable = 0, action: () -> Action.View) {
    parts.append(.task(id: id, .view(action())))
  }
}

/// An action that a screen sends when it is first shown.
@_spi(Host)
public struct ScreenTask<Action> {
  /// Where the screen with the task is, in its parents' actions, and which of its tasks it is.
  public internal(set) var place: [AnyHashable]
  /// Changes if the action is to be sent again.
  public let id: AnyHashable
  public let action: Action

  func map<Other>(_ transform: (Action) -> Other) -> ScreenTask<Other> {
    ScreenTask<Other>(place: place, id: id, action: transform(action))
  }
}

extension ScreenTask {
  /// A task whose place is that of an action.
  init(id: AnyHashable, action: Action) {
    self.init(place: Self.place(of: action), id: id, action: action)
  }

  /// The cases of an action down to that of the view action, with the identifiers between them.
  private static func place(of action: Any) -> [AnyHashable] {
    var place: [AnyHashable] = []
    var next: Any? = action
    var isLast = false
    while let value = next {
      guard let name = EnumCase.name(of: value) else { break }
      place.append(name)
      guard !isLast else { break }
      isLast = value is any FeatureAction && name == "view"
      let payload = Mirror(reflecting: value).children.first?.value
      let parts = payload.map { Mirror(reflecting: $0) }
      if let parts, parts.displayStyle == .tuple {
        let fields = Dictionary(
          parts.children.map { ($0.label ?? "", $0.value) }, uniquingKeysWith: { $1 })
        if let id = fields["id"] as? AnyHashable { place.append(id) }
        next = fields["action"]
      } else {
        next =
          (payload as? any DestinationAnswer).map {
            place.append($0.key)
            return $0.content
          } ?? payload
      }
    }
    return place
  }
}
