internal import AppCheck
internal import PluginHost
internal import Support

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
