internal import Glibc
package import Support

/// Verifies the signature of a lock, offline, with `ssh-keygen`.
///
/// One verification covers all plugins, whose digests are in the lock. Its result is cached by the
/// content of all files involved, so that the next start needs no process, until a time in
/// `allowed_signers` is reached.
package struct SignatureCheck: Sendable {
  /// The namespace of signatures: one that was made for another purpose does not count.
  package static let namespace = "lock@appcore"
  /// What is appended to the lock's path for its signature's.
  package static let suffix = ".sig"
  /// The largest signature that is read, in bytes.
  package static let sizeLimit = 64 << 10
  /// The program that verifies; the path is fixed, so that no variable selects another program.
  package static let verifier = "/usr/bin/ssh-keygen"

  private let folder: PolicyFolder
  private let tool: String
  private let cache: SignatureCache?
  private let now: @Sendable () -> Int64

  /// Creates a check.
  ///
  /// - Parameters:
  ///   - folder: the folder of the allowed signers and the revoked keys.
  ///   - environment: the process's variables, which say where the cache is.
  ///   - tool: the verifier.
  ///   - now: the time, in seconds since 1970.
  package init(
    _ folder: PolicyFolder, environment: [String: String], tool: String = Self.verifier,
    now: @escaping @Sendable () -> Int64 = { FileClock.now() / 1_000_000_000 }
  ) {
    self.folder = folder
    self.tool = tool
    self.now = now
    cache = SignatureCache(environment)
  }

  /// Verifies a signature.
  ///
  /// - Parameters:
  ///   - lock: the bytes of the lock.
  ///   - signature: the bytes of its signature; `nil` where there is none.
  /// - Returns: who signed it, as `allowed_signers` names them.
  /// - Throws: one of five answers: the lock is not signed; the signer is unknown; the lock has
  ///   changed since it was signed; the key is revoked or expired; there is no verifier.
  package func verify(lock: [UInt8], signature: [UInt8]?) throws(Rejection) -> String {
    guard let signature else {
      throw Rejection(.lockNotSigned, "the lock is not signed: there is no 'appcore.lock.sig'")
    }
    guard Self.isWhole(signature) else {
      throw Rejection(
        .lockChangedSinceSigned, "the signature's file is not as 'appcore sign' wrote it")
    }
    let signers = try folder.read("allowed_signers")
    let revoked = try folder.read("revoked_keys")
    guard let signers else {
      throw Rejection(
        .lockUnknownSigner,
        "nobody may sign locks on this machine: there is no '\(folder.path)/allowed_signers'")
    }
    guard access(tool, X_OK) == 0 else {
      throw Rejection(
        .lockNoVerifier, "the lock's signature can't be verified: there is no '\(tool)'")
    }
    let allowed = AllowedSigners(signers)
    let key = Self.key([lock, signature, signers, revoked ?? []], hasRevoked: revoked != nil)
    let start = now()
    if let (time, signer) = cache?.known(key), allowed.isUnchanged(from: time, to: start) {
      return signer
    }
    let verification = Verification(
      tool: tool, lock: lock, signature: signature, revoked: revoked,
      revokedPath: folder.path + "/revoked_keys")
    let signer = try verification.signer(signers, timeless: allowed.timeless)
    if allowed.isUnchanged(from: start, to: start) { cache?.remember(key, start, signer) }
    return signer
  }

  /// Whether a signature's file is exactly as `ssh-keygen` writes it.
  ///
  /// `ssh-keygen` itself accepts many files as the same signature: it skips spaces and what
  /// follows.
  private static func isWhole(_ signature: [UInt8]) -> Bool {
    let lines = signature.split(separator: 0x0a, omittingEmptySubsequences: false)
    guard lines.count > 3, lines[0].elementsEqual("-----BEGIN SSH SIGNATURE-----".utf8),
      lines[lines.count - 2].elementsEqual("-----END SSH SIGNATURE-----".utf8),
      lines[lines.count - 1].isEmpty
    else { return false }
    let body = lines[1..<lines.count - 2]
    return body.dropLast().allSatisfy { $0.count == 70 }
      && (body.last.map { 1...70 ~= $0.count } ?? false)
      && body.joined().allSatisfy {
        switch $0 {
        // Letters, digits, '+', '/' and '='.
        case 0x41...0x5a, 0x61...0x7a, 0x30...0x39, 0x2b, 0x2f, 0x3d: true
        default: false
        }
      }
  }

  /// A digest of everything that a verification reads.
  private static func key(_ parts: [[UInt8]], hasRevoked: Bool) -> SHA256 {
    var writer = ByteWriter()
    for part in parts { writer.digest(SHA256(part)) }
    writer.byte(hasRevoked ? 1 : 0)
    return SHA256(writer.bytes)
  }
}

/// One verification, by several runs of `ssh-keygen`.
private struct Verification {
  let tool: String
  let lock: [UInt8]
  let signature: [UInt8]
  let revoked: [UInt8]?
  let revokedPath: String

  /// The signer's name.
  ///
  /// - Parameters:
  ///   - signers: the contents of `allowed_signers`.
  ///   - timeless: the same without its times.
  /// - Returns: the name for which `allowed_signers` allows the key.
  /// - Throws: why the signature does not count.
  func signer(_ signers: [UInt8], timeless: [UInt8]) throws(Rejection) -> String {
    for principal in try principals(signers) where try verifies(principal, signers, revoked) {
      return principal
    }
    let validity = try run(["-Y", "check-novalidate", "-n", SignatureCheck.namespace], [])
    guard validity.isGood else {
      throw Rejection(
        .lockChangedSinceSigned, "the lock or its signature has changed since it was signed")
    }
    // A key may be on several lines, of which the first is for other purposes.
    let known = try allPrincipals(signers)
    for principal in known where try verifies(principal, signers, revoked) { return principal }
    throw try refusal(signers, timeless: timeless, known, key: Self.key(in: validity.output))
  }

  /// The kind and the fingerprint of a key, as the tool prints it; `nil` where it prints none.
  private static func key(in output: String) -> String? {
    // Good "lock@appcore" signature with ED25519 key SHA256:…
    output.split(whereSeparator: \.isNewline).first?.firstRange(of: " signature with ")
      .map { Wording.printable(String(output[$0.upperBound...].prefix { !$0.isNewline })) }
  }

  /// Why the key that made the signature is not allowed to.
  private func refusal(
    _ signers: [UInt8], timeless: [UInt8], _ known: [String], key: String?
  ) throws(Rejection) -> Rejection {
    if let revoked {
      for principal in known where try verifies(principal, signers, nil) {
        // To the tool, a list that it can't read has each key.
        guard try isRevocationList(revoked) else {
          return Rejection(
            .policyInvalid,
            "'\(revokedPath)' is damaged: it is neither a list of public keys nor one of 'ssh-keygen -k'",
            remedy: "as root, correct the file or get it again")
        }
        return Rejection(
          .lockSignerRevoked,
          "the lock is signed by a key of '\(Wording.printable(principal))', which is revoked")
      }
    }
    let former = try allPrincipals(timeless)
    for principal in former where try verifies(principal, timeless, nil) {
      return Rejection(
        .lockSignerRevoked,
        "the lock is signed by a key of '\(Wording.printable(principal))' that has expired or is not "
          + "valid yet")
    }
    guard let principal = former.first else {
      return Rejection(
        .lockUnknownSigner,
        "the lock is signed by a key that this machine does not know"
          + (key.map { " (\($0))" } ?? ""))
    }
    return Rejection(
      .lockUnknownSigner,
      "the lock is signed by a key of '\(Wording.printable(principal))', which may not sign locks",
      remedy: "if it may, have root add 'lock@appcore' to the namespaces of the key in "
        + "`/etc/appcore/allowed_signers`")
  }

  /// Whether a file is a list of revoked keys: public keys, one a line, or the tool's own format.
  private func isRevocationList(_ bytes: [UInt8]) throws(Rejection) -> Bool {
    guard !bytes.starts(with: "SSHKRL\n".utf8) else {
      let result = try run(["-Q", "-l", "-f", Self.path(4)], [bytes], isOfSignature: false)
      return !result.output.contains("Invalid KRL")
    }
    return bytes.split(separator: 0x0a).allSatisfy { line in
      let words = line.split { $0 == 0x20 || $0 == 0x09 }
      guard let first = words.first, first.first != 0x23 else { return true }
      // A key begins with the length of its kind, in four bytes of which three are 0.
      return words.count > 1 && words[1].starts(with: "AAAA".utf8) && words[1].count % 4 == 0
    }
  }

  /// The names on all lines that have the key that signed.
  ///
  /// The tool prints those of the first one. It is found by halving, and left out with all before
  /// it.
  private func allPrincipals(_ signers: [UInt8]) throws(Rejection) -> [String] {
    var names: [String] = []
    var lines = signers.split(separator: 0x0a)[...]
    while true {
      let found = try principals(Array(lines.joined(separator: [0x0a])))
      guard !found.isEmpty else { return names }
      names += found.filter { !names.contains($0) }
      var (without, with) = (0, lines.count)
      while with - without > 1 {
        let middle = (without + with) / 2
        let text = Array(lines.prefix(middle).joined(separator: [0x0a]))
        if try principals(text).isEmpty { without = middle } else { with = middle }
      }
      lines = lines.dropFirst(with)
    }
  }

  /// The names on the first line that has the key that signed.
  private func principals(_ signers: [UInt8]) throws(Rejection) -> [String] {
    // It reports lines that it can't read, and ignores them.
    let result = try run(
      ["-Y", "find-principals", "-f", Self.path(4)], [signers], dropsErrors: true)
    guard result.isGood else { return [] }
    return result.output.split(whereSeparator: \.isNewline).prefix(8).map(String.init)
  }

  private func verifies(
    _ principal: String, _ signers: [UInt8], _ revoked: [UInt8]?
  ) throws(Rejection) -> Bool {
    let arguments = [
      "-Y", "verify", "-n", SignatureCheck.namespace, "-I", principal, "-f", Self.path(4),
    ]
    guard let revoked else { return try run(arguments, [signers]).isGood }
    return try run(arguments + ["-r", Self.path(5)], [signers, revoked]).isGood
  }

  /// Runs the tool with the lock as its input, the signature as descriptor 3, and other files from
  /// descriptor 4 on.
  ///
  /// It is given the bytes that were read, and not the paths, whose files may have changed since.
  private func run(
    _ arguments: [String], _ files: [[UInt8]], dropsErrors: Bool = false,
    isOfSignature: Bool = true
  ) throws(Rejection) -> (isGood: Bool, output: String) {
    let process = ToolProcess(
      executable: tool, arguments: arguments + (isOfSignature ? ["-s", Self.path(3)] : []),
      // None of this process's variables: some of them tell the loader to load other libraries.
      environment: ["LC_ALL": "C", "PATH": "/usr/bin:/bin"], files: [lock, signature] + files,
      dropsErrors: dropsErrors)
    let (end, output) = process.run()
    switch end {
    case .status(0): return (true, output)
    case .status where !output.contains("No user exists"): return (false, output)
    default:
      let words = output.split(whereSeparator: \.isNewline).first.map {
        ": \(Wording.printable(String($0)))"
      }
      throw Rejection(
        .lockNoVerifier, "the lock's signature can't be verified: '\(tool)' fails\(words ?? "")")
    }
  }

  private static func path(_ descriptor: Int) -> String { "/proc/self/fd/\(descriptor)" }
}
