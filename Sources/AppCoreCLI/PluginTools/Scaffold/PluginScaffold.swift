public import AppCheck
internal import Glibc
internal import PluginHost

/// The folder of a new plugin, which can be built, run and tested without changes.
///
/// It contains a feature with a view, an internal, a delegate and an input action; a test; and a
/// `Package.swift` for editors, `swift build` and `swift test`. A plugin that is not part of an app
/// also gets a manifest to run it alone, and a file with the path of the appcore to compile
/// against.
public struct PluginScaffold: Sendable {
  /// The plugin's name.
  public let name: String
  /// The path of the folder, which does not exist until ``write()`` creates it.
  public let folder: String
  /// The path, from the folder, of the manifest that runs it alone; a plugin of an app has no such
  /// file.
  public var manifest: String { PluginTemplate.manifestPath(name) }
  /// The paths of the files from the folder.
  public var files: [String] { templates.map(\.path) }

  private let templates: [PluginTemplate]

  /// Prepares a new plugin; does not write anything.
  ///
  /// - Parameters:
  ///   - name: the plugin's name, which is also used for its module and its C entry function.
  ///   - parent: the folder in which the plugin's folder is created.
  ///   - isOfApp: whether it is part of an app, whose manifest runs it. Then `parent` is created if
  ///     it does not exist.
  ///   - environment: the environment variables, which can name folders with installed plugins.
  /// - Throws: ``ScaffoldError`` if the name or the folder can't be used.
  public init(
    name: String, into parent: String = ".", isOfApp: Bool = false,
    environment: [String: String] = ProcessVariables.all
  ) throws(ScaffoldError) {
    self.name = name
    let toolkit = PluginFolder.toolkit
    guard let modules = toolkit.modules else {
      throw .noModules(libraryFolder: toolkit.libraryFolder)
    }
    try PluginName.check(name, modules: modules, environment: environment)
    guard isOfApp || PluginBuilder.isFolder(parent) else { throw .noParent(parent) }
    folder = parent == "." ? name : parent + (parent.hasSuffix("/") ? "" : "/") + name
    var status = stat()
    // `lstat`, because a dangling link also occupies the path.
    guard lstat(folder, &status) != 0 else { throw .exists(folder) }
    templates =
      isOfApp
      ? PluginTemplate.ofApp(name: name)
      : PluginTemplate.all(name: name, toolkit: toolkit)
  }

  /// Creates the folder with the files; never overwrites a file.
  ///
  /// - Throws: ``ScaffoldError`` if writing fails, after removing what was written.
  public func write() throws(ScaffoldError) { try ScaffoldFolder.write(templates, to: folder) }
}
