package import Support

// Rules for replacing the running build of a plugin, or the running manifest.
extension Rule {
  package static let noSuchPlugin = Rule(
    "no-such-plugin", means: "The app has no plugin of that name.",
    remedy: "Use the suggested one; `:plugins` lists them.")

  static let pluginLinked = Rule(
    "plugin-linked",
    means: "The plugin is part of the program that embeds the app, and has no file to be loaded "
      + "again.",
    remedy: "Rebuild the program.")

  static let pluginRenamed = Rule(
    "plugin-renamed",
    means: "The file is another plugin now. A plugin keeps its name while its app runs.",
    remedy: "Give it its name back, or start the app again with a manifest that has the new one.")

  static let pluginDoesNotFit = Rule(
    "plugin-does-not-fit",
    means: "The new build does not fit the manifest: an action or an argument that the manifest "
      + "uses is gone or has another type, or the version does not meet its requirement. The "
      + "message is the one that `appcore check` would print.",
    remedy:
      "Make plugin and manifest agree; `:reload` without a name reads a manifest that has changed.")

  static let pluginNotMade = Rule(
    "plugin-not-made",
    means: "The new build rejects its configuration. The message has its reason.",
    remedy: "Correct what the reason names.")

  static let manifestNotReloaded = Rule(
    "manifest-not-reloaded",
    means: "A changed manifest has problems, or a plugin that it names can't be loaded or made. "
      + "The message has the first of them. The app keeps the previous manifest.",
    remedy: "Correct the manifest; `appcore check` lists all of its problems.")

  static let notRunning = Rule(
    "not-running", means: "The app has ended, or is stuck.",
    remedy: "Start it again.")

  /// All rules for reloads.
  package static let reloadRules: [Rule] = [
    .noSuchPlugin, .pluginLinked, .pluginRenamed, .pluginDoesNotFit, .pluginNotMade,
    .manifestNotReloaded,
    .notRunning,
  ]
}
