internal import AppCore
package import Navigation
internal import Support

/// One entry of the navigation log: its origin and its outcome.
///
/// The app keeps the latest 256 events. They contain no payloads, and so no secrets.
public struct NavigationEvent: Hashable, Sendable {
  /// The origin of an event.
  public enum Origin: Hashable, Sendable {
    /// The app itself, as it begins.
    case app
    /// The user, by this command, without its colon.
    case person(command: String)
    /// An instance, by an action of its feature.
    case instance(id: String, node: String, action: String)
    /// An instance that is gone, so that its node is no longer known.
    case formerInstance(id: String)
  }

  /// The outcome of an event.
  public enum Outcome: Hashable, Sendable {
    /// A delegate action reached the graph.
    case emitted
    /// These verbs were applied in one step.
    case navigated(verbs: [String])
    /// An instance of a node was sent an input action.
    case notified(id: String, node: String, input: String)
    /// A link waits until there is an instance of this node.
    case waiting(link: String, node: String)
    /// Nothing has changed, for this reason; the code is that of a rule, such as `not-current`.
    case refused(code: String, reason: String)
    /// An action or a notification was dropped.
    ///
    /// The code is `gone`, `no-receiver`, `invalid`, `outdated` or `endless`.
    case dropped(code: String, reason: String)
    /// A plugin was replaced by another build, in which this many instances continue.
    ///
    /// `from` and `to` are the versions of the builds.
    case replaced(plugin: String, from: String, to: String, instances: Int)
    /// A plugin's file is again the build that runs, after a reload was refused with this code.
    case restored(plugin: String, code: String)
    /// The manifest was replaced by a changed one, and this many instances continue.
    ///
    /// `losses` describes what did not continue; `nil` if everything did.
    case manifestReloaded(instances: Int, losses: String?)
    /// The manifest is again the one that runs, after a reload was refused with this code.
    case manifestRestored(code: String)
    /// A warning; nothing was dropped. The code is `flood`, `overdue`, `many-builds` or `unkept-value`.
    case warned(code: String, reason: String)
  }

  /// Its number, from 1; numbers are not reused.
  public let number: Int
  public let origin: Origin
  public let outcome: Outcome
  /// How long the step took; zero for events that are not steps of their own.
  public let duration: Duration
}

extension App {
  /// The entries of the navigation log after its first `number` ones, oldest first.
  ///
  /// Only the latest 256 entries are kept.
  ///
  /// - Complexity: O(*n*), where *n* is the number of returned entries.
  public func navigationEvents(after number: Int = 0) -> [NavigationEvent] {
    state.journal.entries(after: number).map { NavigationEvent($0, graph: graph) }
  }
}

extension NavigationEvent {
  package init(_ entry: Journal.Entry, graph: Graph) {
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
      self = .refused(code: refusal.code, reason: refusal.message)
    case .noReceiver(_, _, let input): self = .dropped(.droppedNotification(input: input))
    case .gone: self = .dropped(.gone)
    case .invalid(_, _, let reason): self = .dropped(Rejection(.invalid, reason))
    case .outdated: self = .dropped(.outdated)
    case .endless(let id, let node, let action, let limit):
      self = .dropped(.endless(action, "\(graph.nodes[node].name) #\(id)", limit: limit))
    case .overdue(let id, let node):
      self = .warned(.overdue("\(graph.nodes[node].name) #\(id)"))
    case .flood(let id, let node, let count):
      self = .warned(.flood("\(graph.nodes[node].name) #\(id)", count: count))
    case .replaced(let plugin, let from, let to, let count):
      self = .replaced(plugin: plugin, from: from, to: to, instances: count)
    case .notReplaced(let plugin, let code, let reason):
      self = .refused(code: code, reason: Self.notReplaced(plugin, reason: reason))
    case .restored(let plugin, let code): self = .restored(plugin: plugin, code: code)
    case .adopted(let instances, let losses):
      self = .manifestReloaded(instances: instances, losses: losses)
    case .notAdopted(let code, let reason):
      self = .refused(code: code, reason: Self.notAdopted(reason))
    case .manifestRestored(let code): self = .manifestRestored(code: code)
    case .unkept(let reason): self = .warned(.unkeptValue(reason))
    case .crowded(let builds):
      self = .warned(.manyBuilds(builds))
    }
  }

  private static func dropped(_ rejection: Rejection) -> Self {
    .dropped(code: rejection.code, reason: rejection.message)
  }

  private static func warned(_ rejection: Rejection) -> Self {
    .warned(code: rejection.code, reason: rejection.message)
  }
}

// Messages about reloads, in the log and above the screen.
extension NavigationEvent.Outcome {
  package static func replaced(
    _ plugin: String, from: String, to: String, instances: Int
  ) -> String {
    let version = from == to ? "" : ", version \(from) by \(to)"
    return "'\(plugin)' was replaced\(version); "
      + (instances == 1 ? "1 instance continues" : "\(instances) instances continue") + " with it"
  }

  package static func adopted(instances: Int, losses: String?) -> String {
    "the manifest was reloaded; "
      + (instances == 1 ? "1 instance continues" : "\(instances) instances continue")
      + (losses.map { "; " + $0 } ?? "")
  }

  package static func notAdopted(_ reason: String) -> String {
    "the manifest was not reloaded, and the app continues with the one before: \(reason)"
  }

  package static let manifestRestored =
    "the manifest is again the one that is running; nothing has changed"

  package static func restored(_ plugin: String, code: String) -> String {
    "'\(plugin)' "
      + (code == "plugin-not-compiled" ? "compiles again" : "is the build that runs again")
      + "; nothing in it has changed"
  }

  package static func notReplaced(_ plugin: String, reason: String) -> String {
    "'\(plugin)' keeps its former build: \(reason)"
  }
}
