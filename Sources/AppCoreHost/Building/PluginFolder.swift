internal import AppCore
internal import PluginHost

/// A plugin's folder of sources, where a manifest or a command names one instead of a file.
enum PluginFolder {
  /// What builds folders in this process: against the SDK that it uses itself.
  static func builder(
    environment: [String: String]
  ) -> PluginBuilder {
    let toolkit = PluginToolkit(
      libraryFolder: SDKLibrary.folder ?? ".", compilerVersion: SDK.compilerVersion)
    return PluginBuilder(toolkit: toolkit, contract: hostContract, environment: environment)
  }

  /// The file of a plugin that is given by its path: of a folder, what is built of it now.
  ///
  /// Blocks the thread for as long as the compiler runs, if anything is to be compiled.
  ///
  /// - Throws: why the folder can't be built.
  static func file(
    at path: String, environment: [String: String]
  ) throws(PluginProblem) -> String {
    guard PluginBuilder.isFolder(path) else { return path }
    return try builder(environment: environment).build(folder: path).path
  }
}
