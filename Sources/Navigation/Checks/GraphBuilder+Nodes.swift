@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Manifest
internal import Support

extension GraphBuilder {
  /// Checks what the manifest gives its plugins, and that each of them is used.
  mutating func checkPlugins(_ names: [String?]) -> [String: ArgumentTemplate] {
    let used = Set(manifest.nodes.compactMap { $0.feature?.plugin })
    var configurations: [String: ArgumentTemplate] = [:]
    for (plugin, name) in zip(manifest.plugins, names) {
      guard let name else { continue }
      switch catalog[name] {
      case .unavailable(let cause):
        // What the nodes call it shows what was meant.
        let unknown = used.filter { catalog[$0] == nil }.sorted()
        let meant = NearestName.of(name, among: unknown)
        let hint = meant.map { "; the nodes call it '\($0)'" } ?? ""
        report(.pluginUnavailable(plugin: name, cause: cause + hint), plugin.range)
      case .available(let configuration, _):
        configurations[name] = template(
          plugin.with, as: configuration, owner: name, payload: nil)
        if case .object(let fields) = configuration {
          checkComplete(fields, given: [plugin.with], owner: name, at: plugin.range)
        }
        if !used.contains(name) { report(.unusedPlugin(name), plugin.range) }
      case nil: break
      }
    }
    return configurations
  }

  /// Checks that every node's feature exists and can be used.
  mutating func checkFeatures() {
    for (node, info) in zip(manifest.nodes, features) {
      guard let feature = node.feature else { continue }
      if let info {
        if let defect = info.defect {
          report(.pluginUnavailable(plugin: info.name, cause: defect), feature.range)
        }
        continue
      }
      switch catalog[feature.plugin] {
      case .unavailable: break
      case .available(_, let known):
        let names = known.map(\.name)
        report(
          .unknownFeature(
            feature.name, nearest: NearestName.of(feature.name, among: names), allowed: names),
          feature.range)
      case nil:
        let names = catalog.plugins
        let nearest = NearestName.of(feature.plugin, among: names)
        // One that can't be had is most likely the wrong name, which is reported where it stands.
        if let nearest, case .unavailable = catalog[nearest] { continue }
        report(
          .unknownPlugin(feature.plugin, nearest: nearest, allowed: names), feature.range)
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
        content = .tabs(
          tabs.compactMap { use in target(use.node, use.with, payload: .any, at: use.node.range) })
        arguments = template(node.with, as: .any, owner: node.name.value, payload: nil)
        checkGiven(to: index)
      case .missing:
        content = .tabs([])
      }
      result.append(
        Node(
          name: node.name.value, title: node.title?.value, content: content,
          arguments: arguments, shape: self.arguments(of: index), maxDepth: node.maxDepth?.value,
          background: node.background.compactMap {
            target($0.node, $0.with, payload: .any, at: $0.node.range)
          }))
    }
    return result
  }

  /// The node that the app begins with.
  mutating func start() -> Target? {
    guard let start = manifest.start else { return nil }
    return target(start, nil, payload: nil, at: start.range)
  }

  /// What lives as long as the app.
  mutating func background() -> [Target] {
    manifest.background.compactMap { target($0.node, $0.with, payload: nil, at: $0.node.range) }
  }

  /// A node that is entered with what `with` supplies; `nil` where there is no such node.
  mutating func target(
    _ reference: NodeReference, _ with: Manifest.Expression?, payload: Schema?,
    at range: SourceRange
  ) -> Target? {
    guard let id = reference.id else { return nil }
    let node = manifest[id]
    let owner = features[id.index]?.name ?? node.name.value
    var shape = arguments(of: id.index)
    if case .object(let fields) = shape {
      let asText = takenAsText(with, by: id.index, fields)
      if !asText.isEmpty { shape = .object(fields + asText) }
    }
    let arguments = template(with, as: shape, owner: owner, payload: payload)
    if case .object(let fields) = shape {
      checkComplete(fields, given: [with, node.with], owner: owner, at: range)
    }
    return Target(node: id.index, arguments: arguments)
  }

  /// Reports the fields that nobody gives.
  ///
  /// A map is looked at field by field; a reference as a whole was checked against the shape.
  mutating func checkComplete(
    _ fields: [Schema.Field], given: [Manifest.Expression?], owner: String, at range: SourceRange
  ) {
    var names: Set<String> = []
    for expression in given {
      switch expression?.kind {
      case .object(let given): names.formUnion(given.map(\.name.value))
      case nil: continue
      default: return
      }
    }
    // A name that is close to a due one is reported as misspelt; it is not missing as well.
    let known = Set(fields.map(\.name))
    let misspelt = names.subtracting(known).sorted()
    for field in fields where field.isRequired && !names.contains(field.name) {
      if misspelt.contains(where: { NearestName.of($0, among: known.sorted()) == field.name }) {
        continue
      }
      report(.missingField(field.name, of: owner, type: field.schema.phrase), range)
    }
  }
}
