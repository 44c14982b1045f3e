internal import PluginHost

/// What has changed in a running app since its image was last written.
public struct ImageChange: Hashable, Sendable {
  /// The new identity if the app has begun, or its manifest or a plugin was replaced.
  public var identity: SessionIdentity?
  /// The numbers of instances that were removed.
  public var removed: [UInt64] = []
  /// The instances that are new or have changed.
  public var instances: [SavedInstance] = []
  /// The terminal's state if it has changed.
  public var conversation: SavedConversation?
  /// The values of the manifest's variables with which the app was begun.
  public var variables: [String: String]?
  /// The waiting link if it has changed; `.some(nil)` if none waits any more.
  public var waitingLink: String??
  /// Whether the waiting link has a secret, so that it must not be written to a file.
  ///
  /// Not part of what is written: who reads the link finds that out.
  package var isWaitingLinkPrivate = false

  /// Creates an empty change.
  public init() {}

  /// Whether nothing has changed.
  public var isEmpty: Bool { self == ImageChange() }
}

extension ImageChange {
  /// The kind of an item, which is written before it.
  private enum Kind: UInt8 {
    case identity = 1
    case removed
    case instance
    case conversation
    case waitingLink
    case noLink
    case variables
  }

  /// The change encoded as bytes.
  package var bytes: [UInt8] {
    var writer = ByteWriter()
    if let identity {
      writer.byte(Kind.identity.rawValue)
      writer.write(identity)
    }
    for id in removed {
      writer.byte(Kind.removed.rawValue)
      writer.number(id)
    }
    for instance in instances {
      writer.byte(Kind.instance.rawValue)
      writer.write(instance)
    }
    if let conversation {
      writer.byte(Kind.conversation.rawValue)
      writer.write(conversation)
    }
    if let variables {
      writer.byte(Kind.variables.rawValue)
      writer.write(variables)
    }
    switch waitingLink {
    case .some(let link?):
      writer.byte(Kind.waitingLink.rawValue)
      writer.string(link)
    case .some(nil): writer.byte(Kind.noLink.rawValue)
    case nil: break
    }
    return writer.bytes
  }

  /// An instance that is new or has changed, encoded as in ``bytes``.
  static func bytes(of instance: SavedInstance) -> [UInt8] {
    var writer = ByteWriter()
    writer.byte(Kind.instance.rawValue)
    writer.write(instance)
    return writer.bytes
  }

  /// Decodes a change; `nil` if the bytes are not one.
  package init?(_ bytes: ArraySlice<UInt8>) {
    self.init()
    var reader = ByteReader(bytes)
    while !reader.isAtEnd {
      guard let kind = reader.byte().flatMap(Kind.init(rawValue:)) else { return nil }
      switch kind {
      case .identity:
        guard let identity = reader.identity() else { return nil }
        self.identity = identity
      case .removed:
        guard let id = reader.number() else { return nil }
        removed.append(id)
      case .instance:
        guard let instance = reader.instance() else { return nil }
        instances.append(instance)
      case .conversation:
        guard let conversation = reader.conversation() else { return nil }
        self.conversation = conversation
      case .waitingLink:
        guard let link = reader.string() else { return nil }
        waitingLink = .some(link)
      case .noLink: waitingLink = .some(nil)
      case .variables:
        guard let variables = reader.variables() else { return nil }
        self.variables = variables
      }
    }
  }
}
