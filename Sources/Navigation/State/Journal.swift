public import AppCore
public import Support

/// The log of what the navigation did, rejected and dropped, latest last.
///
/// It is a bounded value, like the rest of the state. Except for durations, the same actions
/// produce the same log.
public struct Journal: Sendable {
  /// An event of the log.
  public enum Event: Sendable {
    /// A delegate action reached the graph.
    case delegate(from: InstanceID, node: Int, action: String, payload: Value)
    /// Verbs applied, as one step.
    case navigated(verbs: [String])
    /// A step was rejected; nothing changed. `action` is empty if the user requested the step.
    case refused(node: Int, action: String, Rejection)
    /// A link waits until an instance of the node exists.
    case waiting(link: String, node: Int)
    /// An instance of the node received an input action.
    case notified(InstanceID, node: Int, input: String)
    /// A notification had no receiver.
    case noReceiver(node: Int, action: String, input: String)
    /// An action was dropped because its instance no longer exists.
    case gone(InstanceID)
    /// A value passed between features did not fit.
    case invalid(node: Int, action: String, String)
    /// An action came from a build of the instance's feature that has been replaced.
    case outdated(InstanceID, node: Int)
    /// Actions that triggered each other endlessly were cut off; this one was the first to be
    /// dropped.
    case endless(InstanceID, node: Int, action: String, limit: Int)
    /// A removed instance was released while its last effects were still running.
    case overdue(InstanceID, node: Int)
    /// An instance has very many running effects.
    case flood(InstanceID, node: Int, count: Int)
    /// A plugin was replaced by another build, to which this many instances were carried over.
    case replaced(plugin: String, from: String, to: String, instances: Int)
    /// Replacing a plugin failed; the old build keeps running.
    case notReplaced(plugin: String, code: String, reason: String)
    /// After a rejected build, the plugin's file is the running build again; `code` is that of the
    /// rejection.
    case restored(plugin: String, code: String)
    /// A changed manifest was adopted; `instances` is the number of instances that continue, and
    /// `losses` describes what is lost.
    case adopted(instances: Int, losses: String?)
    /// A changed manifest was rejected; the previous one stays.
    case notAdopted(code: String, reason: String)
    /// After a rejected manifest, the file is the running manifest again; `code` is that of the
    /// rejection.
    case manifestRestored(code: String)
    /// This many builds of plugins are in memory, including former ones, which are never unloaded.
    case crowded(builds: Int)
    /// A shared value is not in its file, for this reason.
    case unkept(reason: String)

    /// The name of the plugin whose reloading this is about, or an empty string for the manifest;
    /// `nil` for other events.
    public var reloaded: String? {
      switch self {
      case .replaced(let plugin, _, _, _), .notReplaced(let plugin, _, _),
        .restored(let plugin, _):
        plugin
      case .adopted, .notAdopted, .manifestRestored: ""
      default: nil
      }
    }
  }

  /// The origin of an event.
  public enum Origin: Hashable, Sendable {
    /// The app itself.
    case app
    /// The user: the command as typed, without its colon.
    case person(String)
    /// An instance, by a delegate action of its feature.
    case instance(InstanceID, node: Int, action: String)
    /// An instance that may no longer exist, so that its node is unknown.
    case formerInstance(InstanceID)
  }

  /// An event with its origin and duration.
  public struct Entry: Sendable {
    /// The number of the entry, counted from 1; never reused.
    public let number: Int
    public let origin: Origin
    public let event: Event
    /// The duration of the step, including the creation of its instances; zero for events that are
    /// not steps.
    public let duration: Duration
  }

  /// The maximum number of entries.
  public static let limit = 256

  /// The latest entries, the oldest first.
  public var entries: [Entry] { Array(ring[next...] + ring[..<next]) }
  /// The number of entries ever added, including those that are no longer kept.
  public private(set) var count = 0
  /// The number of actions that were dropped because their instance no longer existed, or because
  /// they came from a former build.
  public private(set) var goneCount = 0

  private var ring: [Entry] = []
  private var next = 0

  mutating func append(_ event: Event, by origin: Origin, took duration: Duration = .zero) {
    count += 1
    switch event {
    case .gone, .outdated: goneCount += 1
    default: break
    }
    let entry = Entry(number: count, origin: origin, event: event, duration: duration)
    if ring.count < Self.limit {
      ring.append(entry)
    } else {
      ring[next] = entry
      next = (next + 1) % Self.limit
    }
  }

  /// The entries after the first `count` that were ever added, as far as they are kept.
  public func entries(after count: Int) -> [Entry] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (ring.count - wanted..<ring.count).map { ring[(next + $0) % ring.count] }
  }

  /// The latest events, the oldest first.
  public var events: [Event] { entries.map(\.event) }

  /// The events of the entries after the first `count`, as far as they are kept.
  public func events(after count: Int) -> [Event] { entries(after: count).map(\.event) }
}
