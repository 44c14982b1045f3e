@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Navigation
internal import Shell

/// One entry of an app's log: a line that was typed, or an action with what it brought about.
///
/// Secrets are redacted: values that went to secret fields are left out, and `Secret` describes
/// itself as `<secret>`.
public struct ActionRecord: Hashable, Sendable {
  /// Where it came from.
  public enum Origin: String, Hashable, Sendable {
    /// A person, a script or a program: a line.
    case line
    /// A control of a screen: a view action.
    case screen
    /// The feature's own effects: an internal action.
    case effect
    /// The feature, for the graph: a delegate action.
    case delegate
    /// A route, from another feature's delegate action: an input action.
    case route
    /// The app itself or a command that navigates.
    case navigation
    /// A component of the feature.
    case component
  }

  /// Its number, from 1; never used again.
  public let number: Int
  public let origin: Origin
  /// A line's number in a script, from 1; `nil` for what a person typed, and for actions.
  public let line: Int?
  /// The instance's id and its node; `nil` for lines and for what concerns the app.
  public let instance: String?
  public let node: String?
  /// What it was, in words; a line that was refused, or was a command, as it was typed.
  public let text: String
  /// How long it took to be reduced, the navigation that it caused and the start of its effects
  /// included.
  public let duration: Duration
  /// What the navigation logged meanwhile.
  public let events: [NavigationEvent]
  /// Why the line was refused; `nil` where it was not.
  public let refusal: String?
  /// The code of the refusal.
  public let code: String?

  /// Whether something was refused or dropped here.
  public var failed: Bool { refusal != nil || failure != nil }

  /// The last thing that was refused or dropped.
  package var failure: NavigationEvent? { events.last { $0.failure != nil } }
}

extension NavigationEvent {
  /// The code and the reason of what was refused or dropped.
  package var failure: (code: String, reason: String)? {
    switch outcome {
    case .refused(let code, let reason), .dropped(let code, let reason): (code, reason)
    case .emitted, .navigated, .notified, .waiting, .replaced, .restored, .manifestReloaded,
      .manifestRestored, .warned:
      nil
    }
  }

  /// What came of it, in a few words.
  public var text: String {
    switch outcome {
    case .emitted:
      if case .instance(_, _, let action) = origin { "emitted '\(action)'" } else { "emitted" }
    case .navigated(let verbs): verbs.joined(separator: ", ")
    case .notified(let id, let node, let input): "notified \(node) #\(id) of '\(input)'"
    case .waiting(let link, let node): "the link '\(link)' waits for '\(node)'"
    case .refused(let code, let reason): "refused: \(reason) [\(code)]"
    case .dropped(let code, let reason): "dropped: \(reason) [\(code)]"
    case .replaced(let plugin, let from, let to, let instances):
      NavigationEvent.Outcome.replaced(plugin, from: from, to: to, instances: instances)
    case .restored(let plugin, let code): NavigationEvent.Outcome.restored(plugin, code: code)
    case .manifestReloaded(let instances, let losses):
      NavigationEvent.Outcome.adopted(instances: instances, losses: losses)
    case .manifestRestored: NavigationEvent.Outcome.manifestRestored
    case .warned(let code, let reason): "\(reason) [\(code)]"
    }
  }
}

extension App {
  /// The log after its first `number` entries, the oldest first: lines, and actions as they were
  /// reduced.
  ///
  /// At most the latest 256 are kept.
  public func actionRecords(after number: Int = 0) -> [ActionRecord] {
    log.entries(after: number).map(record)
  }

  /// Hands the entries of the log to `body`, on the app's thread, whenever actions have been reduced
  /// and none waits; `nil` ends that.
  public func observeActions(_ body: (@Sendable (ActionRecord) -> Void)?) {
    actionObserver = body
    observedActions = log.count
  }

  /// Calls the observer with the actions since its last call.
  func tellObserver() {
    guard let actionObserver else { return }
    let records = actionRecords(after: observedActions)
    observedActions = log.count
    for record in records { actionObserver(record) }
  }

  package func record(_ entry: ActionLog.Entry) -> ActionRecord {
    let events = navigationEvents(after: entry.events.lowerBound).prefix {
      $0.number <= entry.events.upperBound
    }
    var instance: String?
    var node: String?
    var lineNumber: Int?
    let origin: ActionRecord.Origin
    let text: String
    switch entry.subject {
    case .activation(let activation, let line):
      origin = .line
      lineNumber = line
      text = Self.lead(line) + activation.description
    case .typed(let typed, let line):
      origin = .line
      lineNumber = line
      text = Self.lead(line) + typed
    case .action(.navigate, _):
      origin = .navigation
      // The navigation logs every step that a person asks for.
      text = events.first.map(Self.text) ?? "a step"
    case .action(.replace(let replacement), _):
      origin = .navigation
      text = "a new build of '\(replacement.plugin)'"
    case .action(.adopt, _):
      origin = .navigation
      text = "a changed manifest"
    case .action(.restore, _):
      origin = .navigation
      text = "the app continues"
    case .action(.end, _):
      origin = .navigation
      text = "the end of the app"
    case .action(.report(let report), _):
      origin = .navigation
      text = report.text
    case .action(.instance(let id, let action), let index):
      instance = "\(id)"
      node = index.map { graph.nodes[$0].name }
      text = action.text
      origin = Self.origin(of: text)
    }
    return ActionRecord(
      number: entry.number, origin: origin, line: lineNumber, instance: instance, node: node,
      text: text, duration: .nanoseconds(entry.duration), events: Array(events),
      refusal: entry.refusal?.message, code: entry.refusal?.code)
  }

  private static func lead(_ line: Int?) -> String { line.map { "line \($0): " } ?? "" }

  private static func text(_ event: NavigationEvent) -> String {
    switch event.origin {
    case .app: "the start of the app"
    case .person(let command): ":" + command
    case .instance, .formerInstance: event.text
    }
  }

  /// The kind of the action that is described.
  private static func origin(of description: String) -> ActionRecord.Origin {
    switch description.dropFirst().prefix(while: { $0 != "(" }) {
    case "view": .screen
    case "internal": .effect
    case "delegate": .delegate
    case "input": .route
    default: .component
    }
  }
}
