internal import AppCore
internal import PluginHost

// The binary encoding of the parts of an image.
extension ByteWriter {
  mutating func write(_ identity: SessionIdentity) {
    string(identity.app)
    string(identity.manifest)
    list(identity.plugins) { writer, plugin in
      writer.string(plugin.name)
      writer.string(plugin.version)
      writer.string(plugin.digest)
    }
    list(identity.nodes) { writer, node in
      writer.string(node.name)
      writer.optional(node.feature) { $0.string($1) }
    }
  }

  mutating func write(_ variables: [String: String]) {
    list(variables.sorted { $0.key < $1.key }) { writer, variable in
      writer.string(variable.key)
      writer.string(variable.value)
    }
  }

  mutating func write(_ instance: SavedInstance) {
    number(instance.id)
    string(instance.node)
    write(instance.arguments)
    optional(instance.presenter) { $0.number($1) }
    switch instance.place {
    case .above(let id):
      byte(0)
      number(id)
    case .tab(let id, let node):
      byte(1)
      number(id)
      string(node)
    case .layer(let id):
      byte(2)
      optional(id) { $0.number($1) }
    case .background(let id):
      byte(3)
      optional(id) { $0.number($1) }
    }
    optional(instance.selectedTab) { $0.string($1) }
    number(instance.order)
    switch instance.state {
    case .container: byte(0)
    case .value(let value):
      byte(1)
      write(value)
    case .notEncodable(let reason):
      byte(2)
      string(reason)
    case .suspended(let value, let reason, let isWholePlugin):
      byte(isWholePlugin ? 4 : 3)
      write(value)
      string(reason)
    }
    optional(instance.encodedBy) { writer, encodedBy in
      writer.string(encodedBy.feature)
      writer.string(encodedBy.version)
    }
    optional(instance.redaction) { writer, redaction in
      writer.write(redaction.arguments)
      writer.optional(redaction.state) { $0.write($1) }
    }
  }

  mutating func write(_ conversation: SavedConversation) {
    string(conversation.line)
    count(conversation.cursor)
    optional(conversation.sentLine) { $0.string($1) }
    byte(conversation.isLinePrivate ? 1 : 0)
    optional(conversation.file) { $0.string($1) }
    optional(conversation.script) { writer, script in
      writer.count(script.begun)
      writer.count(script.done)
      writer.count(script.screen)
    }
    list(conversation.pages) { writer, page in
      writer.number(page.instance)
      writer.optional(page.list) { $0.string($1) }
      writer.count(page.ordinal)
      writer.count(page.offset)
    }
  }

  private mutating func optional<T>(_ value: T?, _ write: (inout ByteWriter, T) -> Void) {
    byte(value == nil ? 0 : 1)
    if let value { write(&self, value) }
  }
}

extension ByteReader {
  mutating func identity() -> SessionIdentity? {
    guard let app = string(), let manifest = string(),
      let plugins = list({ reader -> SessionIdentity.Plugin? in
        guard let name = reader.string(), let version = reader.string(),
          let digest = reader.string()
        else { return nil }
        return SessionIdentity.Plugin(name: name, version: version, digest: digest)
      }),
      let nodes = list({ reader -> SessionIdentity.Node? in
        guard let name = reader.string(), let feature = reader.optional({ $0.string() }) else {
          return nil
        }
        return SessionIdentity.Node(name: name, feature: feature)
      })
    else { return nil }
    return SessionIdentity(app: app, manifest: manifest, plugins: plugins, nodes: nodes)
  }

  mutating func variables() -> [String: String]? {
    let pairs = list { reader -> (String, String)? in
      guard let name = reader.string(), let value = reader.string() else { return nil }
      return (name, value)
    }
    return pairs.map { Dictionary($0, uniquingKeysWith: { first, _ in first }) }
  }

  mutating func instance() -> SavedInstance? {
    guard let id = number(), let node = string(), let arguments = value(),
      let presenter = optional({ $0.number() }), let place = place(),
      let selectedTab = optional({ $0.string() }), let order = number(), let state = state(),
      let encodedBy = optional({ $0.encodedBy() }), let redaction = optional({ $0.redaction() })
    else { return nil }
    return SavedInstance(
      id: id, node: node, arguments: arguments, presenter: presenter, place: place,
      selectedTab: selectedTab, order: order, state: state, encodedBy: encodedBy,
      redaction: redaction)
  }

  private mutating func encodedBy() -> SavedInstance.FeatureVersion? {
    guard let feature = string(), let version = string() else { return nil }
    return SavedInstance.FeatureVersion(feature: feature, version: version)
  }

  private mutating func redaction() -> SavedInstance.Redaction? {
    guard let arguments = value(), let state = optional({ $0.value() }) else { return nil }
    return SavedInstance.Redaction(arguments: arguments, state: state)
  }

  private mutating func place() -> SavedInstance.Place? {
    switch byte() {
    case 0: number().map { .above($0) }
    case 1:
      if let id = number(), let node = string() { .tab(of: id, node: node) } else { nil }
    case 2: optional { $0.number() }.map { .layer(over: $0) }
    case 3: optional { $0.number() }.map { .background(of: $0) }
    default: nil
    }
  }

  private mutating func state() -> SavedInstance.State? {
    guard let kind = byte() else { return nil }
    switch kind {
    case 0: return .container
    case 1: return value().map { .value($0) }
    case 2: return string().map { .notEncodable(reason: $0) }
    case 3, 4:
      guard let value = value(), let reason = string() else { return nil }
      return .suspended(value, reason: reason, isWholePlugin: kind == 4)
    default: return nil
    }
  }

  mutating func conversation() -> SavedConversation? {
    guard let line = string(), let cursor = size(), let sentLine = optional({ $0.string() }),
      let isLinePrivate = flag(), let file = optional({ $0.string() }),
      let script = optional({ $0.script() }),
      let pages = list({ reader -> SavedConversation.Page? in
        guard let instance = reader.number(), let list = reader.optional({ $0.string() }),
          let ordinal = reader.size(), let offset = reader.size()
        else { return nil }
        return SavedConversation.Page(
          instance: instance, list: list, ordinal: ordinal, offset: offset)
      })
    else { return nil }
    var conversation = SavedConversation()
    conversation.line = line
    conversation.cursor = cursor
    conversation.sentLine = sentLine
    conversation.isLinePrivate = isLinePrivate
    conversation.file = file
    conversation.script = script
    conversation.pages = pages
    return conversation
  }

  private mutating func script() -> SavedConversation.Script? {
    guard let begun = size(), let done = size(), let screen = size() else { return nil }
    return SavedConversation.Script(begun: begun, done: done, screen: screen)
  }

  private mutating func flag() -> Bool? {
    switch byte() {
    case 0: false
    case 1: true
    default: nil
    }
  }

  /// A non-negative number that is not a count of items in these bytes, and so not limited by them.
  private mutating func size() -> Int? { number().flatMap { Int(exactly: $0) } }

  private mutating func optional<T>(_ read: (inout ByteReader) -> T?) -> T?? {
    switch byte() {
    case 0: .some(nil)
    case 1: read(&self).map { .some($0) }
    default: nil
    }
  }
}
