internal import AppCheck
@_spi(Host) internal import AppCore
internal import Manifest
internal import Navigation
internal import PluginHost
package import Sessions
internal import Support

extension LoadedApp {
  /// Creates the header for a recording of the app that began at this time, in seconds since 1970.
  package func recordingHeader(begun: Int) -> RecordingHeader {
    let secrets = givenSecrets
    let bytes = report.sources.files.first?.bytes ?? []
    return RecordingHeader(
      app: name,
      manifest: RecordingHeader.Manifest(
        path: path, digest: bytes.withUnsafeBytes { "\(ContentDigest($0))" },
        // The position of a secret in the text is not known; a variable's default can be one, too.
        text: secrets.isEmpty ? String(decoding: bytes, as: UTF8.self) : ""),
      plugins: plugins.map { plugin in
        SessionIdentity.Plugin(
          name: plugin.name, version: plugin.member.info.version,
          digest: plugin.member.digest ?? "",
          interface: try? Value(json: PluginInterface(plugin.member.info).json))
      },
      variables: variablesWithoutSecrets(secrets),
      nodes: graph.nodes.map { SessionIdentity.Node(name: $0.name, feature: $0.feature) },
      secretPlugins: plugins.filter { plugin in
        plugin.member.info.configuration.secretTexts(in: plugin.configuration)
          .contains { !$0.isEmpty }
      }.map(\.name),
      begun: begun)
  }

  /// How the plugins of a recording differ from the app's, a line each, in the recording's order.
  package func compatibility(with header: RecordingHeader) -> [String] {
    header.plugins.map { recorded in
      let name = recorded.name
      guard let member = plugin(name)?.member else {
        return "\(name) \(recorded.version): the app has no such plugin"
      }
      let own = member.info.version
      let lead = "\(name) " + (recorded.version == own ? own : "\(recorded.version) → \(own)")
      if !recorded.digest.isEmpty, recorded.digest == member.digest {
        return lead + ": identical"
      }
      guard let former = recorded.interface.flatMap({ PluginInterface(value: $0) }) else {
        return lead + ": does not fit: its interface is not in the recording"
      }
      let breaks = InterfaceComparison(from: former, to: PluginInterface(member.info)).differences
        .filter { $0.breaks != nil }
      return breaks.isEmpty
        ? lead + ": another build, which fits"
        : lead + ": does not fit: "
          + breaks.prefix(3).map { "\($0.subject) \($0.change)" }.joined(separator: "; ")
    }
  }

  /// Describes the role of a file in the app, which must not be overwritten, such as "the manifest";
  /// `nil` if it has none.
  package func part(at path: String) -> String? {
    let source = report.sources.files.firstIndex { FilePath.areSame($0.path, path) }
    if let source { return source == 0 ? "the manifest" : "a file that the manifest includes" }
    let plugin = plugins.first { plugin in
      plugin.member.path.map { FilePath.areSame($0, path) } ?? false
    }
    return plugin.map { "the plugin '\($0.name)'" }
  }

  /// The values of the manifest's variables, except those that may be part of a secret or contain
  /// one.
  private func variablesWithoutSecrets(_ secrets: Set<String>) -> [String: String] {
    var found: [String: String] = [:]
    for variable in report.manifest?.variables ?? [] {
      guard case .scalar(let scalar)? = variable.value?.kind,
        // A secret may consist of several variables and the text between them.
        scalar.text.isEmpty
          || !secrets.contains(where: { secret in
            secret.contains(scalar.text)
              || (secret.count >= SecretTexts.minimum && scalar.text.contains(secret))
          })
      else { continue }
      found[variable.name.value] = scalar.text
    }
    return found
  }

  /// The values of variables without secrets, and of `$dir` and `$data` where they are used: what
  /// the states of features may be made of.
  package var openVariables: [String: String] {
    let folders = report.manifest?.folders ?? [:]
    return variablesWithoutSecrets(givenSecrets).merging(folders) { first, _ in first }
  }

  /// The texts of all secrets in the manifest, including empty ones.
  package var givenSecrets: Set<String> {
    let inputs = plugins.flatMap { $0.member.info.features }.flatMap(\.inputs)
    var values = plugins.map { ($0.member.info.configuration, $0.configuration) }
    values += graph.nodes.map { ($0.shape, $0.arguments.resolved(.null)) }
    values += targets.map { (graph.nodes[$0.node].shape, $0.arguments.resolved(.null)) }
    for verb in graph.allRoutes.flatMap(\.verbs) {
      guard case .notify(_, let name, let arguments, let others) = verb else { continue }
      for input in inputs where input.name == name {
        guard let payload = input.payload else { continue }
        for template in [arguments] + others.values {
          values.append((payload, template.resolved(.null)))
        }
      }
    }
    return Set(values.flatMap { $0.secretTexts(in: $1) })
  }

  /// All targets in the manifest that pass arguments to a node.
  private var targets: [Target] {
    var targets = [graph.start] + graph.background
    for node in graph.nodes {
      if case .tabs(let tabs) = node.content { targets += tabs }
    }
    targets += graph.links.flatMap(\.steps).map(\.target)
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
