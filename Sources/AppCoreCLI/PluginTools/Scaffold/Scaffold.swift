internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// The folder of a new app or plugin, which can be built, tested and run without changes.
///
/// Nothing is written before ``write()``.
struct Scaffold {
  let folder: String
  let files: [File]

  /// An app: a manifest, a plugin with tests, and a script that tests the app.
  ///
  /// The manifest connects the plugin to a dialog of the plugin `Dialogs`, if that is installed. The
  /// plugin is called like the app, unless `plugin` names it.
  ///
  /// - Throws: ``CommandError`` if the name or the folder can't be used.
  init(app name: String, plugin: String?, into parent: String) throws(CommandError) {
    let modules = try Self.modules(PluginFolder.toolkit)
    guard Self.isAppName(name) else {
      throw CommandError(
        "'\(name)' can't be the name of an app: it becomes a program's and a package's; use "
          + "2 to 64 lowercase letters, digits and '-', beginning with a letter and not ending with "
          + "'-', such as 'console'")
    }
    guard FilePath.isFolder(parent) else { throw .noParent(parent) }
    folder = FilePath.join(parent, name)
    if FilePath.names(in: folder)?.isEmpty != true { try Self.checkIsFree(folder) }
    let own: String
    if let plugin {
      try Self.checkPluginName(plugin, modules)
      own = plugin
    } else {
      own = try Self.pluginName(of: name, modules)
    }
    let hasDialogs = (try? AppOptions().locator().locate(name: "Dialogs")) != nil
    files = Self.files(ofApp: name, plugin: own, hasDialogs: hasDialogs)
  }

  /// A plugin: a feature with an action of each kind, a test, and a `Package.swift`.
  ///
  /// One that is not part of an app also gets a manifest to run it alone, and a file with the path of
  /// the appcore to compile against. For one of an app, `parent` is created if it does not exist.
  ///
  /// - Throws: ``CommandError`` if the name or the folder can't be used.
  init(plugin name: String, into parent: String, isOfApp: Bool = false) throws(CommandError) {
    let toolkit = PluginFolder.toolkit
    try Self.checkPluginName(name, Self.modules(toolkit))
    guard isOfApp || FilePath.isFolder(parent) else { throw .noParent(parent) }
    folder = parent == "." ? name : parent + (parent.hasSuffix("/") ? "" : "/") + name
    try Self.checkIsFree(folder)
    files = isOfApp ? Self.files(ofAppsPlugin: name) : Self.files(ofPlugin: name, toolkit)
  }

  private static func modules(_ toolkit: PluginToolkit) throws(CommandError) -> String {
    guard let modules = toolkit.modules else {
      throw CommandError(
        "there are no modules of the SDK beside '\(toolkit.libraryFolder)/libAppCore.so', so nothing "
          + "can be compiled; use a complete installation of appcore", exitStatus: 69)
    }
    return modules
  }

  private static func checkIsFree(_ path: String) throws(CommandError) {
    // The link itself, because a dangling one also occupies the path.
    if FilePath.status(path, followsLinks: false) != nil { throw .exists(path) }
  }

  /// Creates the folder with the files; never overwrites a file.
  ///
  /// - Throws: ``CommandError`` if writing fails, after removing what was written.
  func write() throws(CommandError) {
    var made: [String] = []
    do throws(CommandError) {
      try Self.makeFolders(to: folder, &made)
      for file in files {
        let path = folder + "/" + file.path
        try Self.makeFolders(to: FilePath.folder(of: path), &made)
        try Self.write(file.text, to: path)
        made.append(path)
      }
    } catch {
      // In reverse order, so that folders are empty when they are removed.
      for path in made.reversed() where unlink(path) != 0 { rmdir(path) }
      throw error
    }
  }

  private static func write(_ text: String, to path: String) throws(CommandError) {
    // `x`: fail if the file exists.
    guard let file = fopen(path, "wxe") else { throw .notWritten(path, SystemError(errno)) }
    let count = fputs(text, file)
    let error = count < 0 ? errno : 0
    guard fclose(file) == 0, error == 0 else {
      unlink(path)
      throw .notWritten(path, SystemError(error == 0 ? errno : error))
    }
  }

  /// Creates a folder, and its parents as needed; adds the created ones to `made`.
  private static func makeFolders(to path: String, _ made: inout [String]) throws(CommandError) {
    if FilePath.isFolder(path) { return }
    let parent = FilePath.folder(of: path)
    if parent != path { try makeFolders(to: parent, &made) }
    guard mkdir(path, 0o777) == 0 else {
      throw errno == EEXIST ? .exists(path) : .notWritten(path, SystemError(errno))
    }
    made.append(path)
  }
}

// Names of apps and plugins.
extension Scaffold {
  /// Whether a name is valid for an app, and so for a program and a package of any distribution.
  ///
  /// It has 2 to 64 lowercase ASCII letters, digits and `-`, starts with a letter, and does not end
  /// with `-`.
  static func isAppName(_ name: String) -> Bool {
    name.wholeMatch(of: #/[a-z][a-z0-9-]{0,62}[a-z0-9]/#) != nil
  }

  /// The name of the app's plugin: `PriceList` for `price-list`.
  ///
  /// `App` is appended if that name can't be used, for example because a module has it: `ShellApp`
  /// for `shell`.
  private static func pluginName(
    of name: String, _ modules: String
  ) throws(CommandError) -> String {
    let words = name.split(separator: "-").map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let short = words.joined()
    do throws(CommandError) {
      try checkPluginName(short, modules)
      return short
    } catch {
      try checkPluginName(short + "App", modules)
      return short + "App"
    }
  }

  /// Checks a plugin's name, which is also used for a module, a C function and a file.
  private static func checkPluginName(_ name: String, _ modules: String) throws(CommandError) {
    let lead = "'\(name)' can't be the name of a plugin: "
    guard PluginLocator.isName(name), name.utf8.first != UInt8(ascii: "_") else {
      throw CommandError(
        lead + "it becomes a module's and a C function's; use letters, digits and '_', beginning "
          + "with a letter, such as 'Greeter'")
    }
    if words.contains(name) { throw CommandError(lead + "it is a word of Swift; take another") }
    let isKnown = CommandError(
      lead + "there is a module of that name, and a program holds only one; take another")
    if toolchainModules.contains(name) { throw isKnown }
    if let path = try? AppOptions().locator().locate(name: name) {
      throw CommandError(
        "there is a plugin '\(name)' already: '\(path)'; a manifest that asks for it by name "
          + "would get either; take another name")
    }
    // The folder contains the modules of the SDK, the test kit and the host.
    if access("\(modules)/\(name).swiftmodule", F_OK) == 0 { throw isKnown }
  }

  /// Swift keywords and other words that can't be a module's name without backticks.
  private static let words: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break",
    "case", "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum",
    "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "main", "nil", "open", "operator", "package",
    "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
    "some", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]

  /// Modules of the toolchain that a plugin or its tests may import, and the SDK.
  ///
  /// The SDK is listed because its library, `libAppCore.so`, would be reported as an installed
  /// plugin. The host's modules need not be listed: they are found as files.
  private static let toolchainModules: Set<String> = [
    "AppCore", "Cxx", "CxxStdlib", "Dispatch", "Distributed", "Foundation", "FoundationEssentials",
    "FoundationInternationalization", "FoundationNetworking", "FoundationXML", "Glibc",
    "Observation", "RegexBuilder", "Runtime", "Swift", "SwiftShims", "Synchronization", "Testing",
    "XCTest",
  ]
}

extension CommandError {
  fileprivate static func exists(_ path: String) -> CommandError {
    CommandError(
      "'\(path)' exists, and is left as it is; remove it, or name another folder with --into")
  }

  fileprivate static func noParent(_ path: String) -> CommandError {
    CommandError(
      "there is no folder '\(path)'; make it, or name another one with --into", exitStatus: 66)
  }

  fileprivate static func notWritten(_ path: String, _ error: SystemError) -> CommandError {
    CommandError("can't write '\(path)': \(error)", exitStatus: 74)
  }
}

// The files of new apps and plugins, in the order in which they are listed for people. Their texts
// are in `Templates`.
extension Scaffold {
  /// A file's path from the new folder, and its contents.
  typealias File = (path: String, text: String)

  /// The name of the file with the path of the appcore to compile against.
  ///
  /// Git ignores it, since the path differs between machines.
  private static let treeFile = ".appcore-tree"

  /// The path in that file: the build folder of a checkout, or the installation prefix.
  static func tree(_ toolkit: PluginToolkit) -> String {
    toolkit.isCheckout ? toolkit.libraryFolder : FilePath.folder(of: toolkit.libraryFolder)
  }

  static func files(ofApp name: String, plugin: String, hasDialogs: Bool) -> [File] {
    let words = name.replacing("-", with: " ")
    let values = [
      "name": name, "plugin": plugin,
      // `Price list` for `price-list`.
      "title": words.prefix(1).uppercased() + words.dropFirst(),
      "end": hasDialogs
        ? ":expect That makes 3. Again?\n@yes\n:expect-path /counter\n"
        : ":expect-path /counter/bonus;limit=2\n@add\n@add\n:expect-path /counter\n",
    ]
    let manifest =
      hasDialogs ? PackageResources.app_yaml : PackageResources.app_without_dialogs_yaml
    let test =
      hasDialogs ? PackageResources.DialogTest_swift_txt : PackageResources.BonusTest_swift_txt
    let sources = files(
      ofAppsPlugin: plugin, test: test, manifest: "../../" + Workspace.manifestFile)
    return [
      ("README.md", String(PackageResources.app_README_md, values)),
      (Workspace.manifestFile, String(manifest, values)),
    ]
      + sources.map { ("Plugins/\(plugin)/\($0.path)", $0.text) } + [
        ("tests/smoke.script", String(PackageResources.smoke_script, values)),
        ("schema/appcore-1.json", ManifestReport.schemaOfFormat),
        (".gitignore", ".build/\n\(treeFile)\n"),
        // Git merges locks to which two machines have added their builds.
        (".gitattributes", String(PackageResources.gitattributes)),
      ]
  }

  /// The files of a plugin that is part of an app, whose folder has the manifest and other files.
  ///
  /// `test` is the template of a test of the app; it is `nil` if the manifest does not use the plugin
  /// yet.
  static func files(
    ofAppsPlugin name: String, test: [UInt8]? = nil, manifest: String = ""
  ) -> [File] {
    sources(
      name, test, manifest,
      tree:
        "`appcore test` sets it; or\n// '\(treeFile)' does, a file that is not for version control"
    )
  }

  /// The files of a plugin that is not part of an app.
  static func files(ofPlugin name: String, _ toolkit: PluginToolkit) -> [File] {
    let manifest = manifestPath(ofPlugin: name)
    let values = [
      "name": name.lowercased(), "plugin": name,
      "kit": toolkit.isCheckout
        ? "`swift test` needs appcore's test kit, which is built in its checkout by\n"
          + "`swift build --target AppCoreHostTesting`.\n\n" : "",
    ]
    return [
      ("README.md", String(PackageResources.plugin_README_md, values)),
      (manifest, String(PackageResources.plugin_yaml, values)),
    ]
      + sources(
        name, PackageResources.BonusTest_swift_txt, manifest,
        tree: "or\n// '\(treeFile)', which `appcore plugin new` wrote for this machine"
      ) + [(treeFile, tree(toolkit) + "\n"), (".gitignore", ".build/\n\(treeFile)\n")]
  }

  static func manifestPath(ofPlugin name: String) -> String { name.lowercased() + ".yaml" }

  /// A package with a feature and its tests; `tree` says what else names the appcore to compile
  /// against.
  private static func sources(
    _ name: String, _ test: [UInt8]?, _ manifest: String, tree: String
  ) -> [File] {
    let test = test.map { String($0, ["plugin": name, "manifest": manifest]) }
    let values = [
      "plugin": name, "source": tree, "app": test ?? "",
      "import": test == nil ? "" : "import AppCoreHostTesting\n",
    ]
    return [
      ("Package.swift", PackageResources.Package_swift_txt),
      ("Sources/\(name)/\(name)Plugin.swift", PackageResources.Plugin_swift_txt),
      ("Sources/\(name)/Counter.swift", PackageResources.Counter_swift_txt),
      ("Tests/\(name)Tests/CounterTests.swift", PackageResources.CounterTests_swift_txt),
    ].map { ($0, String($1, values)) }
  }
}

extension String {
  /// Fills a template, one of the program's resources: `{{name}}` stands for the value of that name.
  init(_ template: [UInt8], _ values: [String: String] = [:]) {
    let parts = String(decoding: template, as: UTF8.self)
      .split(separator: "{{", omittingEmptySubsequences: false)
    self = parts.dropFirst().reduce(String(parts[0])) { text, part in
      let halves = part.split(separator: "}}", maxSplits: 1, omittingEmptySubsequences: false)
      return text + (values[String(halves[0])] ?? "") + halves[1]
    }
  }
}
