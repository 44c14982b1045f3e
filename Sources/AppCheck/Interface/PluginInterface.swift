@_spi(Host) internal import AppCore
internal import Support

/// A plugin's interface: all that manifests can rely on, whatever its build.
///
/// Two builds have the same interface, and the same text, if no manifest can tell them apart:
/// fields, cases and features are sorted by name.
public struct PluginInterface: Hashable, Sendable {
  /// The number of the form that ``json`` has.
  package static let format = 1

  package let info: PluginInfo

  public var name: String { info.name }
  public var version: String { info.version }

  package init(_ info: PluginInfo) {
    self.info = PluginInfo(
      name: info.name, version: info.version, configuration: info.configuration.sorted,
      features: info.features.map { feature in
        FeatureInfo(
          name: feature.name, arguments: feature.arguments.sorted,
          delegates: feature.delegates.sorted, inputs: feature.inputs.sorted,
          defect: feature.defect)
      }.sorted { $0.name < $1.name })
  }

  /// The interface for programs and for version control; docs/interfaces.md says what each field
  /// means.
  public var json: String { info.tree.text }

  /// The interface for people, one fact a line.
  public var text: String {
    var lines = ["plugin \(name) \(version)"]
    lines += Self.lines(of: info.configuration, "configuration")
    for feature in info.features {
      lines.append("feature \(feature.name)")
      if let defect = feature.defect { lines.append("\(feature.name) can't be used: \(defect)") }
      lines += Self.lines(of: feature.arguments, "\(feature.name) argument")
      for delegate in feature.delegates {
        lines += Self.lines(of: delegate, "\(feature.name) delegate")
      }
      for input in feature.inputs { lines += Self.lines(of: input, "\(feature.name) input") }
    }
    return lines.map { SafeText.line($0) + "\n" }.joined()
  }

  /// A line for each field, or one for a shape that is not an object.
  private static func lines(of schema: Schema, _ lead: String) -> [String] {
    guard case .object(let fields) = schema else { return ["\(lead): \(schema)"] }
    return fields.map { "\(lead) \(line(of: $0))" }
  }

  /// A line for the case, and one for each field of its payload.
  private static func lines(of enumCase: CaseSchema, _ lead: String) -> [String] {
    let lead = "\(lead) \(enumCase.name)"
    switch enumCase.payload {
    case nil: return [lead]
    case .object(let fields)?: return [lead] + fields.map { "\(lead).\(line(of: $0))" }
    case .some(let schema): return ["\(lead): \(schema)"]
    }
  }

  private static func line(of field: Schema.Field) -> String {
    "\(field.name): \(field.schema)" + (field.defaultValue.map { " = \($0.json)" } ?? "")
  }
}

extension Schema {
  /// The shape with its fields, cases and names sorted.
  var sorted: Schema {
    switch self {
    case .bool, .int, .double, .string, .secret, .any, .recursive, .opaque: self
    case .optional(let wrapped): .optional(wrapped.sorted)
    case .array(let element): .array(element.sorted)
    case .dictionary(let element): .dictionary(element.sorted)
    case .object(let fields):
      .object(
        fields.map {
          Field(name: $0.name, schema: $0.schema.sorted, defaultValue: $0.defaultValue)
        }.sorted { $0.name < $1.name })
    case .choice(let names): .choice(names.sorted())
    case .variant(let cases): .variant(cases.sorted)
    @unknown default: self
    }
  }
}

extension [CaseSchema] {
  fileprivate var sorted: [CaseSchema] {
    map { CaseSchema(name: $0.name, payload: $0.payload?.sorted) }.sorted { $0.name < $1.name }
  }
}
