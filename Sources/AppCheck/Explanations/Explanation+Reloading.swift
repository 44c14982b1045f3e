// Why a plugin is not replaced while its app runs; the build that runs goes on.
extension Explanation {
  static let reloadEntries: [Entry] = [
    (
      "not-suspended", "`:resume` names a plugin that is called as ever.",
      "Nothing needs to be done."
    ),
    (
      "crashed",
      "A plugin's code has ended the app's process, or never returned, while the line was carried out. "
        + "The app is as it was before the line.",
      "`:explain crash` tells what is known of it. Send the line again if it may be tried once more."
    ),
    (
      "no-such-plugin", "The app has no plugin of that name.",
      "Take the one that is suggested; `:plugins` lists them."
    ),
    (
      "plugin-linked",
      "The plugin is part of the program that embeds the app, and has no file to be loaded again.",
      "Build the program anew."
    ),
    (
      "plugin-renamed",
      "The file is another plugin now. A plugin keeps its name while its app runs.",
      "Give it its name back, or start the app again with a manifest that has the new one."
    ),
    (
      "plugin-does-not-fit",
      "The manifest can't be satisfied by the new build: an action or an argument that it uses is gone "
        + "or of another type, or the version is not one that it asks for. The message has what "
        + "`appcore check` would say.",
      "Bring plugin and manifest together; a manifest that has changed is read when the app starts."
    ),
    (
      "plugin-not-made",
      "The new build's plugin refuses its configuration. The message has its reason.",
      "Correct what the reason names."
    ),
    (
      "state-not-carried",
      "The state of an instance does not fit the new build, and its `migrate` did not bring it there. "
        + "The message names the instance and the field.",
      "Let the state conform to `Defaulted`, which gives new fields the values of its `init()`, or "
        + "give the feature a `migrate`; or start the app again."
    ),
    (
      "not-running", "The app has ended, or is at work on something that does not end.",
      "Start it again."
    ),
  ]
}
