/// A feature whose arguments and cases are declared as values instead of read from its types.
///
/// Tests use it for mocks of features: their cases are values in the test. The feature's delegate
/// and input types must be coded as one field, named for the case, with its payload; so one Swift
/// type can stand for any feature.
@_spi(Host)
public struct DeclaredFeature: Sendable {
  let name: String
  let make: @Sendable (_ plugin: String) -> (info: FeatureInfo, make: @Sendable () -> LoadedFeature)

  /// Declares a feature.
  ///
  /// - Parameters:
  ///   - feature: what serves the instances.
  ///   - name: the feature's name within its plugin.
  ///   - arguments: what a route must supply.
  ///   - delegates: what the feature tells the graph.
  ///   - inputs: what routes can tell the feature.
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
          LoadedFeature(
            box: FeatureBox(
              feature, info: info, step: featureStep(of: feature),
              delegates: delegates.map(PayloadCase.init(declared:)),
              inputs: inputs.map(PayloadCase.init(declared:))))
        }
      )
    }
  }
}

extension LoadedPlugin {
  /// A plugin made of declarations.
  ///
  /// - Parameters:
  ///   - name: the plugin's name, as manifests write it.
  ///   - version: the plugin's version, as in `1.4.0`.
  ///   - configuration: what the manifest may give it; it is not looked at.
  ///   - features: what it exports.
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
  // The payload is coded as it is, so no label has to be put in or taken out.
  fileprivate init(declared schema: CaseSchema) {
    self.init(schema: schema, isSingle: false, hasSeveralUnlabelledValues: false)
  }
}
