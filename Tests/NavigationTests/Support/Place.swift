import AppCore

@testable import Navigation

/// The nodes that the tests of verbs navigate between.
enum Place: String, CaseIterable {
  // Features.
  case list, detail, dialog, alerts, settings, login, monitor
  /// At most two of them in one stack.
  case limited
  /// Has no input.
  case deaf
  /// Has effects that run until it ends.
  case worker
  /// Has something to do at its end.
  case finisher
  /// Can't be made.
  case broken
  // Containers.
  /// Tabs `list`, `alerts`, `settings`.
  case home
  /// Tabs `pair` and `login`.
  case nest
  /// Tabs `detail` and `dialog`.
  case pair
  /// Tabs `list` and `broken`.
  case fragile
  /// Tab `list`, with a `monitor` and a `worker` in the background.
  case watched

  var node: Int {
    // swift-format-ignore: NeverForceUnwrap
    Place.allCases.firstIndex(of: self)!
  }

  private var tabs: [Place] {
    switch self {
    case .home: [.list, .alerts, .settings]
    case .nest: [.pair, .login]
    case .pair: [.detail, .dialog]
    case .fragile: [.list, .broken]
    case .watched: [.list]
    default: []
    }
  }

  private var feature: String {
    switch self {
    case .deaf: "Mock.Deaf"
    case .worker: "Mock.Worker"
    case .finisher: "Mock.Finisher"
    default: "Mock.Probe"
    }
  }

  var definition: Node {
    let inherited = ArgumentTemplate.object(["tag": .payload(["tag"])])
    if !tabs.isEmpty {
      return Node(
        name: rawValue, content: .tabs(tabs.map { Target(node: $0.node, arguments: inherited) }),
        background: self == .watched
          ? [Target(node: Place.monitor.node), Target(.worker, "w")] : [])
    }
    return Node(
      name: rawValue, content: .feature(feature),
      arguments: self == .broken
        ? .object(["tag": .value(.string(MockArguments.refused))]) : .empty,
      maxDepth: self == .limited ? 2 : nil)
  }
}

extension Target {
  /// A place, with a tag where there is one.
  init(_ place: Place, _ tag: String? = nil) {
    self.init(
      node: place.node,
      arguments: tag.map { .object(["tag": .value(.string($0))]) } ?? .empty)
  }
}

extension RouteVerb {
  static func push(
    _ place: Place, _ tag: String? = nil, singleTop: Bool = false, ifCovered: IfCovered = .refuse
  ) -> RouteVerb { .push(Target(place, tag), singleTop: singleTop, ifCovered) }

  static func present(
    _ place: Place, _ tag: String? = nil, ifCovered: IfCovered = .refuse
  ) -> RouteVerb { .present(Target(place, tag), ifCovered) }

  static func replace(
    _ place: Place, _ tag: String? = nil, ifCovered: IfCovered = .refuse
  ) -> RouteVerb { .replace(Target(place, tag), ifCovered) }

  static func select(_ place: Place, ifCovered: IfCovered = .refuse) -> RouteVerb {
    .select(node: place.node, ifCovered)
  }

  static func popTo(_ place: Place, inclusive: Bool = false) -> RouteVerb {
    .popTo(.node(place.node), inclusive: inclusive)
  }

  static func popToRoot(inclusive: Bool = false) -> RouteVerb {
    .popTo(.root, inclusive: inclusive)
  }

  static func reset(_ place: Place, _ tag: String? = nil) -> RouteVerb {
    .reset(Target(place, tag))
  }

  /// Tells `receiver` the text of the delegate action.
  static func tell(_ receiver: Receiver) -> RouteVerb {
    .notify(receiver, input: "told", .object(["text": .payload(["text"])]))
  }

  static func tell(_ place: Place) -> RouteVerb { .tell(.node(place.node)) }
}
