public import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// The folder of a new app, which can be checked, built, tested and run without changes.
///
/// It contains a manifest, a plugin with tests, and a script that tests the app. The manifest
/// connects the plugin to a dialog of the plugin `Dialogs`, if that is installed. No file contains
/// a path of this machine.
public struct AppScaffold: Sendable {
  /// The app's name.
  public let name: String
  /// The path of the folder, which ``write()`` creates if it does not exist.
  public let folder: String
  /// The paths of the files from the folder.
  public var files: [String] { templates.map(\.path) }

  private let templates: [PluginTemplate]

  /// Prepares a new app; does not write anything.
  ///
  /// - Parameters:
  ///   - name: the app's name, which is also used for a program and a package.
  ///   - plugin: the name of its plugin; `nil` for one like the app's.
  ///   - parent: the existing folder in which the app's folder is created.
  ///   - environment: the environment variables, which can name folders with installed plugins.
  /// - Throws: ``ScaffoldError`` if the name or the folder can't be used.
  public init(
    name: String, plugin: String? = nil, into parent: String = ".",
    environment: [String: String] = ProcessVariables.all
  ) throws(ScaffoldError) {
    self.name = name
    let toolkit = PluginFolder.toolkit
    guard let modules = toolkit.modules else {
      throw .noModules(libraryFolder: toolkit.libraryFolder)
    }
    guard Self.isName(name) else { throw .invalidAppName(name) }
    guard PluginBuilder.isFolder(parent) else { throw .noParent(parent) }
    folder = FilePath.join(parent, name)
    var status = stat()
    // `lstat`, because a dangling link also occupies the path.
    guard lstat(folder, &status) != 0 || FilePath.names(in: folder)?.isEmpty == true else {
      throw .exists(folder)
    }
    let own: String
    if let plugin {
      try PluginName.check(plugin, modules: modules, environment: environment)
      own = plugin
    } else {
      own = try Self.pluginName(of: name, modules: modules, environment: environment)
    }
    templates = AppTemplate.all(
      name: name, plugin: own, hasDialogs: Self.hasDialogs(environment))
  }

  /// Creates the folder with the files; never overwrites a file.
  ///
  /// - Throws: ``ScaffoldError`` if writing fails, after removing what was written.
  public func write() throws(ScaffoldError) { try ScaffoldFolder.write(templates, to: folder) }

  /// Whether a name is valid for an app, and so for a program and a package of any distribution.
  ///
  /// It has 2 to 64 lowercase ASCII letters, digits and `-`, starts with a letter, and does not end
  /// with `-`.
  package static func isName(_ name: String) -> Bool {
    guard (2...64).contains(name.utf8.count), let first = name.utf8.first,
      (0x61...0x7a).contains(first), name.utf8.last != UInt8(ascii: "-")
    else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
  }

  /// The name of the app's plugin: `PriceList` for `price-list`.
  ///
  /// `App` is appended if that name can't be used, for example because a module has it: `ShellApp`
  /// for `shell`.
  private static func pluginName(
    of name: String, modules: String, environment: [String: String]
  ) throws(ScaffoldError) -> String {
    let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let short = words.joined()
    do throws(ScaffoldError) {
      try PluginName.check(short, modules: modules, environment: environment)
      return short
    } catch {
      try PluginName.check(short + "App", modules: modules, environment: environment)
      return short + "App"
    }
  }

  private static func hasDialogs(_ environment: [String: String]) -> Bool {
    let locator = PluginLocator(
      executableFolder: PluginLocator.executableFolder(), libraryPlugins: SDKLibrary.pluginFolder,
      environment: environment)
    return (try? locator.locate(name: "Dialogs")) != nil
  }
}
