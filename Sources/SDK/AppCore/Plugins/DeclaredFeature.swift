/// A feature whose arguments and cases are told instead of read from its types.
///
/// The feature's delegate and input types must be coded as one field, named for the case, with its
/// payload; so one Swift type can stand for any feature.
@_spi(Host)
public struct DeclaredFeature: Sendable {
  let declaration: FeatureDeclaration

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
    declaration = FeatureDeclaration(
      feature, name: name, arguments: arguments, delegates: delegates, inputs: inputs)
  }
}

@_spi(Host)
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
    self.init(
      .declared(
        name: name, version: version, configuration: configuration,
        features: features.map(\.declaration)))
  }
}
