internal import PluginHost

/// A file of a new plugin or app, with its contents.
struct PluginTemplate: Sendable {
  /// The path from the new folder.
  let path: String
  let text: String

  /// The files of a plugin that is not part of an app, in the order in which they are listed.
  static func all(name: String, toolkit: PluginToolkit) -> [PluginTemplate] {
    let manifest = manifestPath(name)
    return [
      PluginTemplate(path: "README.md", text: readMe(name, manifest, toolkit)),
      PluginTemplate(path: manifest, text: self.manifest(name)),
      PluginTemplate(path: "Package.swift", text: package(name)),
      PluginTemplate(path: "Sources/\(name)/\(name)Plugin.swift", text: plugin(name)),
      PluginTemplate(path: "Sources/\(name)/Counter.swift", text: feature),
      PluginTemplate(
        path: "Tests/\(name)Tests/CounterTests.swift", text: test(name, .bonus(manifest))),
      PluginTemplate(path: treeFile, text: tree(toolkit) + "\n"),
      PluginTemplate(path: ".gitignore", text: ".build/\n\(treeFile)\n"),
    ]
  }

  /// The files of a plugin that is part of an app, whose folder has the manifest and other files.
  ///
  /// A test does with the app what `app` says; it is `nil` if the manifest does not use the plugin
  /// yet.
  static func ofApp(name: String, _ app: AppStory? = nil) -> [PluginTemplate] {
    [
      PluginTemplate(path: "Package.swift", text: package(name, isOfApp: true)),
      PluginTemplate(path: "Sources/\(name)/\(name)Plugin.swift", text: plugin(name)),
      PluginTemplate(path: "Sources/\(name)/Counter.swift", text: feature),
      PluginTemplate(path: "Tests/\(name)Tests/CounterTests.swift", text: test(name, app)),
    ]
  }

  static func manifestPath(_ name: String) -> String { name.lowercased() + ".yaml" }

  private static func manifest(_ name: String) -> String {
    """
    # Runs the plugin alone: appcore run \(name.lowercased()).yaml
    appcore: 1
    name: "\(name.lowercased())"
    title: "\(name)"
    plugins:
      - { path: . }   # the sources in this folder, built when they have changed
    start: counter
    nodes:
      counter: { feature: \(name).Counter, title: Counter }
      bonus:   { feature: \(name).Counter, title: Bonus, with: { limit: 2 } }
    routes:
      - { from: counter, action: limitReached, push: bonus }
      - { from: bonus, action: limitReached, do: [ back, { notify: counter, as: restarted } ] }

    """
  }

  private static func readMe(
    _ name: String, _ manifest: String, _ toolkit: PluginToolkit
  ) -> String {
    let kit =
      toolkit.isCheckout
      ? "`swift test` needs appcore's test kit, which is built in its checkout by\n"
        + "`swift build --target AppCoreHostTesting`.\n\n" : ""
    return """
      # \(name)

      A plugin for appcore.

      | to | type |
      | --- | --- |
      | run it alone | `appcore run \(manifest)` |
      | run it, each save at once | `appcore run --watch \(manifest)` |
      | test it | `swift test` |
      | build it | `appcore plugin build` |
      | check the manifest and the plugin | `appcore check \(manifest)` |

      \(kit)`Sources/\(name)` is the plugin: `\(name)Plugin.swift` names its features, and
      `Counter.swift` is one, with an action of each kind. `\(manifest)` says what follows when it
      tells that its limit is reached.

      With `--watch` each save of a source takes effect while the app runs, and keeps the state: try it
      with a text or a number in `Counter.swift`. A property that is new in the state has its default,
      since the state is `Defaulted`; effects end, and `didRestore` says which continue.

      A manifest names the plugin by this folder, which is built whenever it has changed:

      ```yaml
      plugins:
        - { path: path/to/\(name) }
      ```

      Where only the library is shipped, `appcore plugin build -c release` makes
      `.build/appcore/release/lib\(name).so`; in a folder of the plugin path it is found by its name.

      """
  }
}
