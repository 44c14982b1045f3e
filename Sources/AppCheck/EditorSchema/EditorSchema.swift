package import Support

extension ManifestReport {
  /// The JSON Schema (2020-12) of manifests, `schema/appcore-1.json`: what editors complete, explain
  /// and underline.
  ///
  /// What a schema can't say, such as that a node is defined, is left to `appcore check`.
  public static var schemaOfFormat: String {
    String(decoding: PackageResources.appcore_1_json, as: UTF8.self)
  }

  /// The JSON Schema for this manifest, which knows its nodes and the features of its plugins.
  ///
  /// `nil` where the manifest can't be read. Plugins that can't be loaded are left out, see
  /// ``unavailablePlugins``.
  public var schema: String? {
    guard let manifest else { return nil }
    let known = SchemaKnowledge(manifest, catalog: plugins.catalog)
    var tree = JSONTree(ofFormat: PackageResources.appcore_1_json)
    tree["title"] = .string("appcore manifest for \(known.title)")
    tree["$defs"]["nodeReference"] = known.nodeReference
    tree["$defs"]["action"] = known.action
    let description = tree["$defs"]["node"]["properties"]["feature"]["description"]
    tree["$defs"]["node"]["properties"]["feature"] =
      known.feature.adding([("description", description)])
    let step: [JSONTree] = [["$ref": "#/$defs/known"]]
    for (definition, rules) in [
      ("plugin", known.pluginRules), ("node", known.nodeRules), ("step", step),
      ("linkStep", step), ("route", step + known.routeRules),
    ] where !rules.isEmpty {
      tree["$defs"][definition]["allOf"].append(rules)
    }
    tree["$defs"] = tree["$defs"].adding(known.definitions)
    return tree.text
  }

  /// The names of the plugins that can't be loaded, sorted.
  public var unavailablePlugins: [String] { plugins.problems.keys.sorted() }
}

extension JSONTree {
  /// The fields of an object; none of anything else.
  package var fields: [(name: String, value: JSONTree)] {
    if case .object(let fields) = self { fields } else { [] }
  }

  /// A field of an object; a new one is its last.
  fileprivate subscript(name: String) -> JSONTree {
    get { fields.first { $0.name == name }?.value ?? .null }
    set {
      var fields = fields
      let index = fields.firstIndex { $0.name == name } ?? fields.count
      fields.replaceSubrange(index..<min(index + 1, fields.count), with: [(name, newValue)])
      self = .object(fields)
    }
  }

  /// Adds elements to a list, or makes one of them.
  fileprivate mutating func append(_ more: [JSONTree]) {
    if case .array(let own) = self { self = .array(own + more) } else { self = .array(more) }
  }

  /// Reads the schema of the format, which has its fields in an order.
  init(ofFormat json: [UInt8]) {
    var reader = OrderedReader(rest: json[...])
    self = reader.tree()
  }
}

/// Reads JSON that the program brings along; texts and numbers stay as they are written.
private struct OrderedReader {
  var rest: ArraySlice<UInt8>

  mutating func tree() -> JSONTree {
    var fields: [(name: String, value: JSONTree)] = []
    var elements: [JSONTree] = []
    switch next() {
    case UInt8(ascii: "{"):
      rest.removeFirst()
      while hasMember() {
        fields.append((String(token().dropFirst().dropLast()), tree()))
      }
      return .object(fields)
    case UInt8(ascii: "["):
      rest.removeFirst()
      while hasMember() { elements.append(tree()) }
      return .array(elements)
    default: return .raw(token())
    }
  }

  /// The next byte that is not between two values.
  private mutating func next() -> UInt8? {
    rest = rest.drop { " \n,:".utf8.contains($0) }
    return rest.first
  }

  /// Whether a list or an object has another member; its end is skipped.
  private mutating func hasMember() -> Bool {
    guard let byte = next(), byte != UInt8(ascii: "}"), byte != UInt8(ascii: "]") else {
      rest = rest.dropFirst()
      return false
    }
    return true
  }

  private mutating func token() -> String {
    let start = rest
    var isText = false
    var isEscaped = false
    for (offset, byte) in rest.enumerated() {
      let isQuote = byte == UInt8(ascii: "\"") && !isEscaped
      if isQuote { isText.toggle() }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
      rest = start.dropFirst(offset + (isQuote ? 1 : 0))
      if !isText, isQuote && offset > 0 || " \n,:]}".utf8.contains(byte) { break }
    }
    return String(decoding: start[..<rest.startIndex], as: UTF8.self)
  }
}
