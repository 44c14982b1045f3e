@_spi(Host) package import AppCore
internal import Glibc
internal import PluginHost
internal import Support

extension PluginInterface {
  /// The most bytes that a file may have.
  static let sizeLimit = 4 << 20

  /// Reads the file of an interface, as ``json`` writes it.
  ///
  /// - Throws: what is wrong with it, and where.
  public init(file path: String) throws(InterfaceError) {
    do throws(Rejection) { self.init(try PluginInfo(Self.value(ofFile: path))) } catch {
      throw InterfaceError(path: path, cause: error)
    }
  }

  private static func value(ofFile path: String) throws(Rejection) -> Value {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try WholeFile.read(path, limit: sizeLimit) } catch {
      throw Rejection(.interfaceNotRead, "can't read the interface: \(error)")
    }
    guard bytes.count <= sizeLimit else {
      throw Rejection(.interfaceTooLarge, "it has more than \(sizeLimit >> 20) MiB")
    }
    do throws(JSONError) { return try Value(json: bytes) } catch {
      throw Rejection(.interfaceNotJSON, "it is not JSON: \(error)")
    }
  }

  /// Reads an interface from a value that ``json`` has written; `nil` if it is another one.
  package init?(value: Value) {
    guard let info = try? PluginInfo(value) else { return nil }
    self.init(info)
  }
}

extension PluginInfo {
  /// Reads a description from a value; only that of a scan may have `states`.
  ///
  /// - Throws: what is wrong with it, and where.
  init(_ value: Value, ofScan isScan: Bool = false) throws(Rejection) {
    guard case .object(let fields) = value, let format = fields["interface"] else {
      throw Rejection(
        .interfaceFormat,
        "it is not an interface: it has no field 'interface' with the number of its form")
    }
    guard format == .int(PluginInterface.format) else {
      throw Rejection(
        .interfaceFormat,
        "it is in form \(format.json.prefix(20)), and this program reads "
          + "\(PluginInterface.format)")
    }
    let whole = InterfacePart(value: value)
    try whole.allow(
      ["interface", "plugin", "version", "configuration", "features"] + (isScan ? ["states"] : []))
    let plugin = try whole.field("plugin")
    let name = try plugin.string()
    guard PluginLocator.isName(name) else {
      throw plugin.invalid("'\(name)' can't be the name of a plugin")
    }
    let version = try whole.field("version").string()
    let configuration = try whole.field("configuration").schema()
    let features = try whole.field("features").list { part throws(Rejection) in
      try part.feature(of: name)
    }
    try whole.unique(features.map(\.name), "feature")
    var states: [String: Schema] = [:]
    if isScan, let shapes = try? whole.field("states"), let names = try? shapes.object().keys {
      // A shape that can't be read is not known; the plugin can be used without it.
      for name in names { states[name] = try? shapes.field(name).schema() }
    }
    self.init(
      name: name, version: version, configuration: configuration, features: features,
      states: states)
  }
}

/// A part of an interface's JSON, and where it is.
private struct InterfacePart {
  /// The depth to which shapes may nest: that of shapes of types.
  private static let depthLimit = 64

  let value: Value
  /// Where it is, such as `features[2].arguments`; empty for the whole.
  var path = ""
  /// The number of shapes around it.
  var depth = 0

  func feature(of plugin: String) throws(Rejection) -> FeatureInfo {
    try allow(["name", "arguments", "delegates", "inputs", "defect"])
    let part = try field("name")
    let name = try part.string()
    let own = name.hasPrefix(plugin + ".") ? name.dropFirst(plugin.count + 1) : ""
    guard !own.isEmpty, !own.contains(".") else {
      throw part.invalid("'\(name)' is not a feature of '\(plugin)'; one is '\(plugin).Name'")
    }
    return FeatureInfo(
      name: name, arguments: try field("arguments").schema(),
      delegates: try field("delegates").cases(), inputs: try field("inputs").cases(),
      defect: value["defect"] == nil ? nil : try field("defect").string())
  }

  private func cases() throws(Rejection) -> [CaseSchema] {
    let cases = try list { part throws(Rejection) in
      try part.allow(["name", "payload"])
      let name = try part.name()
      let payload = try part.field("payload")
      return CaseSchema(name: name, payload: payload.value == .null ? nil : try payload.schema())
    }
    try unique(cases.map(\.name), "case")
    return cases
  }

  func schema() throws(Rejection) -> Schema {
    guard depth < Self.depthLimit else {
      throw Rejection(.interfaceTooLarge, "\(path) nests shapes deeper than \(Self.depthLimit)")
    }
    var shape = self
    shape.depth += 1
    let type = try shape.field("type").string()
    func only(_ name: String) throws(Rejection) -> InterfacePart {
      try allow(["type", name])
      return try shape.field(name)
    }
    if let plain = Self.plain[type] {
      try allow(["type"])
      return plain
    }
    switch type {
    case "optional": return .optional(try only("of").schema())
    case "array": return .array(try only("of").schema())
    case "dictionary": return .dictionary(try only("of").schema())
    case "object": return .object(try only("fields").fields())
    case "choice":
      let names = try only("values").list { part throws(Rejection) in try part.string() }
      try unique(names, "value")
      return .choice(names)
    case "variant": return .variant(try only("cases").cases())
    case "recursive", "opaque":
      try allow(["type", "name"])
      let name = try name()
      return type == "recursive" ? .recursive(name) : .opaque(name)
    default:
      throw try field("type").invalid(
        "'\(type)' is not a shape; there are any, array, bool, choice, dictionary, double, int, "
          + "object, opaque, optional, recursive, secret, string and variant")
    }
  }

  private static let plain: [String: Schema] = [
    "bool": .bool, "int": .int, "double": .double, "string": .string, "secret": .secret,
    "any": .any,
  ]

  private func fields() throws(Rejection) -> [Schema.Field] {
    let fields = try list { part throws(Rejection) in
      try part.allow(["name", "schema", "default"])
      return Schema.Field(
        name: try part.name(), schema: try part.field("schema").schema(),
        defaultValue: part.value["default"])
    }
    try unique(fields.map(\.name), "field")
    return fields
  }
}

// The basic parts.
extension InterfacePart {
  func invalid(_ reason: String) -> Rejection {
    Rejection(.interfaceInvalid, path.isEmpty ? reason : "\(path): \(reason)")
  }

  func object() throws(Rejection) -> [String: Value] {
    guard case .object(let fields) = value else {
      throw invalid("an object is due, not \(value.kind)")
    }
    return fields
  }

  func field(_ name: String) throws(Rejection) -> InterfacePart {
    guard let value = try object()[name] else {
      throw invalid("the field '\(name)' is missing")
    }
    return InterfacePart(
      value: value, path: path.isEmpty ? name : "\(path).\(name)", depth: depth)
  }

  func list<Element>(
    _ read: (InterfacePart) throws(Rejection) -> Element
  ) throws(Rejection) -> [Element] {
    guard case .array(let values) = value else {
      throw invalid("a list is due, not \(value.kind)")
    }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      elements.append(
        try read(InterfacePart(value: value, path: "\(path)[\(index)]", depth: depth)))
    }
    return elements
  }

  func string() throws(Rejection) -> String {
    guard case .string(let text) = value else {
      throw invalid("a string is due, not \(value.kind)")
    }
    return text
  }

  private func name() throws(Rejection) -> String {
    let part = try field("name")
    let name = try part.string()
    guard !name.isEmpty else { throw part.invalid("a name is due, not an empty string") }
    return name
  }

  func allow(_ names: [String]) throws(Rejection) {
    let unknown = try object().keys.filter { !names.contains($0) }
    guard let name = unknown.min() else { return }
    let nearest = NearestName.of(name, among: names)
    throw invalid(
      "there is no field '\(name)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? "; the fields are \(names.joined(separator: ", "))"))
  }

  func unique(_ names: [String], _ what: String) throws(Rejection) {
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw invalid("the \(what) '\(twice)' appears twice")
    }
  }
}
