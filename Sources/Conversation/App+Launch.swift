public import AppCheck
public import AppCoreHost

extension App {
  /// Loads a manifest, shows its start node, and waits for its first effects.
  ///
  /// Where they take longer than ``patience``, the app is returned as it is then.
  ///
  /// - Parameters:
  ///   - manifest: the manifest's path.
  ///   - options: what it is loaded with.
  /// - Returns: an app that has begun and takes lines.
  /// - Throws: ``AppLoadError`` with every problem of the manifest and its plugins.
  public static func launch(
    _ manifest: String, options: AppOptions = AppOptions()
  ) async throws(AppLoadError) -> App {
    let app = App(try LoadedApp.load(manifest, options: options))
    try await app.begin()
    await app.converse()
    _ = await app.settle(within: Self.patience)
    return app
  }
}
