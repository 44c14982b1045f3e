/// The description of a feature, available without creating the feature.
@_spi(Host)
public struct FeatureInfo: Hashable, Sendable {
  /// The feature's full name, `Plugin.Feature`.
  public let name: String
  /// The shape of the arguments that a route must supply.
  public let arguments: Schema
  /// The delegate actions.
  public let delegates: [CaseSchema]
  /// The input actions.
  public let inputs: [CaseSchema]
  /// Why the feature can't be used; `nil` if it can.
  public let defect: String?

  public init(
    name: String, arguments: Schema = .object([]), delegates: [CaseSchema] = [],
    inputs: [CaseSchema] = [], defect: String? = nil
  ) {
    self.name = name
    self.arguments = arguments
    self.delegates = delegates
    self.inputs = inputs
    self.defect = defect
  }

  /// Creates the description of a feature from its types.
  init<F: Feature>(_ feature: F.Type, name: String) {
    let delegates = PayloadCase.all(of: F.Action.Delegate.self)
    let inputs = PayloadCase.all(of: F.Action.Input.self)
    self.init(
      name: name, arguments: .ofArguments(F.Arguments.self), delegates: delegates.map(\.schema),
      inputs: inputs.map(\.schema),
      defect: Self.defect(of: F.Action.self, delegates + inputs))
  }

  private static func defect<Action: FeatureAction>(
    of type: Action.Type, _ cases: [PayloadCase]
  ) -> String? {
    // Without an enum the kinds of actions can't be told apart.
    guard EnumMetadata.isDescribed(Action.self) else {
      return "its action type '\(Action.self)' is not an enum; declare it as one, with cases for "
        + "view, internal, delegate and input actions"
    }
    let messages: [Any.Type] = [Action.Delegate.self, Action.Input.self]
    if let type = messages.first(where: { !EnumMetadata.isEnum($0) }) {
      return "its type '\(type)' of delegate or input actions is not an enum, so a manifest has no "
        + "name to refer to them by; declare it as an enum with a case for each action"
    }
    return cases.first(where: \.hasSeveralUnlabelledValues).map {
      "its case '\($0.schema.name)' carries several values without labels, which a manifest could not "
        + "refer to; give each of them a label"
    }
  }
}

/// A case of a delegate or input type, with the form in which its payload is encoded.
struct PayloadCase: Sendable {
  let schema: CaseSchema
  /// Whether the payload is one value without a label, which is then the value of `$`.
  let isSingle: Bool
  let hasSeveralUnlabelledValues: Bool

  static func all(of type: Any.Type) -> [PayloadCase] {
    guard let metadata = EnumMetadata(type) else { return [] }
    let schemas = SchemaProbe.cases(of: type)
    return zip(metadata.cases, schemas).map { entry, schema in
      let elements = entry.payload.flatMap { TupleMetadata($0)?.elements }
      return PayloadCase(
        schema: schema,
        isSingle: entry.payload != nil && elements == nil,
        hasSeveralUnlabelledValues: elements?.contains { $0.label == nil } ?? false)
    }
  }
}
