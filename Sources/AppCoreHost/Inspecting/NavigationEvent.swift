internal import AppCore
internal import Navigation

/// One entry of the navigation's log: what was asked for, by whom, and what came of it.
///
/// The app keeps the latest 256. Payloads are not part of it, so that no secret is.
public struct NavigationEvent: Hashable, Sendable {
  /// Who asked for it.
  public enum Origin: Hashable, Sendable {
    /// The app itself, as it begins.
    case app
    /// A person: the command as it is typed, without its colon.
    case person(command: String)
    /// An instance, by a delegate action of its feature.
    case instance(id: String, node: String, action: String)
    /// An instance that is gone, so that its node is not known any more.
    case formerInstance(id: String)
  }

  /// What came of it.
  public enum Outcome: Hashable, Sendable {
    /// A delegate action reached the graph.
    case emitted
    /// These verbs applied, as one step.
    case navigated(verbs: [String])
    /// An instance of a node got an input action.
    case notified(id: String, node: String, input: String)
    /// A link waits until an instance of a node lives.
    case waiting(link: String, node: String)
    /// Nothing changed, and why; the code is one word, such as `not-current`.
    case refused(code: String, reason: String)
    /// An action or a notification reached nobody, and why: `gone`, `no-receiver`, `invalid`.
    case dropped(code: String, reason: String)
  }

  /// Its number, from 1; never used again.
  public let number: Int
  public let origin: Origin
  public let outcome: Outcome
  /// How long the step took; zero for what takes no time of its own.
  public let duration: Duration
}

extension App {
  /// The log of the navigation after its first `number` entries, the oldest first.
  ///
  /// - Complexity: O(n) in the entries that are returned, at most 256.
  public func navigationEvents(after number: Int = 0) -> [NavigationEvent] {
    state.journal.entries(after: number).map { NavigationEvent($0, graph: graph) }
  }

  /// The number of the latest entry of the log; 0 before there is one.
  public var lastNavigationEvent: Int { state.journal.count }
}

extension NavigationEvent {
  init(_ entry: Journal.Entry, graph: Graph) {
    number = entry.number
    origin =
      switch entry.origin {
      case .app: .app
      case .person(let command): .person(command: command)
      case .instance(let id, let node, let action):
        .instance(id: "\(id)", node: graph.nodes[node].name, action: action)
      case .formerInstance(let id): .formerInstance(id: "\(id)")
      }
    outcome = Outcome(entry.event, graph: graph)
    duration = entry.duration
  }
}

extension NavigationEvent.Outcome {
  fileprivate init(_ event: Journal.Event, graph: Graph) {
    switch event {
    case .delegate: self = .emitted
    case .navigated(let verbs): self = .navigated(verbs: verbs)
    case .notified(let id, let node, let input):
      self = .notified(id: "\(id)", node: graph.nodes[node].name, input: input)
    case .waiting(let link, let node):
      self = .waiting(link: link, node: graph.nodes[node].name)
    case .refused(_, _, let refusal):
      self = .refused(code: refusal.code, reason: refusal.description)
    case .noReceiver(_, _, let input):
      self = .dropped(code: "no-receiver", reason: "nobody there has the input '\(input)'")
    case .gone: self = .dropped(code: "gone", reason: "its instance is gone")
    case .invalid(_, _, let reason): self = .dropped(code: "invalid", reason: reason)
    }
  }
}
