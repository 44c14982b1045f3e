public import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// A folder with all that a new app begins with: it checks, builds, tests and runs as it is.
///
/// A manifest that wires one plugin with tests to a dialog that ships, and a script that tests both.
/// No file names a folder of this machine.
public struct AppScaffold: Sendable {
  /// The app's name.
  public let name: String
  /// The folder, which ``write()`` makes or finds empty.
  public let folder: String
  /// The files, as paths from the folder.
  public var files: [String] { templates.map(\.path) }

  private let templates: [PluginTemplate]

  /// Plans an app.
  ///
  /// - Parameters:
  ///   - name: the app's name, which becomes a program's and a package's.
  ///   - parent: the folder in which it gets a folder of its own.
  ///   - environment: the process's variables; they say where plugins are installed.
  /// - Throws: what is wrong with the name or the place.
  public init(
    name: String, into parent: String = ".",
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
    // Also a link that leads nowhere is something that is there.
    guard lstat(folder, &status) != 0 || FilePath.names(in: folder)?.isEmpty == true else {
      throw .exists(folder)
    }
    let plugin = try Self.pluginName(of: name, modules: modules, environment: environment)
    templates = AppTemplate.all(
      name: name, plugin: plugin, hasDialogs: Self.hasDialogs(environment))
  }

  /// Makes the folder; nothing that exists is written over.
  ///
  /// - Throws: what the system refuses; what was written until then is removed.
  public func write() throws(ScaffoldError) { try ScaffoldFolder.write(templates, to: folder) }

  /// Whether a name can be an app's: a program's, and a package's of every distribution.
  package static func isName(_ name: String) -> Bool {
    guard (2...64).contains(name.utf8.count), let first = name.utf8.first,
      (0x61...0x7a).contains(first), name.utf8.last != UInt8(ascii: "-")
    else { return false }
    return name.utf8.allSatisfy { byte in
      (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
    }
  }

  /// The plugin of an app, named for it: `PriceList` for `price-list`, or `ShellApp` for `shell`,
  /// where a module has the shorter name.
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
