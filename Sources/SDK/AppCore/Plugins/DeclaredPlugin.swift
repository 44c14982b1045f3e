/// A feature whose arguments and cases are told instead of read from its types.
///
/// A test has mocks of features that nobody has written: their cases stand in the test, as values.
/// The feature's delegate and input types must be coded as one field, named for the case, with its
/// payload.
package struct FeatureDeclaration: Sendable {
  package let description: FeatureDescription
  package let make: @Sendable () -> AnyFeatureRuntime

  /// Declares a feature.
  package init(
    _ feature: some Feature, name: String, arguments: Schema, delegates: [CaseSchema],
    inputs: [CaseSchema]
  ) {
    description = FeatureDescription(
      name: name, arguments: arguments, delegates: delegates, inputs: inputs)
    make = {
      FeatureRuntime(
        feature, delegates: delegates.map(PayloadCase.init(declared:)),
        inputs: inputs.map(PayloadCase.init(declared:)))
    }
  }
}

extension PluginDescription {
  /// A plugin made of declarations.
  package static func declared(
    name: String, version: String, configuration: Schema, features: [FeatureDeclaration]
  ) -> PluginDescription {
    DeclaredPlugin(
      name: name, version: version, configuration: configuration, declarations: features)
  }
}

private final class DeclaredPlugin: PluginDescription, @unchecked Sendable {
  private let declarations: [FeatureDeclaration]

  init(
    name: String, version: String, configuration: Schema, declarations: [FeatureDeclaration]
  ) {
    self.declarations = declarations
    super.init(
      name: name, version: version, configuration: configuration,
      features: declarations.map(\.description))
  }

  override func instantiate(configuration: Value) throws -> [AnyFeatureRuntime] {
    declarations.map { $0.make() }
  }
}

extension PayloadCase {
  // The payload is coded as it is, so no label has to be put in or taken out.
  fileprivate init(declared schema: CaseSchema) {
    self.init(schema: schema, isSingle: false, hasSeveralUnlabelledValues: false)
  }
}
