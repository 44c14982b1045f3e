public import AppCheck
internal import Glibc
internal import PluginHost

/// A folder with all that a new plugin begins with: it builds, runs and tests as it is.
///
/// One feature with a view, an internal, a delegate and an input action; a manifest that runs it
/// alone; a test; a `Package.swift` for editors, `swift build` and `swift test`, which compiles
/// against the tree, or the build, of the appcore that made it.
public struct PluginScaffold: Sendable {
  /// The plugin's name.
  public let name: String
  /// The folder, which does not exist until ``write()``.
  public let folder: String
  /// The manifest that runs it alone, as a path from the folder; a plugin of an app has none.
  public var manifest: String { PluginTemplate.manifestPath(name) }
  /// The files, as paths from the folder.
  public var files: [String] { templates.map(\.path) }

  private let templates: [PluginTemplate]

  /// Plans a plugin.
  ///
  /// - Parameters:
  ///   - name: the plugin's name, which becomes its module's and its entry's.
  ///   - parent: the folder in which it gets a folder of its own.
  ///   - isOfApp: whether it is made in an app's folder, whose manifest is to run it.
  ///   - environment: the process's variables; they say where plugins are installed.
  /// - Throws: what is wrong with the name or the place.
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
    // Also a link that leads nowhere is something that is there.
    guard lstat(folder, &status) != 0 else { throw .exists(folder) }
    templates =
      isOfApp
      ? PluginTemplate.ofApp(name: name)
      : PluginTemplate.all(name: name, toolkit: toolkit)
  }

  /// Makes the folder; nothing that exists is written over.
  ///
  /// - Throws: what the system refuses; what was written until then is removed.
  public func write() throws(ScaffoldError) { try ScaffoldFolder.write(templates, to: folder) }
}
