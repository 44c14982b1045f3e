@_spi(Host) internal import AppCore

extension RecordingHeader {
  /// The first line of a recording, without its newline.
  package var text: String { value.json }

  /// The header as a JSON object.
  var value: Value {
    .object([
      "recording": .int(format), "version": .string(version), "compiler": .string(compiler),
      "app": .string(app), "begun": .int(begun),
      "manifest": .object([
        "path": .string(manifest), "digest": .string(manifestDigest), "text": .string(manifestText),
      ]),
      "variables": .object(variables.mapValues { .string($0) }),
      "nodes": .array(
        nodes.map { node in
          .array([.string(node.name)] + (node.feature.map { [.string($0)] } ?? []))
        }),
      "plugins": .array(
        plugins.map { plugin in
          .object([
            "name": .string(plugin.name), "version": .string(plugin.version),
            "digest": .string(plugin.digest), "interface": plugin.interface,
          ])
        }),
      "secrets": .array(secretPlugins.map { .string($0) }),
    ])
  }

  /// Parses the first line of a recording.
  ///
  /// - Throws: why the line is not a header of this format.
  package init(_ bytes: [UInt8]) throws(RecordingFault) {
    guard let value = try? JSONReader.value(bytes, depthLimit: 512) else { throw .foreign }
    try self.init(value)
  }

  init(_ value: Value) throws(RecordingFault) {
    guard case .int(let format)? = value["recording"] else { throw .foreign }
    guard format == Self.format else { throw .otherFormat(format) }
    guard let version = value["version"]?.text, let app = value["app"]?.text,
      let manifest = value["manifest"]?["path"]?.text, case .array(let plugins)? = value["plugins"],
      case .array(let nodes)? = value["nodes"]
    else { throw .header("it lacks one of 'version', 'app', 'manifest', 'plugins' and 'nodes'") }
    var found: [Plugin] = []
    for plugin in plugins {
      guard let name = plugin["name"]?.text, let version = plugin["version"]?.text else {
        throw .header("a plugin has no name or no version")
      }
      found.append(
        Plugin(
          name: name, version: version, digest: plugin["digest"]?.text ?? "",
          interface: plugin["interface"] ?? .null))
    }
    var names: [SessionIdentity.Node] = []
    for node in nodes {
      guard case .array(let parts) = node, let name = parts.first?.text else {
        throw .header("a node has no name")
      }
      names.append(
        SessionIdentity.Node(name: name, feature: parts.count > 1 ? parts[1].text : nil))
    }
    var variables: [String: String] = [:]
    if case .object(let fields)? = value["variables"] {
      variables = fields.compactMapValues(\.text)
    }
    var begun = 0
    if case .int(let seconds)? = value["begun"] { begun = seconds }
    self.init(
      version: version, compiler: value["compiler"]?.text ?? "", app: app, manifest: manifest,
      manifestText: value["manifest"]?["text"]?.text ?? "",
      manifestDigest: value["manifest"]?["digest"]?.text ?? "", plugins: found,
      variables: variables, nodes: names, begun: begun)
    if case .array(let plugins)? = value["secrets"] {
      secretPlugins = plugins.compactMap(\.text)
    }
  }
}
