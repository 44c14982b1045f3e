internal import AppCheck

/// The files of a new app.
enum AppTemplate {
  /// The manifest's name in every new app.
  static let manifestFile = "app.yaml"

  /// All files, in the order in which they are listed for people.
  static func all(
    name: String, plugin: String, hasDialogs: Bool
  ) -> [PluginTemplate] {
    let folder = "Plugins/" + plugin
    let path = "../../" + manifestFile
    return [
      PluginTemplate(path: "README.md", text: readMe(name, plugin)),
      PluginTemplate(
        path: manifestFile,
        text: hasDialogs ? manifest(name, plugin) : manifestWithoutDialogs(name, plugin)),
    ]
      + PluginTemplate.ofApp(name: plugin, hasDialogs ? .dialog(path) : .bonus(path)).map {
        PluginTemplate(path: folder + "/" + $0.path, text: $0.text)
      } + [
        PluginTemplate(path: "tests/smoke.script", text: script(hasDialogs: hasDialogs)),
        PluginTemplate(path: "schema/appcore-1.json", text: ManifestReport.schemaOfFormat),
        PluginTemplate(path: ".gitignore", text: ".build/\n\(PluginTemplate.treeFile)\n"),
        PluginTemplate(path: ".gitattributes", text: attributes),
      ]
  }

  /// The file `.gitattributes`: git merges locks to which two machines have added their builds.
  private static let attributes = """
    # Both sides' lines of a lock are kept; one that contradicts itself then is refused.
    appcore.lock merge=union -text

    """

  private static func head(_ name: String, plugins: String) -> String {
    """
    # yaml-language-server: $schema=schema/appcore-1.json
    # The app: which features it has, and what happens when one of them is done.
    appcore: 1
    name: "\(name)"
    title: "\(title(of: name))"
    version: 0.1.0
    plugins:
    \(plugins)
    start: counter

    """
  }

  private static func source(_ plugin: String) -> String {
    "  - { path: Plugins/\(plugin) }   # the sources in this folder, built when they have changed"
  }

  private static func manifest(_ name: String, _ plugin: String) -> String {
    head(name, plugins: source(plugin) + "\n  - Dialogs") + """
      nodes:
        counter: { feature: \(plugin).Counter, title: Counter }
        again:   { feature: Dialogs.Confirm, title: Again, with: { yes: Once more, no: Enough } }
      routes:
        - { from: counter, action: limitReached, present: again, with: { question: "That makes {$.count}. Again?" } }
        - { from: again, action: confirmed, do: [ dismiss, { notify: presenter, as: restarted } ] }
        - { from: again, action: declined, do: dismiss }

      """
  }

  private static func manifestWithoutDialogs(_ name: String, _ plugin: String) -> String {
    head(name, plugins: source(plugin)) + """
      nodes:
        counter: { feature: \(plugin).Counter, title: Counter }
        bonus:   { feature: \(plugin).Counter, title: Bonus, with: { limit: 2 } }
      routes:
        - { from: counter, action: limitReached, push: bonus }
        - { from: bonus, action: limitReached, do: [ back, { notify: counter, as: restarted } ] }

      """
  }

  private static func script(hasDialogs: Bool) -> String {
    let end =
      hasDialogs
      ? ":expect That makes 3. Again?\n@yes\n:expect-path /counter\n"
      : ":expect-path /counter/bonus;limit=2\n@add\n@add\n:expect-path /counter\n"
    return """
      # What somebody does first. `appcore test` runs it, and fails where a line is refused.
      :expect 0 of 3
      @add
      @add
      :expect 2 of 3
      @add
      \(end):expect 0 of 3

      """
  }

  /// `Price list` for `price-list`.
  private static func title(of name: String) -> String {
    let words = name.replacing("-", with: " ")
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  private static func readMe(_ name: String, _ plugin: String) -> String {
    """
    # \(title(of: name))

    An app for appcore.

    | to | type |
    | --- | --- |
    | run it | `appcore run app.yaml` |
    | run it, each save at once | `appcore run --watch app.yaml` |
    | test it: manifest, plugins, scripts | `appcore test` |
    | build its plugins | `appcore build` |
    | add a plugin | `appcore plugin new Greeter` |

    | file | what it is |
    | --- | --- |
    | `app.yaml` | the manifest: the plugins, the screens, and what happens between them |
    | `Plugins/\(plugin)` | a plugin: its sources, and its tests |
    | `tests/*.script` | what somebody types, and what the app must show |
    | `schema/appcore-1.json` | how an editor completes and checks the manifest |

    With `--watch` each save of a source or of the manifest takes effect while the app runs, and keeps
    its state.

    """
  }
}
