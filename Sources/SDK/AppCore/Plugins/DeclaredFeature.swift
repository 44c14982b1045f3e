/// A feature whose arguments and cases are declared as values instead of read from its types.
///
/// Tests use it to mock features, with cases that are values in the test. The feature's delegate
/// and input types must be encoded as an object with one field, named for the case, that holds the
/// payload. So one Swift type can stand in for any feature.
@_spi(Host)
public struct DeclaredFeature: Sendable {
  let name: String
  let make: @Sendable (_ plugin: String) -> (info: FeatureInfo, make: @Sendable () -> LoadedFeature)

  /// Declares a feature.
  public init(
    _ feature: some Feature, name: String, arguments: Schema, delegates: [CaseSchema],
    inputs: [CaseSchema]
  ) {
    self.name = name
    make = { plugin in
      let info = FeatureInfo(
        name: "\(plugin).\(name)", arguments: arguments, delegates: delegates, inputs: inputs)
      return (
        info,
        {
          FeatureBox(
            feature, info: info, step: featureStep(of: feature),
            delegates: delegates.map(PayloadCase.init(declared:)),
            inputs: inputs.map(PayloadCase.init(declared:)))
        }
      )
    }
  }
}

extension LoadedPlugin {
  /// Creates a plugin from declared features.
  public init(
    name: String, version: String, configuration: Schema = .any, features: [DeclaredFeature]
  ) {
    let declared = features.map { $0.make(name) }
    self.init(
      name: name, version: version, configuration: configuration, features: declared.map(\.info),
      make: { _ in declared.map { $0.make() } })
  }
}

extension PayloadCase {
  // The payload is encoded unchanged, so no `_0` has to be added or removed.
  fileprivate init(declared schema: CaseSchema) {
    self.init(schema: schema, isSingle: false, hasSeveralUnlabelledValues: false)
  }
}
