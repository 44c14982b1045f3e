internal import Support

extension DocumentReader {
  /// Reads `nodes`.
  mutating func readNodes(_ value: Int) {
    guard expectMapping(value, "'nodes'") else {
      draft.isIncomplete = true
      return
    }
    // A key that appears twice may be a misspelling of a node that is then missing.
    if tree.hasRefusedKey(value) { draft.hasUnreadNodes = true }
    let count = draft.manifest.nodes.count + tree.entries[value].length
    draft.manifest.nodes.reserveCapacity(count)
    draft.manifest.nodeIDs.reserveCapacity(count)
    for (key, node) in tree.pairs(of: value) {
      let name = Located(tree.string(key), at: tree.range(key))
      if !NodeName.isWellFormed(name.value) {
        report(.badName(name.value, of: "node"), at: key)
      } else if NodeName.reserved.contains(name.value) {
        report(.reservedName(name.value), at: key)
      }
      let id = NodeID(draft.manifest.nodes.count)
      if let first = draft.manifest.nodeIDs.updateValue(id, forKey: name.value) {
        draft.manifest.nodeIDs[name.value] = first
        draft.manifest.nodes[first.index].content = .missing
        report(
          .duplicateNode(name.value), at: key,
          related: .init(.firstDefinition, at: draft.manifest[first].name.range))
        continue
      }
      draft.manifest.nodes.append(readNode(node, name: name, id: id))
    }
    // If two nodes have one name, it is unknown which of them a use refers to.
    for name in tree.refusedKeys(of: value) {
      if let id = draft.manifest.nodeIDs[name] { draft.manifest.nodes[id.index].content = .missing }
    }
  }

  private mutating func readNode(
    _ index: Int, name: Located<String>, id: NodeID
  ) -> Manifest.Node {
    var fields = NodeFields()
    if tree.entries[index].kind == .mapping {
      readNodeFields(index, name: name.value, into: &fields)
    } else {
      wrongShape(
        index, Self.place(name.value),
        expected: "a map such as { feature: Plugin.Feature }")
    }
    return Manifest.Node(
      id: id, name: name, title: fields.title, content: fields.content, with: fields.with,
      maxDepth: fields.maxDepth, formerNames: fields.formerNames, range: tree.range(index))
  }

  private struct NodeFields {
    var title: Located<String>?
    var content = Manifest.Node.Content.missing
    var with: Manifest.Expression?
    var maxDepth: Located<Int>?
    var formerNames: [Located<String>] = []
  }

  private static let nodeKeys = Grammar.node.keywords
  private static let useKeys = Grammar.nodeUse.keywords

  private mutating func readNodeFields(_ index: Int, name: String, into fields: inout NodeFields) {
    var featureKey: Int?
    var tabsKey: Int?
    var backgroundKey: Int?
    var feature: FeatureReference?
    var tabs: [NodeUse] = []
    var background: [NodeUse] = []
    for (key, value) in tree.pairs(of: index) {
      switch keyword(of: key, in: index, place: Self.place(name), Self.nodeKeys) {
      case .feature:
        featureKey = key
        feature = readFeature(value)
      case .tabs:
        tabsKey = key
        tabs = nodeUses(
          value, subject: "'tabs'", scope: ExpressionScope(hasPayload: true), mayBeEmpty: false)
      case .background:
        backgroundKey = key
        background = nodeUses(
          value, subject: "'background'", scope: ExpressionScope(hasPayload: true))
      case .title: fields.title = text(value, "'title'")
      case .with: fields.with = expression(value, ExpressionScope(hasPayload: false))
      case .maxDepth: fields.maxDepth = readMaxDepth(value)
      case .was: fields.formerNames = readFormerNames(value)
      default: break
      }
    }
    if let featureKey, let tabsKey {
      report(
        .featureAndTabs(node: name), at: max(featureKey, tabsKey),
        related: .init(.other, at: tree.range(min(featureKey, tabsKey))))
    } else if let backgroundKey, tabsKey == nil {
      report(.backgroundWithoutTabs(node: name), at: backgroundKey)
    } else if featureKey == nil, tabsKey == nil {
      missing(.feature, or: .tabs, in: Self.place(name), at: index)
    }
    if let feature {
      fields.content = .feature(feature)
    } else if tabsKey != nil {
      fields.content = .container(tabs: tabs, background: background)
    }
  }

  private static func place(_ name: String) -> String {
    "the node '\(Wording.printable(name))'"
  }

  private mutating func readFeature(_ value: Int) -> FeatureReference? {
    guard let name = word(value, "'feature'") else { return nil }
    // As UTF-8: splitting a name by characters costs more than all the rest of a node.
    let text = name.value.utf8
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")),
      case let plugin = name.value[..<dot], Self.isIdentifier(plugin),
      case let feature = name.value[text.index(after: dot)...], Self.isIdentifier(feature)
    else {
      report(.badFeatureName(name.value), at: value)
      return nil
    }
    return FeatureReference(plugin: String(plugin), feature: String(feature), range: name.range)
  }

  /// Whether a text can be the name of a Swift type; every non-ASCII character is accepted.
  static func isIdentifier(_ text: Substring) -> Bool {
    guard let first = text.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return text.utf8.allSatisfy { byte in
      byte >= 0x80 || (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || byte == UInt8(ascii: "_")
    }
  }

  private mutating func readFormerNames(_ value: Int) -> [Located<String>] {
    let isAlone = tree.entries[value].kind == .scalar
    let elements = isAlone ? [value] : list(value, "'was'", of: [.scalar])
    if elements.isEmpty, tree.entries[value].kind == .sequence {
      report(.emptyList("'was'"), at: value)
    }
    return elements.compactMap { element in
      guard let name = word(element, "'was'") else { return nil }
      if !NodeName.isWellFormed(name.value) {
        report(.badName(name.value, of: "node"), at: element)
      }
      return name
    }
  }

  private mutating func readMaxDepth(_ value: Int) -> Located<Int>? {
    guard tree.entries[value].kind == .scalar, let depth = scalar(value).int, depth >= 1 else {
      wrongShape(value, "'maxDepth'", expected: "a whole number from 1")
      return nil
    }
    return Located(depth, at: tree.range(value))
  }

  /// Reads a list of nodes, each a name or `{ node, with }`.
  mutating func nodeUses(
    _ value: Int, subject: String, scope: ExpressionScope, mayBeEmpty: Bool = true
  ) -> [NodeUse] {
    var uses: [NodeUse] = []
    var seen: [String: SourceRange] = [:]
    let elements = list(value, subject, of: [.scalar, .mapping], keys: Self.useKeys)
    if elements.isEmpty, !mayBeEmpty, tree.entries[value].kind == .sequence {
      report(.emptyList(subject), at: value)
    }
    for element in elements {
      guard let use = nodeUse(element, subject: subject, scope: scope) else { continue }
      // A node may have two background instances with different arguments, but two tabs with the
      // same name could not be distinguished.
      if !mayBeEmpty, let first = seen.updateValue(use.node.range, forKey: use.node.name) {
        draft.problems.append(
          Diagnostic(
            .duplicateEntry(use.node.name, in: subject), at: use.node.range,
            related: .init(.firstDefinition, at: first)))
        continue
      }
      uses.append(use)
    }
    return uses
  }

  private mutating func nodeUse(
    _ index: Int, subject: String, scope: ExpressionScope
  ) -> NodeUse? {
    let place = "an entry of \(subject)"
    guard tree.entries[index].kind == .mapping else {
      return nodeName(index, behind: subject, subject: place).map {
        NodeUse(node: $0, with: nil, range: tree.range(index))
      }
    }
    var node: NodeReference?
    var hasNode = false
    var with: Manifest.Expression?
    for (key, value) in tree.pairs(of: index) {
      switch keyword(of: key, in: index, place: place, Self.useKeys) {
      case .node:
        hasNode = true
        node = nodeName(value, behind: "node")
      case .with: with = expression(value, scope)
      default: break
      }
    }
    if !hasNode { missing(.node, in: place, at: index) }
    return node.map { NodeUse(node: $0, with: with, range: tree.range(index)) }
  }

  /// Reads the name of a node where only a node is allowed.
  mutating func nodeName(
    _ index: Int, behind word: String, subject: String? = nil
  ) -> NodeReference? {
    guard let name = self.word(index, subject ?? "'\(word)'") else { return nil }
    if NodeName.reserved.contains(name.value), draft.manifest.nodeIDs[name.value] == nil {
      let quoted = word.hasPrefix("'") ? String(word.dropFirst().dropLast()) : word
      report(.noTargetHere(word: name.value, verb: quoted), at: index)
      return nil
    }
    return NodeReference(name: name.value, range: name.range, id: nil)
  }
}

/// Valid names of nodes.
enum NodeName {
  /// Words that can't be names: the sources, receivers and targets of routes, and the verbs.
  static let reserved: Set<String> = Set(
    ["any", "current", "presenter", "opener", "root"] + Verb.allCases.map(\.rawValue))

  /// Whether a text matches `[a-z][A-Za-z0-9-]*`.
  static func isWellFormed(_ name: String) -> Bool {
    guard let first = name.utf8.first, (0x61...0x7A).contains(first) else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == 0x2D
    }
  }
}
