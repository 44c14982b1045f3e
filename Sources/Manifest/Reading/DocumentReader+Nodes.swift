internal import Support

extension DocumentReader {
  mutating func readNodes(_ value: Int) {
    guard expectMapping(value, "'nodes'") else {
      result.isIncomplete = true
      return
    }
    // A key that appears twice may be a misspelling of a node that is then missing.
    if tree.hasRefusedKey(value) { result.hasUnreadNodes = true }
    let count = result.manifest.nodes.count + tree.entries[value].length
    result.manifest.nodes.reserveCapacity(count)
    result.manifest.nodeIDs.reserveCapacity(count)
    for (key, node) in tree.pairs(of: value) {
      let name = Located(tree.string(key), at: tree.range(key))
      checkName(name.value, at: key)
      if Grammar.reserved.contains(name.value) {
        report(
          .reservedName, at: key, "\(quote(name.value)) is a reserved word; choose another name")
      }
      let id = NodeID(result.manifest.nodes.count)
      if let first = result.manifest.nodeIDs[name.value] {
        result.manifest.nodes[first.index].forgetContent()
        report(
          .duplicateNode, at: key, "the node \(quote(name.value)) is already defined",
          related: .init(.firstDefinition, at: result.manifest[first].name.range))
        continue
      }
      result.manifest.nodeIDs[name.value] = id
      result.manifest.nodes.append(readNode(node, name: name, id: id))
    }
    // If two nodes have one name, it is unknown which of them a use refers to.
    for name in tree.refusedKeys(of: value) {
      if let id = result.manifest.nodeIDs[name] {
        result.manifest.nodes[id.index].forgetContent()
      }
    }
  }

  private mutating func checkName(_ name: String, at index: Int) {
    guard !Grammar.isNodeName(name) else { return }
    report(
      .badName, at: index,
      "\(quote(name)) is not a valid name for a node; "
        + "a name is a small letter, then letters, digits and '-'"
        + (Wording.oddLetter(in: name).map { "; \($0)" } ?? ""))
  }

  private mutating func readNode(
    _ index: Int, name: Located<String>, id: NodeID
  ) -> Manifest.Node {
    var node = Manifest.Node(id: id, name: name, range: tree.range(index))
    let place = "the node \(quote(name.value))"
    guard tree.entries[index].kind == .mapping else {
      wrongShape(index, place, expected: "a map such as { feature: Plugin.Feature }")
      return node
    }
    let fields = fields(of: index, .node, place: place)
    let (feature, tabs, background) = (fields[.feature], fields[.tabs], fields[.background])
    if let feature, let tabs {
      report(
        .featureAndTabs, at: max(feature.key, tabs.key),
        "\(place) has both 'feature' and 'tabs'; it can be one of the two",
        related: .init(.other, at: tree.range(min(feature.key, tabs.key))))
    } else if let background, tabs == nil {
      report(
        .backgroundWithoutTabs, at: background.key,
        "\(place) has a 'background' but no 'tabs'; only a container or the manifest itself has one"
      )
    } else if feature == nil, tabs == nil {
      missing(.feature, or: .tabs, in: place, at: index)
    }
    node.feature = feature.flatMap { readFeature($0.value) }
    node.isContainer = tabs != nil && node.feature == nil
    // Read all the same where they can't be, so that what is wrong in them is reported; and in the
    // order of the document, in which misspelt keys are looked for.
    for key in [tabs, background].compactMap({ $0?.key }).sorted() {
      if let tabs, tabs.key == key {
        let uses = nodeUses(tabs.value, subject: "'tabs'", hasPayload: true, areTabs: true)
        if node.isContainer { node.tabs = uses }
      } else if let background {
        let uses = nodeUses(background.value, subject: "'background'", hasPayload: true)
        if node.isContainer { node.background = uses }
      }
    }
    node.title = fields[.title].flatMap { text($0.value, "'title'") }
    node.with = fields[.with].map { expression($0.value, hasPayload: false) }
    node.maxDepth = fields[.maxDepth].flatMap { readMaxDepth($0.value) }
    node.formerNames = fields[.was].map { readFormerNames($0.value) } ?? []
    return node
  }

  private mutating func readFeature(_ value: Int) -> FeatureReference? {
    guard let name = word(value, "'feature'") else { return nil }
    // As UTF-8: splitting a name by characters costs more than all the rest of a node.
    let text = name.value.utf8
    guard let dot = text.firstIndex(of: UInt8(ascii: ".")),
      case let plugin = name.value[..<dot], Grammar.isIdentifier(plugin),
      case let feature = name.value[text.index(after: dot)...], Grammar.isIdentifier(feature)
    else {
      report(
        .badFeatureName, at: value,
        "\(quote(name.value)) is not a feature name; expected 'Plugin.Feature'")
      return nil
    }
    return FeatureReference(plugin: String(plugin), feature: String(feature), range: name.range)
  }

  private mutating func readFormerNames(_ value: Int) -> [Located<String>] {
    let isAlone = tree.entries[value].kind == .scalar
    let elements = isAlone ? [value] : list(value, "'was'", of: [.scalar], mayBeEmpty: false)
    return elements.compactMap { element in
      guard let name = word(element, "'was'") else { return nil }
      checkName(name.value, at: element)
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
    _ value: Int, subject: String, hasPayload: Bool, areTabs: Bool = false
  ) -> [NodeUse] {
    var uses: [NodeUse] = []
    var seen: [String: SourceRange] = [:]
    let elements = list(
      value, subject, of: [.scalar, .mapping], keys: .nodeUse, mayBeEmpty: !areTabs)
    for element in elements {
      guard let use = nodeUse(element, subject, hasPayload: hasPayload) else { continue }
      // A node may have two background instances with different arguments, but two tabs with the
      // same name could not be distinguished.
      if areTabs, let first = seen.updateValue(use.node.range, forKey: use.node.name) {
        result.report(
          .duplicateEntry, at: use.node.range,
          "\(quote(use.node.name)) appears twice in \(subject)",
          related: .init(.firstDefinition, at: first))
        continue
      }
      uses.append(use)
    }
    return uses
  }

  private mutating func nodeUse(
    _ index: Int, _ subject: String, hasPayload: Bool
  ) -> NodeUse? {
    let place = "an entry of \(subject)"
    guard tree.entries[index].kind == .mapping else {
      return nodeName(index, after: String(subject.dropFirst().dropLast()), subject: place)
        .map { NodeUse(node: $0, with: nil, range: tree.range(index)) }
    }
    let fields = fields(of: index, .nodeUse, place: place)
    let with = fields[.with].map { expression($0.value, hasPayload: hasPayload) }
    return fields[.node].flatMap { nodeName($0.value, after: "node") }
      .map { NodeUse(node: $0, with: with, range: tree.range(index)) }
  }

  /// Reads the name of a node where only a node is allowed, after some word.
  mutating func nodeName(
    _ index: Int, after word: String, subject: String? = nil
  ) -> NodeReference? {
    guard let name = self.word(index, subject ?? "'\(word)'") else { return nil }
    if Grammar.reserved.contains(name.value), result.manifest.nodeIDs[name.value] == nil {
      report(.noTargetHere, at: index, "'\(word)' needs a node; '\(name.value)' is reserved")
      return nil
    }
    return NodeReference(name: name.value, range: name.range)
  }
}
