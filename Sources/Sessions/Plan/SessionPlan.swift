package import AppCore
package import Navigation
internal import Support

/// What becomes of each instance of an image under a manifest and its plugins.
///
/// A plan always reaches the manifest's `start`: where nothing else can come back, the app begins
/// there.
public struct SessionPlan: Sendable {
  /// What becomes of an instance.
  public enum Fate: Hashable, Sendable {
    /// It continues with its state.
    case kept
    /// It continues with its state, which another version of its plugin had written.
    case migrated(from: String)
    /// It starts afresh with its arguments, and why.
    case madeAnew(reason: String)
    /// It does not come back, and why.
    case dropped(reason: String)
  }

  /// An instance and what becomes of it.
  public struct Entry: Hashable, Sendable {
    /// Its number in the image.
    public let id: UInt64
    /// The node that it was of.
    public let node: String
    /// The node that it is of now; the same unless the node was renamed.
    public let newNode: String?
    public let fate: Fate
  }

  /// Every instance of the image, in the order in which they were presented.
  public let entries: [Entry]
  /// Whether nothing is in the root layer but what the manifest starts with.
  public let startsAnew: Bool
  /// The instances to be; what comes from the image is known by its number.
  package let layout: Layout
  package let ids: [UInt64?]
  /// What the features know each instance of the layout by; `nil` for a container.
  let keys: [Int?]

  /// How many instances have a fate such as this.
  public func count(_ isWanted: (Fate) -> Bool) -> Int { entries.count { isWanted($0.fate) } }

  /// The instances that do not come back, by their numbers in the image.
  package var dropped: [UInt64] {
    entries.compactMap { if case .dropped = $0.fate { $0.id } else { nil } }
  }

  /// What does not come back as it was, in a few words; `nil` where all of it does.
  package var losses: String? {
    let lost = entries.compactMap { entry -> String? in
      switch entry.fate {
      // It had no place before, which was reported then.
      case _ where entry.id >= LeftOver.firstNumber: nil
      case .kept, .migrated: nil
      case .madeAnew(let reason): "'\(entry.node)' starts afresh: \(reason)"
      case .dropped(let reason): "'\(entry.node)' does not come back: \(reason)"
      }
    }
    guard let first = lost.first else { return nil }
    // Names come from the image, which may hold anything.
    return SafeText.line(first) + (lost.count > 1 ? ", and \(lost.count - 1) more" : "")
  }

  /// An error as a person should read it.
  package static func words(_ error: any Error) -> String { description(of: error) }
}

/// What a plan asks about the features of an app.
///
/// The answers decide alone: a plan is the same for the same image, graph and answers.
package protocol SessionFeatures {
  /// What becomes of a saved state: its feature is the one that it was saved for.
  ///
  /// - Parameters:
  ///   - key: what the instance will be known by.
  ///   - saved: the instance.
  ///   - node: the index of its node in the graph.
  /// - Returns: what has become of it.
  mutating func restore(_ key: Int, _ saved: SavedInstance, node: Int) -> RestoredState
  /// Makes the state of a new instance.
  ///
  /// - Returns: why it can't be made; `nil` where it is.
  mutating func make(_ key: Int, node: Int, arguments: Value) -> String?
}

/// What has become of a saved state.
package enum RestoredState: Hashable, Sendable {
  case kept
  case migrated(from: String)
  /// It can't be loaded, and why.
  case failed(reason: String)
}
