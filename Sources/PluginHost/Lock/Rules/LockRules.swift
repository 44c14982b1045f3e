package import Support

// What is wrong with the file of a lock.
extension Rule {
  package static let lockNotRead = Rule(
    "lock-not-read",
    means: "There is an `appcore.lock` beside the manifest, and it can't be read. The message has "
      + "the system's reason.",
    remedy: "Make it a file that you can read, or remove it.")

  package static let lockNotWritten = Rule(
    "lock-not-written",
    means: "The lock or its signature can't be written. The message has the system's reason.",
    remedy: "Make the manifest's folder writable for you, or free some space.")

  static let lockTooLarge = Rule(
    "lock-too-large", means: "The lock has more than 4 MiB.",
    remedy: "Write it again with `appcore lock`.")

  static let lockLineBreaks = Rule(
    "lock-line-breaks",
    means: "A line of the lock ends with a carriage return, as on Windows. A lock is compared and "
      + "signed byte by byte.",
    remedy:
      "Write it again with `appcore lock`; `appcore.lock -text` in `.gitattributes` keeps git "
      + "from converting it.")

  package static let lockBadText = Rule(
    "lock-bad-text",
    means: "A line of the lock has a control character or is not UTF-8; or an app has a name, a "
      + "version or a path that a lock can't hold: empty, of several lines, or with a space at an "
      + "end.",
    remedy: "Write the lock again with `appcore lock`, or correct the name that the message has.")

  static let lockNotALock = Rule(
    "lock-not-a-lock", means: "The first line of the file does not say that it is a lock.",
    remedy: "Move it away, then write it with `appcore lock`.")

  package static let lockNewerFormat = Rule(
    "lock-newer-format", means: "The lock has the format of a newer version of appcore.",
    remedy: "Update appcore, or write the lock again with `appcore lock` of this program.")

  static let lockUnknownLine = Rule(
    "lock-unknown-line",
    means: "A line of the lock is none of those that it may have, or lacks a part; or a merge left "
      + "its marks in the file.",
    remedy: "Resolve the merge, or write the lock again with `appcore lock`.")

  static let lockBadDigest = Rule(
    "lock-bad-digest",
    means: "A digest is not 64 hexadecimal digits in lower case, as `sha256sum` prints them.",
    remedy: "Write the lock again with `appcore lock`.")

  package static let lockBadPath = Rule(
    "lock-bad-path",
    means: "A path is absolute or leads out of the folder of the manifest; or an included file is "
      + "outside it.",
    remedy:
      "Move the file into the manifest's folder, and write the lock again with `appcore lock`.")

  static let lockDuplicateLine = Rule(
    "lock-duplicate-line", means: "A line of the lock appears twice.",
    remedy: "Remove one of the two.")

  static let lockContradiction = Rule(
    "lock-contradiction",
    means: "Two lines of the lock say different things of the same plugin or file; a merge of two "
      + "changed locks can leave both.",
    remedy: "Write the lock again with `appcore lock`, or remove the wrong line.")

  static let lockIncomplete = Rule(
    "lock-incomplete",
    means: "The lock lacks a line that the others need, or its last line has no end: it was cut "
      + "off.",
    remedy: "Write it again with `appcore lock`.")

  package static let lockMissing = Rule(
    "lock-missing",
    means: "`--locked` or the machine's policy allows only what is locked, and there is no "
      + "`appcore.lock` beside the manifest.",
    remedy: "Write it with `appcore lock`, or get the one that the app was shipped with.")

  package static let lockOfOther = Rule(
    "lock-of-other", .warning,
    means: "The lock beside the manifest is that of another manifest in the same folder, and says "
      + "nothing about this one. With `--locked` this is an error.",
    remedy: "Keep each app in a folder of its own.")

  package static let lockManifestChanged = Rule(
    "lock-manifest-changed",
    means: "The manifest, or a file that it includes, is not as it was when it was locked, and "
      + "`--locked` or the machine's policy allows only what is locked.",
    remedy: "Undo the change, or accept it with `appcore lock`.")

  package static let lockAppChanged = Rule(
    "lock-app-changed",
    means: "The name or the version of the app, or the version of a plugin, is not the one in the "
      + "lock.",
    remedy: "Accept it with `appcore lock`.")

  package static let lockPluginGone = Rule(
    "lock-plugin-gone", means: "The lock has a plugin that the manifest does not list.",
    remedy: "Write the lock again with `appcore lock`.")

  package static let pluginModified = Rule(
    "plugin-modified",
    means: "The file of a plugin, or a library that it brings along, has other bytes than it had "
      + "when the app was locked; or a file or folder that the lock does not have is in the place "
      + "of a locked plugin. None of its code has run.",
    remedy:
      "Get the file that was locked; or, if you trust this one, accept it with `appcore lock`.")

  package static let pluginNotLocked = Rule(
    "plugin-not-locked",
    means: "The lock does not have this plugin, and `--locked` or the machine's policy allows only "
      + "what is locked. None of its code has run.",
    remedy: "If you trust the plugin, add it with `appcore lock --add`.")

  static let pluginNotLockedHere = Rule(
    "plugin-not-locked-here",
    means:
      "The lock has this plugin for other machines or for other versions of the SDK's contract, "
      + "and not for this one. None of its code has run.",
    remedy: "If you trust the plugin, add its build with `appcore lock --add` on this machine.")

  package static let pluginUnlocked = Rule(
    "plugin-unlocked", .warning,
    means: "There is a lock, and it does not have this plugin, so that nothing tells whether the "
      + "plugin was modified. With `--locked` it would be refused.",
    remedy: "If you trust the plugin, add it with `appcore lock --add`.")

  /// The rules of locks and of what is locked.
  package static let lockRules: [Rule] = [
    .lockNotRead, .lockNotWritten, .lockTooLarge, .lockLineBreaks, .lockBadText, .lockNotALock,
    .lockNewerFormat,
    .lockUnknownLine, .lockBadDigest, .lockBadPath, .lockDuplicateLine, .lockContradiction,
    .lockIncomplete, .lockMissing, .lockOfOther, .lockManifestChanged, .lockAppChanged,
    .lockPluginGone, .pluginModified, .pluginNotLocked, .pluginNotLockedHere, .pluginUnlocked,
  ]
}
