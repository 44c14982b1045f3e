internal import AppCheck
@_spi(Host) internal import AppCore
internal import Diagnostics
internal import Manifest
internal import Navigation
internal import PluginHost
internal import Sessions
package import Timeline

extension LoadedApp {
  /// What a recording of the app begins with.
  ///
  /// - Parameter begun: when the app began, in seconds since 1970.
  /// - Returns: the header.
  package func recordingHeader(begun: Int) -> RecordingHeader {
    let secrets = givenSecrets
    let bytes = report.sources.files.first?.bytes ?? []
    var header = RecordingHeader(
      version: SDK.version, compiler: SDK.compilerVersion, app: name, manifest: path,
      // Where in the text a secret, or a variable's default that becomes one, is written can't be told.
      manifestText: secrets.isEmpty ? String(decoding: bytes, as: UTF8.self) : "",
      manifestDigest: bytes.withUnsafeBytes { "\(ContentDigest($0))" },
      plugins: plugins.map { plugin in
        RecordingHeader.Plugin(
          name: plugin.name, version: plugin.member.info.version,
          digest: plugin.member.digest ?? "",
          interface: (try? Value(json: PluginInterface(plugin.member.info).json)) ?? .null)
      },
      variables: openVariables(secrets),
      nodes: graph.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) },
      begun: begun)
    header.secretPlugins = plugins.filter { plugin in
      var own: Set<String> = []
      plugin.member.info.configuration.collectSecrets(of: plugin.configuration, &own)
      return own.contains { !$0.isEmpty }
    }.map(\.name)
    return header
  }

  /// The variables whose values are not part of a secret.
  private func openVariables(_ secrets: Set<String>) -> [String: String] {
    var found: [String: String] = [:]
    for variable in report.manifest?.variables ?? [] {
      guard case .scalar(let scalar)? = variable.value?.kind,
        // A secret may be made of several variables and of what is between them.
        scalar.text.isEmpty || !secrets.contains(where: { $0.contains(scalar.text) })
      else { continue }
      found[variable.name.value] = scalar.text
    }
    return found
  }

  /// The texts that the manifest gives to what is secret, with the empty ones.
  var givenSecrets: Set<String> {
    var found: Set<String> = []
    for plugin in plugins {
      plugin.member.info.configuration.collectSecrets(of: plugin.configuration, &found)
    }
    for node in graph.nodes {
      node.shape.collectSecrets(of: node.arguments.resolved(.null), &found)
    }
    for target in targets {
      graph.nodes[target.node].shape.collectSecrets(of: target.arguments.resolved(.null), &found)
    }
    let inputs = plugins.flatMap { $0.member.info.features }.flatMap(\.inputs)
    for verb in graph.allRoutes.flatMap(\.verbs) {
      guard case .notify(_, let name, let arguments) = verb else { continue }
      for input in inputs where input.name == name {
        input.payload?.collectSecrets(of: arguments.resolved(.null), &found)
      }
    }
    return found
  }

  /// All places in which the manifest gives arguments to a node.
  private var targets: [Target] {
    var targets = [graph.start] + graph.background
    for node in graph.nodes {
      if case .tabs(let tabs) = node.content { targets += tabs }
    }
    for step in graph.links.flatMap(\.steps) {
      switch step {
      case .push(let target, _), .present(let target): targets.append(target)
      case .select: break
      }
    }
    for verb in graph.allRoutes.flatMap(\.verbs) {
      switch verb {
      case .push(let target, _, _), .present(let target, _), .replace(let target, _),
        .reset(let target):
        targets.append(target)
      case .select, .back, .dismiss, .popTo, .notify, .ignore: break
      }
    }
    return targets
  }
}

extension Schema {
  /// Adds the texts that are in the place of secrets, or may be, in a value of this shape.
  fileprivate func collectSecrets(of value: Value, _ found: inout Set<String>) {
    switch (self, value) {
    case (_, .null): break
    case (.optional(let inner), _): inner.collectSecrets(of: value, &found)
    case (.array(let inner), .array(let values)):
      for value in values { inner.collectSecrets(of: value, &found) }
    case (.dictionary(let inner), .object(let fields)):
      for value in fields.values { inner.collectSecrets(of: value, &found) }
    case (.object(let shapes), .object(let fields)):
      for shape in shapes {
        if let value = fields[shape.name] { shape.schema.collectSecrets(of: value, &found) }
      }
    default: if mayHoldSecret { value.collectTexts(&found) }
    }
  }
}

extension Value {
  /// Adds all scalars, as a manifest or an environment has them.
  fileprivate func collectTexts(_ found: inout Set<String>) {
    switch self {
    case .null: break
    case .string(let text): found.insert(text)
    case .array(let values): for value in values { value.collectTexts(&found) }
    case .object(let fields): for value in fields.values { value.collectTexts(&found) }
    default: found.insert(json)
    }
  }
}
