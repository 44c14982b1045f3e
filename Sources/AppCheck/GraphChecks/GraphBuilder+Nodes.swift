@_spi(Host) internal import AppCore
internal import Manifest
@_spi(Host) internal import Navigation
internal import Support

extension GraphBuilder {
  /// Checks the configurations of the plugins, and that each plugin is used.
  mutating func checkPlugins(_ names: [String?]) -> [String: ArgumentTemplate] {
    let used = Set(manifest.nodes.compactMap { $0.feature?.plugin })
    let unknown = used.filter { catalog[$0] == nil }.sorted()
    let plugins = catalog.keys.sorted()
    // A plugin whose name a node misspells is used.
    let meant = Set(unknown.compactMap { suggestions.nearest(to: $0, among: plugins)?.name })
    var configurations: [String: ArgumentTemplate] = [:]
    for (plugin, name) in zip(manifest.plugins, names) {
      guard let name else { continue }
      switch catalog[name] {
      case .unavailable(let cause):
        // The nodes' references show which name was meant, unless one of them is right.
        let meant = used.contains(name) ? nil : suggestions.nearest(to: name, among: unknown)
        let message = DiagnosticMessage(
          .pluginUnavailable,
          "can't load plugin \(quote(name)): \(Wording.printable(cause))"
            + (meant.map { "; the nodes call it \(quote($0.name))" } ?? ""),
          plugin: name, correction: .init(name, meant))
        problems.append(Diagnostic(message, at: plugin.range))
      case .available(let configuration, _):
        configurations[name] = template(
          plugin.with, as: configuration, owner: name, payload: nil)
        if case .object(let fields) = configuration {
          checkComplete(FieldTable(fields), given: [plugin.with], owner: name, at: plugin.range)
        }
        // A part that could not be read may use it.
        if !used.contains(name), !meant.contains(name), !gaps.contains(.nodes) {
          report(.unusedPlugin, at: plugin.range, "nothing uses the plugin \(quote(name))")
        }
      case nil: break
      }
    }
    return configurations
  }

  /// Checks that every node's feature exists and can be used; `names` are the manifest's plugins.
  mutating func checkFeatures(_ names: [String?]) {
    let plugins = catalog.keys.sorted()
    // A name is reported once, at its first use.
    var reported: Set<String> = []
    var uses: [String: [SourceRange]] = [:]
    let used = Set(manifest.nodes.compactMap { $0.feature?.plugin })
    let hasUnusedUnavailable = names.compactMap { $0 }.contains { name in
      if case .unavailable = catalog[name] { !used.contains(name) } else { false }
    }
    for feature in manifest.nodes.compactMap(\.feature) where featuresByName[feature.name] == nil {
      uses[feature.name, default: []].append(feature.range)
      uses[feature.plugin, default: []].append(feature.pluginRange)
    }
    for (node, info) in zip(manifest.nodes, features) {
      guard let feature = node.feature else { continue }
      let name = quote(feature.name)
      if let info {
        guard reported.insert(feature.name).inserted else { continue }
        if let defect = info.defect {
          report(
            .unusableFeature, at: feature.range,
            "the feature \(name) can't be used: \(Wording.printable(defect))")
        } else {
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
        report(
          .unknownFeature, at: feature.range,
          "unknown feature \(name)" + Wording.hint(nearest, names, what: "features"),
          correction: .init(feature.name, nearest),
          alsoAt: Array(uses[feature.name, default: []].dropFirst()))
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
            .unknownPlugin, at: feature.range,
            "'plugins' does not list \(quote(feature.plugin))"
              + Wording.hint(nearest, plugins, what: "it lists"),
            correction: .init(feature.plugin, nearest), alsoAt: Array(places.dropFirst()),
            correcting: places.first))
      }
    }
  }

  /// Warns about fields of a feature that are called like secrets and are plain text.
  private mutating func checkSecrets(of feature: FeatureInfo, at range: SourceRange) {
    let shapes = [feature.arguments] + (feature.delegates + feature.inputs).compactMap(\.payload)
    var names: Set<String> = []
    for case .object(let fields) in shapes {
      for field in fields where field.isPlainSecret && names.insert(field.name).inserted {
        report(
          .plainSecret, at: range,
          "\(quote(field.name)) of \(quote(feature.name)) is a plain string and would be printed "
            + "and kept; make it a 'Secret'")
      }
    }
  }

  mutating func nodes() -> [Node] {
    var result: [Node] = []
    for (index, (node, info)) in zip(manifest.nodes, features).enumerated() {
      var content = Node.Content.tabs([])
      var arguments = ArgumentTemplate.empty
      if let feature = node.feature {
        content = .feature(feature.name)
        if let info {
          arguments = template(
            node.with, as: info.arguments, owner: info.name, payload: nil)
        }
      } else if node.isContainer {
        let count = problems.count
        content = .tabs(node.tabs.compactMap { target($0.node, $0.with, payload: .any) })
        hasWrongTabs =
          hasWrongTabs || problems.count > count || node.tabs.contains { $0.node.id == nil }
        arguments = template(node.with, as: .any, owner: node.name.value, payload: nil)
        checkGiven(to: index)
      }
      result.append(
        Node(
          name: node.name.value, title: node.title?.value, content: content,
          arguments: arguments, shape: acceptedFields(of: index).shape,
          maxDepth: node.maxDepth?.value,
          background: node.background.compactMap { target($0.node, $0.with, payload: .any) },
          formerNames: node.formerNames.map(\.value)))
    }
    return result
  }

  /// A node that is entered with the arguments in `with`; `nil` if there is no such node.
  mutating func target(
    _ reference: NodeReference, _ with: Manifest.Expression?, payload: Schema?,
    remedy: String? = nil
  ) -> Target? {
    guard let id = reference.id else { return nil }
    let node = manifest[id]
    let owner = features[id.index]?.name ?? node.name.value
    let accepted = acceptedFields(of: id.index)
    var fields = accepted.fields
    let texts = takenAsText(with, by: id.index, fields)
    for field in texts { fields?.allow(field) }
    let count = problems.count
    let arguments = template(
      with, as: accepted.shape, fields: fields, owner: owner, payload: payload)
    // An argument that fits the first tab may not fit another one to which it is passed on.
    for case .object(let others) in accepted.others where with != nil && problems.count == count {
      var fields = FieldTable(others)
      for field in texts { fields.allow(field) }
      _ = template(with, as: .object(others), fields: fields, owner: owner, payload: payload)
    }
    // What is missing does not depend on the emitters, of which there may be many.
    let place = TargetPlace(reference: reference.range, with: with?.range)
    if let fields = accepted.fields, checkedTargets.insert(place).inserted {
      checkComplete(
        fields, given: [with, node.with], owner: owner, at: reference.range, remedy: remedy)
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
    let missing = fields.required.filter { !names.contains($0.name) }
    guard !missing.isEmpty else { return }
    // A name that is similar to an expected one is reported as misspelt; that one is not missing.
    let misspelt = names.filter { fields[$0] == nil }.sorted()
      .map { suggestions.nearest(to: $0, among: fields.names)?.name }
    for field in missing where !misspelt.contains(field.name) {
      report(
        .missingField, at: range,
        "\(quote(field.name)) is missing for \(quote(owner)); it is \(field.schema.phrase)"
          + (remedy.map { "; \($0)" } ?? ""))
    }
  }
}

/// Where a target is written, with what is given to it.
struct TargetPlace: Hashable {
  let reference: SourceRange
  let with: SourceRange?
}

extension Schema.Field {
  /// Whether it is text, although its name ends like that of a secret.
  fileprivate var isPlainSecret: Bool {
    guard schema == .string || schema == .optional(.string) else { return false }
    let name = name.lowercased()
    return ["password", "passphrase", "secret", "token", "apikey"].contains { name.hasSuffix($0) }
  }
}
