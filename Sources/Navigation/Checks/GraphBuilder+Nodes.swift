@_spi(Host) internal import AppCore
internal import Manifest
internal import Support

extension GraphBuilder {
  /// Checks the configurations of the plugins, and that each plugin is used.
  mutating func checkPlugins(_ names: [String?]) -> [String: ArgumentTemplate] {
    let used = Set(manifest.nodes.compactMap { $0.feature?.plugin })
    let unknown = used.filter { catalog[$0] == nil }.sorted()
    let plugins = catalog.plugins
    // A plugin whose name a node misspells is used.
    let meant = Set(unknown.compactMap { suggestions.nearest(to: $0, among: plugins)?.name })
    var configurations: [String: ArgumentTemplate] = [:]
    for (plugin, name) in zip(manifest.plugins, names) {
      guard let name else { continue }
      switch catalog[name] {
      case .unavailable(let cause):
        // The nodes' references show which name was meant, unless one of them is right.
        let meant = used.contains(name) ? nil : suggestions.nearest(to: name, among: unknown)
        report(.pluginUnavailable(plugin: name, cause: cause, nearest: meant), plugin.range)
      case .available(let configuration, _):
        configurations[name] = template(
          plugin.with, as: configuration, owner: name, payload: nil)
        if case .object(let fields) = configuration {
          checkComplete(FieldTable(fields), given: [plugin.with], owner: name, at: plugin.range)
        }
        // A part that could not be read may use it.
        if !used.contains(name), !meant.contains(name), !gaps.contains(.nodes) {
          report(.unusedPlugin(name), plugin.range)
        }
      case nil: break
      }
    }
    return configurations
  }

  /// Checks that every node's feature exists and can be used; `names` are the manifest's plugins.
  mutating func checkFeatures(_ names: [String?]) {
    let plugins = catalog.plugins
    // A name is reported once, at its first use.
    var reported: Set<String> = []
    var uses: [String: [SourceRange]] = [:]
    let used = Set(manifest.nodes.compactMap { $0.feature?.plugin })
    let hasUnusedUnavailable = names.compactMap { $0 }.contains { name in
      if case .unavailable = catalog[name] { !used.contains(name) } else { false }
    }
    for feature in manifest.nodes.compactMap(\.feature) where catalog.feature(feature.name) == nil {
      uses[feature.name, default: []].append(feature.range)
      uses[feature.plugin, default: []].append(feature.pluginRange)
    }
    for (node, info) in zip(manifest.nodes, features) {
      counter.count()
      guard let feature = node.feature else { continue }
      if let info {
        if let defect = info.defect, reported.insert(feature.name).inserted {
          report(.unusableFeature(feature.name, cause: defect), feature.range)
        } else if reported.insert(feature.name).inserted {
          checkSecrets(of: info, at: feature.range)
        }
        continue
      }
      switch catalog[feature.plugin] {
      case .unavailable: break
      case .available(_, let known):
        guard reported.insert(feature.name).inserted else { continue }
        let names = known.map(\.name)
        let nearest = suggestions.nearest(to: feature.name, among: names)
        problems.append(
          Diagnostic(
            .unknownFeature(feature.name, nearest: nearest, allowed: names), at: feature.range,
            alsoAt: Array(uses[feature.name, default: []].dropFirst())))
      case nil:
        // A part that could not be read may list the plugin.
        guard !gaps.contains(.plugins), reported.insert(feature.plugin).inserted else { continue }
        let nearest = suggestions.nearest(to: feature.plugin, among: plugins)
        // The name of a plugin that can't be loaded is probably wrong; it is reported at its
        // definition.
        if let nearest, !used.contains(nearest.name),
          case .unavailable = catalog[nearest.name]
        {
          continue
        }
        if hasUnusedUnavailable { continue }
        let places = uses[feature.plugin, default: []]
        problems.append(
          Diagnostic(
            .unknownPlugin(feature.plugin, nearest: nearest, allowed: plugins),
            at: feature.range, alsoAt: Array(places.dropFirst()), correcting: places.first))
      }
    }
  }

  /// Warns about fields of a feature that are called like secrets and are plain text.
  private mutating func checkSecrets(of feature: FeatureInfo, at range: SourceRange) {
    let shapes = [feature.arguments] + (feature.delegates + feature.inputs).compactMap(\.payload)
    var names: Set<String> = []
    for case .object(let fields) in shapes {
      counter.count(fields.count)
      for field in fields where field.isPlainSecret && names.insert(field.name).inserted {
        report(.plainSecret(field.name, of: feature.name), range)
      }
    }
  }

  /// The graph's nodes, in the manifest's order.
  mutating func nodes() -> [Node] {
    var result: [Node] = []
    for (index, (node, info)) in zip(manifest.nodes, features).enumerated() {
      let content: Node.Content
      var arguments = ArgumentTemplate.empty
      switch node.content {
      case .feature(let feature):
        content = .feature(feature.name)
        if let info {
          arguments = template(
            node.with, as: info.arguments, owner: info.name, payload: nil)
        }
      case .container(let tabs, _):
        let count = problems.count
        content = .tabs(
          tabs.compactMap { use in target(use.node, use.with, payload: .any, at: use.node.range) })
        hasWrongTabs = hasWrongTabs || problems.count > count || tabs.contains { $0.node.id == nil }
        arguments = template(node.with, as: .any, owner: node.name.value, payload: nil)
        checkGiven(to: index)
      case .missing:
        content = .tabs([])
      }
      result.append(
        Node(
          name: node.name.value, title: node.title?.value, content: content,
          arguments: arguments, shape: intake(of: index).shape, maxDepth: node.maxDepth?.value,
          background: node.background.compactMap {
            target($0.node, $0.with, payload: .any, at: $0.node.range)
          }, formerNames: node.formerNames.map(\.value)))
    }
    return result
  }

  /// The node that the app begins with.
  mutating func start() -> Target? {
    guard let start = manifest.start else { return nil }
    return target(start, nil, payload: nil, at: start.range)
  }

  /// The background instances that live as long as the app.
  mutating func background() -> [Target] {
    manifest.background.compactMap { target($0.node, $0.with, payload: nil, at: $0.node.range) }
  }

  /// A node that is entered with the arguments in `with`; `nil` if there is no such node.
  mutating func target(
    _ reference: NodeReference, _ with: Manifest.Expression?, payload: Schema?,
    at range: SourceRange, remedy: String? = nil
  ) -> Target? {
    guard let id = reference.id else { return nil }
    let node = manifest[id]
    let owner = features[id.index]?.name ?? node.name.value
    let intake = intake(of: id.index)
    var fields = intake.fields
    let texts = takenAsText(with, by: id.index, fields)
    for field in texts { fields?.allow(field) }
    let count = problems.count
    let arguments = template(
      with, as: intake.shape, fields: fields, owner: owner, payload: payload)
    // An argument that fits the first tab may not fit another one to which it is passed on.
    for case .object(let others) in intake.others where problems.count == count {
      var fields = FieldTable(others)
      for field in texts { fields.allow(field) }
      _ = template(with, as: .object(others), fields: fields, owner: owner, payload: payload)
    }
    if let fields = intake.fields {
      checkComplete(
        fields, given: [with, node.with], owner: owner, at: range, remedy: remedy)
    }
    return Target(node: id.index, arguments: arguments)
  }

  /// Reports the required fields that are not given.
  ///
  /// Only maps are checked field by field; a reference was checked against the shape as a whole.
  mutating func checkComplete(
    _ fields: FieldTable, given: [Manifest.Expression?], owner: String, at range: SourceRange,
    remedy: String? = nil
  ) {
    var names: Set<String> = []
    for expression in given {
      switch expression?.kind {
      case .object(let given): names.formUnion(given.map(\.name.value))
      case nil: continue
      default: return
      }
    }
    counter.count(names.count + fields.required.count)
    let missing = fields.required.filter { !names.contains($0.name) }
    guard !missing.isEmpty else { return }
    // A name that is similar to an expected one is reported as misspelt; that one is not missing.
    let misspelt = names.filter { fields[$0] == nil }.sorted()
      .map { suggestions.nearest(to: $0, among: fields.names)?.name }
    for field in missing where !misspelt.contains(field.name) {
      report(
        .missingField(field.name, of: owner, type: field.schema.phrase, remedy: remedy), range)
    }
  }
}

extension Schema.Field {
  /// Whether it is text, although its name ends like that of a secret.
  fileprivate var isPlainSecret: Bool {
    let isText =
      switch schema {
      case .string, .optional(.string): true
      default: false
      }
    let name = name.lowercased()
    return isText
      && ["password", "passphrase", "secret", "token", "apikey"].contains { name.hasSuffix($0) }
  }
}
