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

  static let lockMalformed = Rule(
    "lock-malformed",
    means:
      "The file is not a lock, or a line of it is none of those that a lock may have: it lacks "
      + "a part, has a carriage return or a digest that is none, is not UTF-8, or is a mark that a "
      + "merge left. A lock of more than 4 MiB is not read.",
    remedy:
      "Resolve the merge, or write the lock again with `appcore lock`; `appcore.lock -text` in "
      + "`.gitattributes` keeps git from converting it.")

  package static let lockBadText = Rule(
    "lock-bad-text",
    means:
      "The app has a name, a version or a path that a lock can't hold: empty, of several lines, "
      + "or with a space at an end.",
    remedy: "Correct the name that the message has.")

  package static let lockNewerFormat = Rule(
    "lock-newer-format", means: "The lock has the format of a newer version of appcore.",
    remedy: "Update appcore, or write the lock again with `appcore lock` of this program.")

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
    means: "The name or the version of the app, or the version or the path of a plugin, is not the "
      + "one in the lock.",
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
    .lockNotRead, .lockNotWritten, .lockMalformed, .lockBadText, .lockNewerFormat, .lockBadPath,
    .lockDuplicateLine, .lockContradiction, .lockIncomplete, .lockMissing, .lockOfOther,
    .lockManifestChanged, .lockAppChanged, .lockPluginGone, .pluginModified, .pluginNotLocked,
    .pluginNotLockedHere, .pluginUnlocked,
  ]
}

// What is wrong with the signature of a lock, or with the policy that asks for one.
extension Rule {
  static let lockNotSigned = Rule(
    "lock-not-signed",
    means: "The machine's policy asks for signed locks, and there is no `appcore.lock.sig` beside "
      + "this one.",
    remedy:
      "Get the signature from whoever ships the app; someone who is allowed to sign must sign "
      + "it with `appcore sign`.")

  static let lockUnknownSigner = Rule(
    "lock-unknown-signer",
    means: "The lock is signed, by a key that `/etc/appcore/allowed_signers` does not have, or "
      + "that may not sign locks.",
    remedy: "If you trust the key, have root add it to `/etc/appcore/allowed_signers`.")

  static let lockChangedSinceSigned = Rule(
    "lock-changed-since-signed",
    means: "The signature is damaged or is that of another file: the lock is not what was signed.",
    remedy: "Get the lock and its signature again, together; someone who is allowed to sign must "
      + "sign a changed lock again with `appcore sign`.")

  static let lockSignerRevoked = Rule(
    "lock-signer-revoked",
    means: "The key that signed the lock is revoked, has expired, or is not valid yet. The "
      + "message says which.",
    remedy: "Get the lock signed again by a key that is valid.")

  package static let lockNoVerifier = Rule(
    "lock-no-verifier",
    means: "The machine's policy asks for signed locks, and `/usr/bin/ssh-keygen`, which verifies "
      + "them, is not installed or fails.",
    remedy: "Install OpenSSH's client: `apt-get install openssh-client`.")

  package static let lockSignatureNotMade = Rule(
    "lock-signature-not-made",
    means: "`ssh-keygen` did not sign the lock. The message has its words.",
    remedy: "Name a private key that you can use with `--key`, or its public key where an agent "
      + "has it.")

  static let policyNotSafe = Rule(
    "policy-not-safe",
    means: "The folder `/etc/appcore`, or a file in it, does not belong to root, is a link, or can "
      + "be written by others, so that nothing in it counts; no app is run.",
    remedy: "As root: `chown -R root: /etc/appcore && chmod -R go-w /etc/appcore`.")

  static let policyNotRead = Rule(
    "policy-not-read",
    means: "A file in `/etc/appcore` is there and can't be read, so that nobody knows what it asks "
      + "for; no app is run.",
    remedy: "As root: `chmod -R a+rX /etc/appcore`.")

  static let policyInvalid = Rule(
    "policy-invalid",
    means: "`/etc/appcore/policy.yaml` has something that a policy may not have, or is empty, or "
      + "`/etc/appcore/revoked_keys` is damaged, so that nobody knows what it asks for; no app is "
      + "run.",
    remedy: "As root, correct the line that the message names: `signatures` is `off`, `warn` or "
      + "`require`, and each app below `apps` is one of those that is stricter.")

  /// The rules of signatures and of the policy.
  package static let signatureRules: [Rule] = [
    .lockNotSigned, .lockUnknownSigner, .lockChangedSinceSigned, .lockSignerRevoked,
    .lockNoVerifier, .lockSignatureNotMade, .policyNotSafe, .policyNotRead, .policyInvalid,
  ]
}
