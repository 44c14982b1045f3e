package import AppCore
public import Support

/// One event of the navigation log: its origin and its outcome.
///
/// A client can read no payload of it, and so no secret.
public struct NavigationEvent: Hashable, Sendable {
  /// The origin of an event.
  public enum Origin: Hashable, Sendable {
    case app
    /// The user, by this command, without its colon.
    case person(command: String)
    /// An instance, by an action of its feature.
    case instance(InstanceID, node: String, action: String)
    /// An instance that may be gone, so that its node is not known.
    case formerInstance(InstanceID)
  }

  /// The outcome of an event.
  public enum Outcome: Hashable, Sendable {
    /// A delegate action reached the graph.
    case emitted
    /// These verbs were applied in one step.
    case navigated(verbs: [String])
    /// A step was refused, and nothing changed; `action` is empty if a line asked for the step.
    case refused(node: String, action: String, Rejection)
    /// A link waits until there is an instance of this node.
    case waiting(link: String, node: String)
    /// An instance of a node was sent an input action.
    case notified(InstanceID, node: String, input: String)
    /// A notification had no receiver with this input.
    case noReceiver(input: String)
    /// An action was dropped; the rule is `gone`, `outdated`, `endless` or `invalid`.
    case dropped(Rejection)
    /// A warning; nothing was dropped.
    case warned(Rejection)
    /// A changed manifest runs, or another build of one plugin.
    case reloaded(Reload)
    /// A reload was refused for this reason; `nil` is the manifest.
    case notReloaded(plugin: String?, code: String, reason: String)
    /// After a reload that was refused with this code, the file is again the one that runs; `nil` is
    /// the manifest.
    case restored(plugin: String?, code: String)
  }

  /// What a reload has replaced.
  public struct Reload: Hashable, Sendable {
    /// The plugin of which another build runs, with the versions of both; `nil` for the manifest.
    public let plugin: PluginChange?
    /// How many instances continue with their states.
    public let instances: Int
    /// What did not continue, in words; `nil` if everything did.
    public let losses: String?

    package init(plugin: PluginChange?, instances: Int, losses: String?) {
      (self.plugin, self.instances, self.losses) = (plugin, instances, losses)
    }
  }

  /// A plugin of which another build runs.
  public struct PluginChange: Hashable, Sendable {
    public let name: String
    /// The versions of the builds.
    public let from: String
    public let to: String

    package init(name: String, from: String, to: String) {
      (self.name, self.from, self.to) = (name, from, to)
    }
  }

  /// Its number, from 1; numbers are not reused.
  public let number: Int
  public let origin: Origin
  public let outcome: Outcome
  /// How long the step took, with the creation of its instances; zero for what is not a step.
  public let duration: Duration
  package let payload: Value

  /// The name of the plugin whose reload this is about; empty for the manifest, `nil` for others.
  package var reloadedPlugin: String? {
    switch outcome {
    case .reloaded(let reload): reload.plugin?.name ?? ""
    case .notReloaded(let plugin, _, _), .restored(let plugin, _): plugin ?? ""
    default: nil
    }
  }

  /// The code and the reason if something was refused or dropped; otherwise `nil`.
  public var failure: (code: String, reason: String)? {
    let code: String? =
      switch outcome {
      case .refused(_, _, let rejection), .dropped(let rejection): rejection.code
      case .noReceiver: Rule.droppedNotification.code
      case .notReloaded(_, let code, _): code
      case .emitted, .navigated, .waiting, .notified, .warned, .reloaded, .restored: nil
      }
    return code.map { ($0, message) }
  }

  package var isDrop: Bool {
    switch outcome {
    case .dropped, .noReceiver: true
    default: false
    }
  }

  /// The outcome in a few words, for the log.
  public var text: String {
    if let failure {
      return "\(isDrop ? "dropped" : "refused"): \(failure.reason) [\(failure.code)]"
    }
    if case .warned(let rejection) = outcome { return rejection.description }
    return message
  }

  /// The outcome without what was typed: a refusal by its code, and a link by its node.
  public var subject: String {
    if let failure { return "\(isDrop ? "dropped" : "refused") [\(failure.code)]" }
    if case .waiting(_, let node) = outcome { return "a link waits for '\(node)'" }
    return text
  }

  /// The outcome in a few words, without a code.
  package var message: String {
    switch outcome {
    case .emitted:
      if case .instance(_, _, let action) = origin { "emitted '\(action)'" } else { "emitted" }
    case .navigated(let verbs): verbs.joined(separator: ", ")
    case .notified(let id, let node, let input): "notified \(node) #\(id) of '\(input)'"
    case .waiting(let link, let node): "the link '\(link)' waits for '\(node)'"
    case .refused(_, _, let rejection), .dropped(let rejection), .warned(let rejection):
      rejection.message
    case .noReceiver(let input): "nobody there has the input '\(input)'"
    case .reloaded(let reload): reload.text
    case .notReloaded(let plugin?, _, let reason): "'\(plugin)' keeps its former build: \(reason)"
    case .notReloaded(nil, _, let reason):
      "the manifest was not reloaded, and the app continues with the one before: \(reason)"
    case .restored(let plugin?, let code):
      "'\(plugin)' "
        + (code == "plugin-not-compiled" ? "compiles again" : "is the build that runs again")
        + "; nothing in it has changed"
    case .restored(nil, _): "the manifest is again the one that is running; nothing has changed"
    }
  }
}

extension NavigationEvent.Reload {
  fileprivate var text: String {
    let count = instances == 1 ? "1 instance continues" : "\(instances) instances continue"
    let losses = losses.map { "; " + $0 } ?? ""
    guard let plugin else { return "the manifest was reloaded; " + count + losses }
    let version = plugin.from == plugin.to ? "" : ", version \(plugin.from) by \(plugin.to)"
    return "'\(plugin.name)' was replaced\(version); \(count) with it" + losses
  }
}

/// The log of what the navigation did, rejected and dropped, latest last.
///
/// It is a bounded value, like the rest of the state. Except for durations, the same actions
/// produce the same log.
public struct Journal: Sendable {
  /// The maximum number of events.
  public static let limit = 256
  /// The number of events ever added, including those that are no longer kept.
  public private(set) var count = 0

  private var ring: [NavigationEvent] = []
  private var next = 0

  mutating func append(
    _ outcome: NavigationEvent.Outcome, by origin: NavigationEvent.Origin,
    took duration: Duration = .zero, payload: Value = .null
  ) {
    count += 1
    let event = NavigationEvent(
      number: count, origin: origin, outcome: outcome, duration: duration, payload: payload)
    if ring.count < Self.limit {
      ring.append(event)
    } else {
      ring[next] = event
      next = (next + 1) % Self.limit
    }
  }

  /// The latest events, the oldest first.
  public var events: [NavigationEvent] { events(after: 0) }

  /// The events after the first `count` that were ever added, as far as they are kept.
  public func events(after count: Int) -> [NavigationEvent] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (ring.count - wanted..<ring.count).map { ring[(next + $0) % ring.count] }
  }
}
