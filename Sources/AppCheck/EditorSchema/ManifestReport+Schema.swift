internal import Manifest
internal import Support

extension ManifestReport {
  /// The JSON Schema of the format, as `schema/appcore-1.json` is.
  public static var schemaOfFormat: String { EditorSchema(knowledge: nil).tree.text }

  /// The JSON Schema for this manifest, which knows its nodes and the features of its plugins.
  ///
  /// `nil` where the manifest can't be read. Plugins that can't be loaded are left out, see
  /// ``unavailablePlugins``.
  public var schema: String? {
    manifest.map {
      EditorSchema(knowledge: SchemaKnowledge($0, catalog: plugins.catalog)).tree.text
    }
  }

  /// The names of the plugins that can't be loaded, sorted.
  public var unavailablePlugins: [String] { plugins.problems.keys.sorted() }
}
