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
    func refuse(_ rule: Rule, _ message: String) -> InterfaceError {
      InterfaceError(path: path, cause: Rejection(rule, message))
    }
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try WholeFile.read(path, limit: Self.sizeLimit)
    } catch {
      throw refuse(.interfaceNotRead, "can't read the interface: \(error)")
    }
    guard bytes.count <= Self.sizeLimit else {
      throw refuse(.interfaceTooLarge, "it has more than \(Self.sizeLimit >> 20) MiB")
    }
    let value: Value
    do throws(JSONError) {
      value = try Value(json: bytes)
    } catch {
      throw refuse(.interfaceNotJSON, "it is not JSON: \(error)")
    }
    do throws(Rejection) {
      self.init(try PluginInfo(value))
    } catch {
      throw InterfaceError(path: path, cause: error)
    }
  }
}

extension PluginInterface {
  /// Reads an interface from a value that ``json`` has written; `nil` if it is another one.
  package init?(value: Value) {
    guard let info = try? PluginInfo(value) else { return nil }
    self.init(info)
  }
}

extension PluginInfo {
  /// Reads a description from a value.
  ///
  /// - Throws: what is wrong with it, and where.
  init(_ value: Value) throws(Rejection) {
    var reader = InterfaceReader()
    self = try reader.info(value)
  }
}

/// Reads an interface's JSON; keeps the path of the current value for messages.
private struct InterfaceReader {
  /// The depth to which shapes may nest: that of shapes of types.
  private static let depthLimit = 64

  private var place: [String] = []
  private var depth = 0

  mutating func info(_ value: Value) throws(Rejection) -> PluginInfo {
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
    try allow(
      ["interface", "plugin", "version", "configuration", "features", "states"], in: fields)
    let name = try read("plugin", fields) { reader, value throws(Rejection) in
      let name = try reader.string(value)
      guard PluginLocator.isName(name) else {
        throw reader.invalid("'\(name)' can't be the name of a plugin")
      }
      return name
    }
    let version = try text("version", in: fields)
    let configuration = try schema("configuration", in: fields)
    let features = try read("features", fields) { reader, value throws(Rejection) in
      try reader.list(value) { reader, value throws(Rejection) in
        try reader.feature(value, of: name)
      }
    }
    try unique(features.map(\.name), "feature")
    var states: [String: Schema] = [:]
    if fields["states"] != nil {
      states = try read("states", fields) { reader, value throws(Rejection) -> [String: Schema] in
        let shapes = try reader.object(value)
        var states: [String: Schema] = [:]
        for name in shapes.keys { states[name] = try reader.schema(name, in: shapes) }
        return states
      }
    }
    return PluginInfo(
      name: name, version: version, configuration: configuration, features: features,
      states: states)
  }

  private mutating func feature(
    _ value: Value, of plugin: String
  ) throws(Rejection) -> FeatureInfo {
    let fields = try object(value)
    try allow(["name", "arguments", "delegates", "inputs", "defect"], in: fields)
    let name = try read("name", fields) { reader, value throws(Rejection) in
      let name = try reader.string(value)
      let own = name.hasPrefix(plugin + ".") ? name.dropFirst(plugin.count + 1) : ""
      guard !own.isEmpty, !own.contains(".") else {
        throw reader.invalid("'\(name)' is not a feature of '\(plugin)'; one is '\(plugin).Name'")
      }
      return name
    }
    let arguments = try schema("arguments", in: fields)
    let delegates = try cases("delegates", in: fields)
    let inputs = try cases("inputs", in: fields)
    let defect = fields["defect"] == nil ? nil : try text("defect", in: fields)
    return FeatureInfo(
      name: name, arguments: arguments, delegates: delegates, inputs: inputs, defect: defect)
  }

  private mutating func cases(_ value: Value) throws(Rejection) -> [CaseSchema] {
    let cases = try list(value) { reader, value throws(Rejection) in
      let fields = try reader.object(value)
      try reader.allow(["name", "payload"], in: fields)
      let name = try reader.name(fields)
      let payload = try reader.read("payload", fields) { reader, value throws(Rejection) in
        value == .null ? nil : try reader.schema(value)
      }
      return CaseSchema(name: name, payload: payload)
    }
    try unique(cases.map(\.name), "case")
    return cases
  }

  private mutating func schema(_ value: Value) throws(Rejection) -> Schema {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else {
      throw Rejection(
        .interfaceTooLarge, "\(path) nests shapes deeper than \(Self.depthLimit)")
    }
    let fields = try object(value)
    let type = try text("type", in: fields)
    func only(_ names: String...) throws(Rejection) { try allow(["type"] + names, in: fields) }
    switch type {
    case "bool", "int", "double", "string", "secret", "any":
      try only()
      return Self.plain[type] ?? .any
    case "optional", "array", "dictionary":
      try only("of")
      let inner = try schema("of", in: fields)
      return type == "optional"
        ? .optional(inner) : type == "array" ? .array(inner) : .dictionary(inner)
    case "object":
      try only("fields")
      return .object(
        try read("fields", fields) { reader, value throws(Rejection) in try reader.fields(value) })
    case "choice":
      try only("values")
      let names = try read("values", fields) { reader, value throws(Rejection) in
        try reader.list(value) { reader, value throws(Rejection) in try reader.string(value) }
      }
      try unique(names, "value")
      return .choice(names)
    case "variant":
      try only("cases")
      return .variant(try cases("cases", in: fields))
    case "recursive", "opaque":
      try only("name")
      let name = try name(fields)
      return type == "recursive" ? .recursive(name) : .opaque(name)
    default:
      place.append("type")
      throw invalid(
        "'\(type)' is not a shape; there are any, array, bool, choice, dictionary, double, int, "
          + "object, opaque, optional, recursive, secret, string and variant")
    }
  }

  private static let plain: [String: Schema] = [
    "bool": .bool, "int": .int, "double": .double, "string": .string, "secret": .secret,
    "any": .any,
  ]

  private mutating func fields(_ value: Value) throws(Rejection) -> [Schema.Field] {
    let all = try list(value) { reader, value throws(Rejection) in
      let fields = try reader.object(value)
      try reader.allow(["name", "schema", "default"], in: fields)
      let name = try reader.name(fields)
      let schema = try reader.schema("schema", in: fields)
      return Schema.Field(name: name, schema: schema, defaultValue: fields["default"])
    }
    try unique(all.map(\.name), "field")
    return all
  }
}

// The basic parts.
extension InterfaceReader {
  /// Where the reader is, such as `features[2].arguments`.
  private var path: String {
    place.reduce(into: "") { path, part in
      path += part.hasPrefix("[") || path.isEmpty ? part : "." + part
    }
  }

  private func invalid(_ reason: String) -> Rejection {
    Rejection(.interfaceInvalid, place.isEmpty ? reason : "\(path): \(reason)")
  }

  /// Reads a required field.
  private mutating func read<Result>(
    _ name: String, _ fields: [String: Value],
    _ read: (inout InterfaceReader, Value) throws(Rejection) -> Result
  ) throws(Rejection) -> Result {
    guard let value = fields[name] else { throw invalid("the field '\(name)' is missing") }
    place.append(name)
    let result = try read(&self, value)
    place.removeLast()
    return result
  }

  private mutating func text(
    _ name: String, in fields: [String: Value]
  ) throws(Rejection) -> String {
    try read(name, fields) { reader, value throws(Rejection) in try reader.string(value) }
  }

  private mutating func schema(
    _ name: String, in fields: [String: Value]
  ) throws(Rejection) -> Schema {
    try read(name, fields) { reader, value throws(Rejection) in try reader.schema(value) }
  }

  private mutating func cases(
    _ name: String, in fields: [String: Value]
  ) throws(Rejection) -> [CaseSchema] {
    try read(name, fields) { reader, value throws(Rejection) in try reader.cases(value) }
  }

  private mutating func list<Element>(
    _ value: Value, _ read: (inout InterfaceReader, Value) throws(Rejection) -> Element
  ) throws(Rejection) -> [Element] {
    guard case .array(let values) = value else {
      throw invalid("a list is due, not \(value.kind)")
    }
    var elements: [Element] = []
    for (index, value) in values.enumerated() {
      place.append("[\(index)]")
      elements.append(try read(&self, value))
      place.removeLast()
    }
    return elements
  }

  private func object(_ value: Value) throws(Rejection) -> [String: Value] {
    guard case .object(let fields) = value else {
      throw invalid("an object is due, not \(value.kind)")
    }
    return fields
  }

  private func string(_ value: Value) throws(Rejection) -> String {
    guard case .string(let text) = value else {
      throw invalid("a string is due, not \(value.kind)")
    }
    return text
  }

  private mutating func name(_ fields: [String: Value]) throws(Rejection) -> String {
    try read("name", fields) { reader, value throws(Rejection) in
      let name = try reader.string(value)
      guard !name.isEmpty else { throw reader.invalid("a name is due, not an empty string") }
      return name
    }
  }

  /// Refuses any other field.
  private func allow(_ names: [String], in fields: [String: Value]) throws(Rejection) {
    guard let name = fields.keys.sorted().first(where: { !names.contains($0) }) else { return }
    let nearest = NearestName.of(name, among: names)
    throw invalid(
      "there is no field '\(name)'"
        + (nearest.map { "; did you mean '\($0)'?" }
          ?? "; the fields are \(names.joined(separator: ", "))"))
  }

  /// Refuses a name that appears twice.
  private func unique(_ names: [String], _ what: String) throws(Rejection) {
    var seen: Set<String> = []
    if let twice = names.first(where: { !seen.insert($0).inserted }) {
      throw invalid("the \(what) '\(twice)' appears twice")
    }
  }
}
