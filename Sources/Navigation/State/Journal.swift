public import AppCore

/// What the router refused and dropped, the latest last.
public struct Journal: Sendable {
  /// One thing that did not happen, or that went between features.
  public enum Event: Sendable {
    /// A delegate action reached the graph.
    case delegate(from: InstanceID, node: Int, action: String, payload: Value)
    /// A route's step could not apply; nothing changed.
    case refused(node: Int, action: String, Refusal)
    /// A notification had no receiver.
    case noReceiver(node: Int, action: String, input: String)
    /// The instance of an action was gone.
    case gone(InstanceID)
    /// What crosses between features did not fit.
    case invalid(node: Int, action: String, String)
  }

  /// How many events are kept.
  public static let limit = 256

  /// The latest events, the oldest first.
  public var events: [Event] { Array(ring[next...] + ring[..<next]) }
  /// How many events there have ever been.
  public private(set) var count = 0
  /// How many actions were dropped because their instance was gone.
  public private(set) var goneCount = 0

  private var ring: [Event] = []
  private var next = 0

  mutating func append(_ event: Event) {
    count += 1
    if case .gone = event { goneCount += 1 }
    if ring.count < Self.limit {
      ring.append(event)
    } else {
      ring[next] = event
      next = (next + 1) % Self.limit
    }
  }

  /// The events that came after the first `count`, as far as they are kept.
  public func events(after count: Int) -> [Event] {
    Array(events.suffix(max(0, self.count - count)))
  }
}
