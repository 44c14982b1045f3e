public import AppCore
public import Diagnostics

/// What the navigation did, refused and dropped, latest last.
///
/// A value like the rest of the state: bounded, and the same for the same actions, but for the
/// durations.
public struct Journal: Sendable {
  /// One thing that happened or did not, or that went between features.
  public enum Event: Sendable {
    /// A delegate action reached the graph.
    case delegate(from: InstanceID, node: Int, action: String, payload: Value)
    /// Verbs applied, as one step.
    case navigated(verbs: [String])
    /// A route's step could not apply; nothing changed. Without an action a person asked for it.
    case refused(node: Int, action: String, Rejection)
    /// A link waits until an instance of the node lives.
    case waiting(link: String, node: Int)
    /// An instance of the node got an input action.
    case notified(InstanceID, node: Int, input: String)
    /// A notification had no receiver.
    case noReceiver(node: Int, action: String, input: String)
    /// The instance of an action was gone.
    case gone(InstanceID)
    /// A value passed between features did not fit.
    case invalid(node: Int, action: String, String)
    /// An action came from a build of the instance's feature that has been replaced.
    case outdated(InstanceID, node: Int)
    /// Actions that triggered each other endlessly were cut off; this one was the last.
    case endless(InstanceID, node: Int, action: String, limit: Int)
    /// A removed instance was released while its last effects were still running.
    case overdue(InstanceID, node: Int)
    /// An instance has very many effects that run.
    case flood(InstanceID, node: Int, count: Int)
    /// A plugin was replaced by another build, which took its instances over.
    case replaced(plugin: String, from: String, to: String, instances: Int)
    /// Replacing a plugin failed; the old build keeps running.
    case notReplaced(plugin: String, code: String, reason: String)
    /// A plugin that was refused before is the build that runs again; the code is the refusal's.
    case restored(plugin: String, code: String)
    /// A changed manifest took the place of the one before; so many instances continue, and what is
    /// lost, in words.
    case adopted(instances: Int, losses: String?)
    /// A changed manifest was refused; the one before stays.
    case notAdopted(code: String, reason: String)
    /// A manifest that was refused before is the one that runs again; the code is the refusal's.
    case manifestRestored(code: String)
    /// So many builds of plugins are in memory, former ones too, which stay there.
    case crowded(builds: Int)

    /// What was to be loaded again: a plugin by its name, or the manifest, which has none; `nil` if it is
    /// about something else.
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

  /// The origin.
  public enum Origin: Hashable, Sendable {
    /// The app itself, as it begins.
    case app
    /// The user: the command as typed, without its colon.
    case person(String)
    /// An instance, by a delegate action of its feature.
    case instance(InstanceID, node: Int, action: String)
    /// An instance that is gone, so that its node is not known any more.
    case formerInstance(InstanceID)
  }

  /// An event, with who asked for it and how long it took.
  public struct Entry: Sendable {
    /// Its number, from 1; never used again.
    public let number: Int
    public let origin: Origin
    public let event: Event
    /// How long the step took, with all that was made for it; zero for what takes no time of its
    /// own.
    public let duration: Duration
  }

  /// How many entries are kept.
  public static let limit = 256

  /// The latest entries, the oldest first.
  public var entries: [Entry] { Array(ring[next...] + ring[..<next]) }
  /// How many entries there have ever been.
  public private(set) var count = 0
  /// How many actions were dropped because their instance was gone, or another build's.
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

  /// The entries that came after the first `count`, as far as they are kept.
  public func entries(after count: Int) -> [Entry] {
    let wanted = min(ring.count, max(0, self.count - count))
    return (ring.count - wanted..<ring.count).map { ring[(next + $0) % ring.count] }
  }

  /// The latest events, the oldest first.
  public var events: [Event] { entries.map(\.event) }

  /// The events that came after the first `count`, as far as they are kept.
  public func events(after count: Int) -> [Event] { entries(after: count).map(\.event) }
}
