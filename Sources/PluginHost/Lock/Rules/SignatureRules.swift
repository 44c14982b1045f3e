package import Support

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
