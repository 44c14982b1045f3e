internal import Support

// The files that an app consists of, which must not be overwritten.
extension LoadedApp {
  /// Describes the role of a file in the app.
  ///
  /// - Parameter path: the file; another name of the same file is recognized.
  /// - Returns: a phrase such as "the manifest"; `nil` if the file is not part of the app.
  package func part(at path: String) -> String? {
    let source = report.sources.files.firstIndex { FilePath.areSame($0.path, path) }
    if let source { return source == 0 ? "the manifest" : "a file that the manifest includes" }
    let plugin = plugins.first { plugin in
      plugin.member.path.map { FilePath.areSame($0, path) } ?? false
    }
    return plugin.map { "the plugin '\($0.name)'" }
  }
}
