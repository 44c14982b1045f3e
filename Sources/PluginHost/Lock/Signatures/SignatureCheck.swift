internal import Glibc
package import Support

/// Signs locks and the lists of bundles' files, and verifies their signatures, offline, with
/// `ssh-keygen`.
///
/// One verification covers all plugins, whose digests are in the lock. Its result is cached by the
/// content of all files involved, so that the next start needs no process, until a time in
/// `allowed_signers` is reached.
package struct SignatureCheck: Sendable {
  /// What is signed.
  package enum Subject: String, Sendable {
    case lock, bundle

    /// The namespace of signatures: one that was made for another purpose does not count.
    package var namespace: String { rawValue + "@appcore" }
    /// The name of the file that is signed.
    package var fileName: String { self == .lock ? AppLock.fileName : "files.sha256" }
  }

  /// What is appended to a file's path for its signature's.
  package static let suffix = ".sig"
  /// The largest signature that is read, in bytes.
  package static let sizeLimit = 64 << 10
  /// The program that verifies; the path is fixed, so that no variable selects another program.
  package static let verifier = "/usr/bin/ssh-keygen"

  private let folder: PolicyFolder
  private let tool: String
  private let subject: Subject
  /// The bytes that are used instead of the folder's `allowed_signers`.
  private let signers: [UInt8]?
  /// The signatures that were verified, one file for each; `nil` where no folder is this user's alone.
  private let cache: PrivateFolder?
  private let now: @Sendable () -> Int64

  package init(
    _ folder: PolicyFolder, of subject: Subject = .lock, signers: [UInt8]? = nil,
    environment: [String: String], tool: String = Self.verifier,
    now: @escaping @Sendable () -> Int64 = { FileClock.now() / 1_000_000_000 }
  ) {
    self.folder = folder
    self.tool = tool
    self.subject = subject
    self.signers = signers
    self.now = now
    cache = PrivateFolder(inCache: "signatures", environment)
  }

  /// Verifies a signature.
  ///
  /// - Returns: who signed it, as `allowed_signers` names them.
  /// - Throws: one of five answers: the lock is not signed; the signer is unknown; the lock has
  ///   changed since it was signed; the key is revoked or expired; there is no verifier.
  package func verify(lock: [UInt8], signature: [UInt8]?) throws(Rejection) -> String {
    guard let signature else {
      throw Rejection(
        .lockNotSigned,
        "the \(subject) is not signed: there is no '\(subject.fileName)\(Self.suffix)'")
    }
    guard Self.isCanonical(signature) else {
      throw Rejection(
        .lockChangedSinceSigned, "the signature's file is not as 'appcore sign' wrote it")
    }
    let signers = try allowedSigners()
    let revoked = try folder.read("revoked_keys")
    guard let signers else {
      throw Rejection(
        .lockUnknownSigner,
        "nobody may sign \(subject)s on this machine: there is no '\(folder.path)/allowed_signers'")
    }
    guard access(tool, X_OK) == 0 else {
      throw Rejection(
        .lockNoVerifier, "the \(subject)'s signature can't be verified: there is no '\(tool)'")
    }
    let allowed = AllowedSigners(signers)
    let key = Self.key(
      [Array(subject.namespace.utf8), lock, signature, signers, revoked ?? []],
      hasRevoked: revoked != nil)
    let start = now()
    if let (time, signer) = known(key), allowed.isUnchanged(from: time, to: start) {
      return signer
    }
    let verification = Verification(
      tool: tool, subject: subject, lock: lock, signature: signature, signers: signers,
      revoked: revoked, folder: folder.path)
    let signer = try verification.signer()
    if allowed.isUnchanged(from: start, to: start) { remember(key, start, signer) }
    return signer
  }

  private func allowedSigners() throws(Rejection) -> [UInt8]? {
    if let signers { signers } else { try folder.read("allowed_signers") }
  }

  /// A warning if the key that made a verified signature expires within 30 days.
  ///
  /// - Complexity: no process, unless some key expires in that time; then one if it is another's.
  package func expiry(lock: [UInt8], signature: [UInt8], signer: String) -> DiagnosticMessage? {
    guard let signers = try? allowedSigners() else { return nil }
    let verification = Verification(
      tool: tool, subject: subject, lock: lock, signature: signature, signers: signers,
      revoked: nil, folder: folder.path)
    let times = AllowedSigners(signers).endings(from: now(), within: 30 * 86_400)
    // The key is valid at the beginning; the first time after which it is not, between these two.
    var (first, last) = (0, times.count - 1)
    guard last >= 0, !verification.isValid(at: times[last].next, by: signer) else { return nil }
    while first < last {
      let middle = (first + last) / 2
      if verification.isValid(at: times[middle].next, by: signer) {
        first = middle + 1
      } else {
        last = middle
      }
    }
    return DiagnosticMessage(
      .signerExpiresSoon,
      "the key of '\(Wording.printable(signer))' that signed the \(subject) expires on \(times[last].day); "
        + "have the \(subject) signed by a key that is valid for longer")
  }

  /// Whether a signature's file is exactly as `ssh-keygen` writes it.
  ///
  /// `ssh-keygen` itself accepts many files as the same signature: it skips spaces, what follows, and
  /// the bits of the last character that belong to no byte.
  private static func isCanonical(_ signature: [UInt8]) -> Bool {
    let lines = signature.split(separator: 0x0a, omittingEmptySubsequences: false)
    guard lines.count > 3, lines[0].elementsEqual("-----BEGIN SSH SIGNATURE-----".utf8),
      lines[lines.count - 2].elementsEqual("-----END SSH SIGNATURE-----".utf8),
      lines[lines.count - 1].isEmpty
    else { return false }
    let body = lines[1..<lines.count - 2]
    let text = body.joined()
    let padding = text.suffix(2).filter { $0 == UInt8(ascii: "=") }.count
    let digits = text.dropLast(padding)
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    guard let last = digits.last.flatMap(alphabet.firstIndex) else { return false }
    return body.dropLast().allSatisfy { $0.count == 70 } && 1...70 ~= body.last?.count ?? 0
      && (digits.count + padding).isMultiple(of: 4) && last.isMultiple(of: 1 << (2 * padding))
      && digits.allSatisfy(alphabet.contains)
  }

  /// A digest of everything that a verification reads.
  private static func key(_ parts: [[UInt8]], hasRevoked: Bool) -> SHA256 {
    var writer = ByteWriter()
    for part in parts { writer.digest(SHA256(part)) }
    writer.byte(hasRevoked ? 1 : 0)
    return SHA256(writer.bytes)
  }

  private static let mark: UInt64 = 0x3147_4953_5043_5041  // "APCPSIG1", the lowest byte first

  /// The time of a verification, in seconds since 1970, and the signer; `nil` if there was none.
  private func known(_ key: SHA256) -> (time: Int64, signer: String)? {
    guard let bytes = cache?.bytes(of: "\(key)", limit: 4096) else { return nil }
    var reader = ByteReader(bytes)
    guard reader.word() == Self.mark, reader.digest() == key, let time = reader.word(),
      let signer = reader.string(), reader.isAtEnd
    else { return nil }
    return (Int64(clamping: time), signer)
  }

  private func remember(_ key: SHA256, _ time: Int64, _ signer: String) {
    var writer = ByteWriter()
    writer.word(Self.mark)
    writer.digest(key)
    writer.word(UInt64(clamping: time))
    writer.string(signer)
    cache?.replace("\(key)", with: writer.bytes)
    cache?.removeOldest(keeping: 64)
  }

  /// Signs a lock or a list with `ssh-keygen`, which asks for the key's passphrase itself.
  ///
  /// - Returns: the bytes of the signature's file.
  /// - Throws: what `ssh-keygen` said.
  package static func sign(
    _ lock: [UInt8], as subject: Subject = .lock, key: String, environment: [String: String]
  ) throws(Rejection) -> [UInt8] {
    guard access(verifier, X_OK) == 0 else {
      throw Rejection(.lockNoVerifier, "the \(subject) can't be signed: there is no '\(verifier)'")
    }
    // A key's path may begin with a dash.
    let key = key.hasPrefix("-") ? "./" + key : key
    let (end, output, _) = Spawn.run(
      verifier, ["-Y", "sign", "-f", key, "-n", subject.namespace], environment: environment,
      files: [lock])
    let head = "-----BEGIN SSH SIGNATURE-----"
    let tail = "-----END SSH SIGNATURE-----\n"
    guard end == .status(0), let start = output.firstRange(of: head),
      let finish = output.firstRange(of: tail), start.lowerBound < finish.lowerBound
    else {
      let words = output.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("Signing data") }
        .map { Wording.printable(String($0)) }
      throw Rejection(
        .lockSignatureNotMade,
        "the \(subject) is not signed: " + (words.first ?? "ssh-keygen failed"),
        details: Array(words.dropFirst()))
    }
    return Array(output[start.lowerBound..<finish.upperBound].utf8)
  }
}

/// One verification, by several runs of `ssh-keygen`, which decides.
private struct Verification {
  let tool: String
  let subject: SignatureCheck.Subject
  let lock: [UInt8]
  let signature: [UInt8]
  let signers: [UInt8]
  let revoked: [UInt8]?
  let folder: String

  /// The name for which `allowed_signers` allows the key.
  ///
  /// - Throws: why the signature does not count.
  /// - Complexity: two processes for a key that its first line allows; otherwise some for each line.
  func signer() throws(Rejection) -> String {
    var words: [String] = []
    let first = try principals(signers, &words)
    if let signer = try verified(first, revoked, &words) { return signer }
    let validity = try run(["-Y", "check-novalidate", "-n", subject.namespace], [])
    guard validity.isGood else {
      throw Rejection(
        .lockChangedSinceSigned,
        subject == .lock
          ? "the lock or its signature has changed since it was signed"
          : "the list of files or its signature has changed since it was signed")
    }
    // The tool tells the names on the first line with the key, which may be for other purposes.
    var others: [String] = []
    for (index, line) in signers.split(separator: 0x0a, omittingEmptySubsequences: false)
      .enumerated()
    where !line.isEmpty {
      // With as many lines before it as it has in the file, for what the tool says of it.
      let text = [UInt8](repeating: 0x0a, count: index) + line
      others += try principals(text, &words).filter { !(first + others).contains($0) }
    }
    if let signer = try verified(others, revoked, &words) { return signer }
    throw try refusal(first + others, words, output: validity.output)
  }

  /// Why the key that made the signature is not allowed to, in the tool's words.
  private func refusal(
    _ known: [String], _ words: [String], output: String
  ) throws(Rejection) -> Rejection {
    var ignored: [String] = []
    if let revoked, let principal = try verified(known, nil, &ignored) {
      // To the tool, a list that it can't read has each key.
      guard try isRevocationList(revoked) else {
        return Rejection(
          .policyInvalid,
          "'\(folder)/revoked_keys' is damaged: it is neither a list of public keys nor one of "
            + "'ssh-keygen -k'",
          remedy: "as root, correct the file or get it again")
      }
      return Rejection(
        .lockSignerRevoked,
        "the \(subject) is signed by a key of '\(Wording.printable(principal))', which is revoked")
    }
    if let reason = words.first(where: { $0.contains("expired") || $0.contains("not yet valid") }) {
      return Rejection(
        .lockSignerRevoked, "the \(subject) is signed by a key that is not valid now: \(reason)")
    }
    guard let principal = known.first else {
      // Good "lock@appcore" signature with ED25519 key SHA256:…
      let key = output.firstRange(of: " signature with ").map {
        " (\(Wording.printable(String(output[$0.upperBound...].prefix { !$0.isNewline }))))"
      }
      return Rejection(
        .lockUnknownSigner,
        "the \(subject) is signed by a key that this machine does not know" + (key ?? ""))
    }
    return Rejection(
      .lockUnknownSigner,
      "the \(subject) is signed by a key of '\(Wording.printable(principal))', which may not sign \(subject)s"
        + (words.first.map { ": \($0)" } ?? ""),
      remedy: "if it may, have root add '\(subject.namespace)' to the namespaces of the key in "
        + "`/etc/appcore/allowed_signers`")
  }

  /// Whether a file is a list of revoked keys: public keys, one a line, or the tool's own format.
  private func isRevocationList(_ bytes: [UInt8]) throws(Rejection) -> Bool {
    guard !bytes.starts(with: "SSHKRL\n".utf8) else {
      let result = try run(["-Q", "-l", "-f", Self.path(4)], [bytes], isOfSignature: false)
      return !(result.output + result.errors).contains("Invalid KRL")
    }
    return bytes.split(separator: 0x0a).allSatisfy { line in
      let words = line.split { $0 == 0x20 || $0 == 0x09 }
      guard let first = words.first, first.first != 0x23 else { return true }
      // A key begins with the length of its kind, in four bytes of which three are 0.
      return words.count > 1 && words[1].starts(with: "AAAA".utf8) && words[1].count % 4 == 0
    }
  }

  /// The names on the first line that has the key that signed.
  private func principals(
    _ signers: [UInt8], _ words: inout [String]
  ) throws(Rejection) -> [String] {
    let result = try run(["-Y", "find-principals", "-f", Self.path(4)], [signers])
    words += reasons(in: result.errors)
    guard result.isGood else { return [] }
    return result.output.split(whereSeparator: \.isNewline).prefix(8).map(String.init)
  }

  /// The first of some names for which the signature is good.
  private func verified(
    _ principals: [String], _ revoked: [UInt8]?, _ words: inout [String]
  ) throws(Rejection) -> String? {
    for principal in principals {
      let result = try verify(
        by: principal, revoked == nil ? [] : ["-r", Self.path(5)], revoked.map { [$0] } ?? [])
      if result.isGood { return principal }
      words += reasons(in: result.errors)
    }
    return nil
  }

  /// Whether a signature is valid at a time, as the tool takes it.
  func isValid(at time: String, by signer: String) -> Bool {
    let result = try? verify(by: signer, ["-O", "verify-time=\(time)"])
    return result?.isGood ?? true
  }

  private func verify(
    by principal: String, _ options: [String], _ files: [[UInt8]] = []
  ) throws(Rejection) -> (isGood: Bool, output: String, errors: String) {
    try run(
      ["-Y", "verify", "-n", subject.namespace, "-I", principal, "-f", Self.path(4)] + options,
      [signers] + files)
  }

  /// What the tool says of lines of `allowed_signers`, such as `allowed_signers:2: key has expired`.
  private func reasons(in errors: String) -> [String] {
    errors.split(whereSeparator: \.isNewline).compactMap { line in
      guard line.hasPrefix(Self.path(4) + ":") else { return nil }
      let reason = line.dropFirst(Self.path(4).count)
      let end = reason.firstRange(of: ": verify time")?.lowerBound ?? reason.endIndex
      return Wording.printable("allowed_signers" + reason[..<end])
    }
  }

  /// Runs the tool with the signed file as its input, the signature as descriptor 3, and other files from
  /// descriptor 4 on.
  ///
  /// It is given the bytes that were read, and not the paths, whose files may have changed since.
  private func run(
    _ arguments: [String], _ files: [[UInt8]], isOfSignature: Bool = true
  ) throws(Rejection) -> (isGood: Bool, output: String, errors: String) {
    let (end, output, errors) = Spawn.run(
      tool, arguments + (isOfSignature ? ["-s", Self.path(3)] : []),
      // None of this process's variables: some of them tell the loader to load other libraries.
      environment: ["LC_ALL": "C", "PATH": "/usr/bin:/bin"], files: [lock, signature] + files,
      separatesErrors: true)
    switch end {
    case .status(0): return (true, output, errors)
    case .status where !errors.contains("No user exists"): return (false, output, errors)
    default:
      let words = (errors + output).split(whereSeparator: \.isNewline).first.map {
        ": \(Wording.printable(String($0)))"
      }
      throw Rejection(
        .lockNoVerifier,
        "the \(subject)'s signature can't be verified: '\(tool)' fails\(words ?? "")")
    }
  }

  private static func path(_ descriptor: Int) -> String { "/proc/self/fd/\(descriptor)" }
}
