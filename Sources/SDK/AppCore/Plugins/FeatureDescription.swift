/// What a feature is, known without making it.
package struct FeatureDescription: Sendable {
  package let name: String
  package let arguments: Schema
  package let delegates: [CaseSchema]
  package let inputs: [CaseSchema]
  /// What keeps the feature from being used; `nil` where nothing does.
  package let defect: FeatureDefect?

  package init<F: Feature>(_ feature: F.Type, name: String) {
    self.name = name
    arguments = .ofArguments(F.Arguments.self)
    let delegates = PayloadCase.all(of: F.Action.Delegate.self)
    let inputs = PayloadCase.all(of: F.Action.Input.self)
    self.delegates = delegates.map(\.schema)
    self.inputs = inputs.map(\.schema)
    if !EnumMetadata.isDescribed(F.Action.self) {
      defect = .actionIsNoEnum(String(describing: F.Action.self))
    } else if !EnumMetadata.isEnum(F.Action.Delegate.self) {
      defect = .messageIsNoEnum(String(describing: F.Action.Delegate.self))
    } else if !EnumMetadata.isEnum(F.Action.Input.self) {
      defect = .messageIsNoEnum(String(describing: F.Action.Input.self))
    } else if let wrong = (delegates + inputs).first(where: \.hasSeveralUnlabelledValues) {
      defect = .unlabelledPayload(wrong.schema.name)
    } else {
      defect = nil
    }
  }

  init(name: String, arguments: Schema, delegates: [CaseSchema], inputs: [CaseSchema]) {
    self.name = name
    self.arguments = arguments
    self.delegates = delegates
    self.inputs = inputs
    defect = nil
  }
}

/// Why a feature can't be used.
package enum FeatureDefect: Hashable, Sendable {
  /// The action type is no enum, so its kinds can't be told apart.
  case actionIsNoEnum(String)
  /// The type of delegate or input actions is no enum, so a manifest has no names for them.
  case messageIsNoEnum(String)
  /// A delegate or input case has several values of which not all have labels.
  case unlabelledPayload(String)
}

extension FeatureDefect: CustomStringConvertible {
  package var description: String {
    switch self {
    case .actionIsNoEnum(let type):
      "its action type '\(type)' is no enum; declare it as one, with cases for view, internal, "
        + "delegate and input actions"
    case .messageIsNoEnum(let type):
      "its type '\(type)' of delegate or input actions is no enum, so a manifest has no name to "
        + "refer to them by; declare it as an enum with a case for each action"
    case .unlabelledPayload(let name):
      "its case '\(name)' carries several values without labels, which a manifest could not "
        + "refer to; give each of them a label"
    }
  }
}

/// One case of a delegate or input type, with how its payload is written in structural form.
package struct PayloadCase: Sendable {
  package let schema: CaseSchema
  /// Whether the case carries one value without a label, which `$` then stands for.
  package let isSingle: Bool
  package let hasSeveralUnlabelledValues: Bool

  package static func all(of type: Any.Type) -> [PayloadCase] {
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
