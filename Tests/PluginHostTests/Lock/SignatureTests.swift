import Foundation
import PluginHost
import Support
import TestSupport
import Testing

/// A folder with keys, a lock that is signed by one of them, and a policy's folder.
private final class SigningBench: Sendable {
  static let tool = "/usr/bin/ssh-keygen"
  static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: tool) }

  let folder: TemporaryFolder
  let lock = Array(sampleLock().text.utf8)

  init() async throws {
    folder = try TemporaryFolder()
    for key in ["ann", "bob"] {
      let made = try await Program.run(
        Self.tool, ["-q", "-t", "ed25519", "-N", "", "-C", key, "-f", path(key)])
      try #require(made.status == 0, "\(made.errors)")
    }
    try FileManager.default.createDirectory(
      atPath: path("policy"), withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o755])
    try allow("ann@example.com \(try publicKey("ann"))")
  }

  func path(_ name: String) -> String { folder.path + "/" + name }

  /// The kind and the digits of a public key.
  func publicKey(_ name: String) throws -> String {
    let text = try String(contentsOfFile: path(name + ".pub"), encoding: .utf8)
    return text.split(separator: " ").prefix(2).joined(separator: " ")
  }

  func write(_ text: String, _ name: String, mode: Int = 0o644) throws {
    try folder.write("policy/" + name, text)
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: path("policy/" + name))
  }

  func allow(_ lines: String...) throws { try allow(lines) }

  func allow(_ lines: [String]) throws {
    try write(lines.joined(separator: "\n") + "\n", "allowed_signers")
  }

  func signature(by key: String) throws(Rejection) -> [UInt8] {
    try SignatureCheck.sign(lock, key: path(key), environment: [:])
  }

  var policy: PolicyFolder { PolicyFolder(path("policy"), owner: geteuid()) }

  /// What comes of verifying: the signer, or a code.
  func outcome(
    _ signature: [UInt8]?, of lock: [UInt8]? = nil, tool: String = tool,
    now: Int64 = Int64(Date().timeIntervalSince1970)
  ) -> String {
    let check = SignatureCheck(
      policy, environment: ["XDG_CACHE_HOME": path("cache")], tool: tool, now: { now })
    do throws(Rejection) {
      return try check.verify(lock: lock ?? self.lock, signature: signature)
    } catch {
      return error.code
    }
  }

  /// How many verifications are kept.
  var kept: Int {
    let files = try? FileManager.default.contentsOfDirectory(
      atPath: path("cache/appcore/signatures"))
    return files?.count ?? 0
  }
}

@Suite("Signatures", .enabled(if: SigningBench.isInstalled, "ssh-keygen is not installed"))
struct SignatureTests {
  private let bench: SigningBench

  init() async throws { bench = try await SigningBench() }

  @Test("A lock that is signed by somebody who may is verified")
  func good() throws {
    let signature = try bench.signature(by: "ann")
    #expect(bench.outcome(signature) == "ann@example.com")
    try bench.allow("*@example.com namespaces=\"lock@appcore\" \(try bench.publicKey("ann"))")
    #expect(bench.outcome(signature) == "*@example.com")
  }

  @Test("Each of the five answers has a code and a remedy of its own")
  func answers() throws {
    let signature = try bench.signature(by: "ann")
    #expect(bench.outcome(nil) == "lock-not-signed")
    #expect(bench.outcome(try bench.signature(by: "bob")) == "lock-unknown-signer")
    #expect(bench.outcome(signature, of: bench.lock + [0x0a]) == "lock-changed-since-signed")
    try bench.write(
      try String(contentsOfFile: bench.path("ann.pub"), encoding: .utf8), "revoked_keys")
    #expect(bench.outcome(signature) == "lock-signer-revoked")
    #expect(bench.outcome(signature, tool: bench.path("none")) == "lock-no-verifier")
    let rules = Set(Rule.signatureRules.map(\.code))
    let answers = [
      "lock-not-signed", "lock-unknown-signer", "lock-changed-since-signed", "lock-signer-revoked",
      "lock-no-verifier",
    ]
    #expect(rules.isSuperset(of: answers))
    let remedies = Rule.signatureRules.filter { answers.contains($0.code) }.map(\.remedy)
    #expect(Set(remedies).count == 5)
  }

  @Test(
    "A key whose time is over, has not begun, or that may sign other things only, does not count")
  func limits() throws {
    let signature = try bench.signature(by: "ann")
    let key = try bench.publicKey("ann")
    for (options, outcome) in [
      ("valid-before=\"20200101\"", "lock-signer-revoked"),
      ("valid-after=\"20990101\"", "lock-signer-revoked"),
      ("namespaces=\"git\"", "lock-unknown-signer"),
      ("Valid-After=\"20200101\",Valid-Before=\"20990101\"", "ann@example.com"),
    ] {
      try bench.allow("ann@example.com \(options) \(key)")
      #expect(bench.outcome(signature) == outcome, "\(options)")
    }
    // A list of revoked keys that is damaged is not one that has the key.
    for damaged in ["no key\n", "SSHKRL\n\0"] {
      try bench.write(damaged, "revoked_keys")
      #expect(bench.outcome(signature) == "policy-invalid")
    }
  }

  @Test("A key that is on several lines may sign where one of them allows it")
  func severalLines() throws {
    let signature = try bench.signature(by: "ann")
    let (key, other) = (try bench.publicKey("ann"), try bench.publicKey("bob"))
    let (past, git) = ("valid-before=\"20200101\"", "namespaces=\"git\"")
    for (lines, outcome) in [
      // Renewed under its own name, and under another one.
      (["ann@a \(past) \(key)", "ann@a \(key)"], "ann@a"),
      (["old@a \(past) \(key)", "ann@a \(key)"], "ann@a"),
      // For another purpose on the lines before.
      (["git@a \(git) \(key)", "ann@a \(key)"], "ann@a"),
      (
        [
          "# keys", "bob@a \(other)", "git@a \(git) \(key)", "", "bob@b \(other)",
          "old@a \(past) \(key)", "bob@c \(other)",
          "ann@a,*@b namespaces=\"lock@*\" \(key)", "bob@d \(other)",
        ], "ann@a"
      ),
      // Where none allows it, the reason is the one that is nearest to doing so.
      (["git@a \(git) \(key)", "old@a \(past) \(key)"], "lock-signer-revoked"),
      (["git@a \(git) \(key)", "file@a namespaces=\"file\" \(key)"], "lock-unknown-signer"),
    ] {
      try bench.allow(lines)
      #expect(bench.outcome(signature) == outcome, "\(lines)")
    }
    try bench.allow("git@a \(git) \(key)", "ann@a \(key)")
    try bench.write(key + "\n", "revoked_keys")
    #expect(bench.outcome(signature) == "lock-signer-revoked")
  }

  @Test("Whether lines allow a key is what ssh-keygen says of any of their names")
  func oracle() async throws {
    let signature = try bench.signature(by: "ann")
    let (lock, file) = (bench.path("lock"), bench.path("lock.sig"))
    try Data(bench.lock).write(to: URL(fileURLWithPath: lock))
    try Data(signature).write(to: URL(fileURLWithPath: file))
    let keys = [try bench.publicKey("ann"), try bench.publicKey("bob")]
    let options = [
      "", "namespaces=\"git\"", "namespaces=\"git,lock@appcore\"", "valid-before=\"20200101\"",
      "valid-after=\"20200101\"", "valid-after=\"20990101\"", "unknown",
    ]
    let names = ["ann@a", "bob@a", "ann@a,bob@a", "*@b", "!ann@a,*@a", "\"eve@a\""]
    var random = SplitMix64(seed: 21)
    for _ in 0..<(runsAllTests ? 200 : 12) {
      let lines = (0..<Int.random(in: 1...6, using: &random)).compactMap { _ in
        [names, options, keys].map { $0.randomElement(using: &random) ?? "" }
          .filter { !$0.isEmpty }.joined(separator: " ")
      }
      try bench.write(lines.joined(separator: "\n") + "\n", "allowed_signers")
      var isAllowed = false
      for name in ["ann@a", "bob@a", "any@a", "any@b", "eve@a"] where !isAllowed {
        let result = try await Program.run(
          "/bin/sh",
          [
            "-c",
            "exec \(SigningBench.tool) -Y verify -n lock@appcore -I \(name) -f "
              + "'\(bench.path("policy/allowed_signers"))' -s '\(file)' < '\(lock)'",
          ])
        isAllowed = result.status == 0
      }
      let outcome = bench.outcome(signature)
      #expect(outcome.hasPrefix("lock-") == !isAllowed, "\(outcome) of \(lines)")
    }
  }

  @Test("A revocation list of OpenSSH's own form counts")
  func revocationList() async throws {
    let signature = try bench.signature(by: "ann")
    let list = bench.path("policy/revoked_keys")
    let made = try await Program.run(SigningBench.tool, ["-k", "-f", list, bench.path("bob.pub")])
    #expect(made.status == 0)
    #expect(bench.outcome(signature) == "ann@example.com")
    let more = try await Program.run(
      SigningBench.tool, ["-k", "-u", "-f", list, bench.path("ann.pub")])
    #expect(more.status == 0)
    #expect(bench.outcome(signature) == "lock-signer-revoked")
  }

  @Test("What was verified is kept by its content, and nothing else is")
  func kept() throws {
    let signature = try bench.signature(by: "ann")
    #expect(bench.outcome(try bench.signature(by: "bob")) == "lock-unknown-signer")
    #expect(bench.kept == 0)
    #expect(bench.outcome(signature) == "ann@example.com")
    #expect(bench.kept == 1)
    // A program that would say no to all of it is not asked.
    let refuser = "/bin/false"
    #expect(bench.outcome(signature, tool: refuser) == "ann@example.com")
    var other = bench.lock
    other[20] ^= 1
    #expect(bench.outcome(signature, of: other, tool: refuser) == "lock-changed-since-signed")
    try bench.allow("ann@example.com \(try bench.publicKey("ann"))", "# a comment")
    #expect(bench.outcome(signature, tool: refuser) == "lock-changed-since-signed")
    try bench.write("", "revoked_keys")
    try bench.allow("ann@example.com \(try bench.publicKey("ann"))")
    #expect(bench.outcome(signature, tool: refuser) == "lock-changed-since-signed")
  }

  @Test("What was verified is verified again when the time of a key comes")
  func expiry() throws {
    let signature = try bench.signature(by: "ann")
    let key = try bench.publicKey("ann")
    try bench.allow("ann@example.com valid-before=\"20991231\" \(key)")
    #expect(bench.outcome(signature) == "ann@example.com")
    let refuser = "/bin/false"
    let now = Int64(Date().timeIntervalSince1970)
    #expect(bench.outcome(signature, tool: refuser, now: now + 86_400) == "ann@example.com")
    try bench.allow("ann@example.com valid-before=\"20991231000000Z\" \(key)")
    #expect(bench.outcome(signature) == "ann@example.com")
    #expect(bench.outcome(signature, tool: refuser) == "ann@example.com")
    try bench.allow("ann@example.com valid-before=\"20200101Z\" \(key)")
    #expect(bench.outcome(signature) == "lock-signer-revoked")
    try bench.allow("ann@example.com valid-before=\"20991231\" \(key)")
    // 2099-12-31, and a clock that was set back.
    #expect(bench.outcome(signature, tool: refuser, now: 4_102_358_400) != "ann@example.com")
    #expect(bench.outcome(signature, tool: refuser, now: now - 86_400) != "ann@example.com")
    // Certificates have times that are not looked at here.
    try bench.allow(
      "ann@example.com \(key)", "*@example.com cert-authority \(try bench.publicKey("bob"))")
    #expect(bench.outcome(signature) == "ann@example.com")
    #expect(bench.outcome(signature, tool: refuser) != "ann@example.com")
  }

  @Test("A signature for another purpose does not count, nor one in another form")
  func form() async throws {
    let file = try bench.folder.write("other", String(decoding: bench.lock, as: UTF8.self))
    let made = try await Program.run(
      SigningBench.tool, ["-Y", "sign", "-f", bench.path("ann"), "-n", "file", file.path])
    #expect(made.status == 0)
    let other = Array(try Data(contentsOf: URL(fileURLWithPath: file.path + ".sig")))
    #expect(bench.outcome(other) == "lock-changed-since-signed")
    let signature = try bench.signature(by: "ann")
    #expect(bench.outcome(signature + [0x0a]) == "lock-changed-since-signed")
    #expect(bench.outcome([]) == "lock-changed-since-signed")
    // To ssh-keygen a vertical tab is as good as a line break.
    let breaks = signature.indices.filter { signature[$0] == 0x0a }
    for index in breaks {
      var changed = signature
      changed[index] = 0x0b
      #expect(bench.outcome(changed) == "lock-changed-since-signed")
    }
    // To it, the last character with one of its bits that belong to no byte is as good, too.
    let last = try #require(signature.lastIndex(of: UInt8(ascii: "="))) - 1
    var changed = signature
    changed[last] += 1
    #expect(bench.outcome(changed) == "lock-changed-since-signed")
  }

  @Test("A key that expires within 30 days is named with its day, whichever others do")
  func expiresSoon() throws {
    let signature = try bench.signature(by: "ann")
    let (key, other) = (try bench.publicKey("ann"), try bench.publicKey("bob"))
    let others = (10...28).map { "bob@\($0) valid-before=\"209912\($0)\" \(other)" }
    // 2099-12-01.
    let check = SignatureCheck(bench.policy, environment: [:], now: { 4_099_766_400 })
    for (day, isTold) in [("20991217", true), ("20991203Z", true), ("21000102", false)] {
      try bench.allow(others + ["ann@a valid-before=\"\(day)\" \(key)"])
      let warning = check.expiry(lock: bench.lock, signature: signature, signer: "ann@a")
      #expect((warning != nil) == isTold, "\(day)")
      guard isTold, let warning else { continue }
      let text = "2099-12-" + day.dropFirst(6).prefix(2)
      #expect(warning.text.contains("of 'ann@a'") && warning.text.contains(text))
    }
    try bench.allow(["ann@a valid-before=\"20991217\" \(key)", "ann@a \(key)"])
    #expect(check.expiry(lock: bench.lock, signature: signature, signer: "ann@a") == nil)
  }

  @Test("No change of one bit of the lock or its signature is accepted")
  func bits() throws {
    let signature = try bench.signature(by: "ann")
    #expect(bench.outcome(signature) == "ann@example.com")
    var random = SplitMix64(seed: 5)
    for _ in 0..<(runsAllTests ? 1000 : 60) {
      var (lock, changed) = (bench.lock, signature)
      let bit = UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      if Bool.random(using: &random) {
        lock[Int.random(in: 0..<lock.count, using: &random)] ^= bit
      } else {
        changed[Int.random(in: 0..<changed.count, using: &random)] ^= bit
      }
      #expect(bench.outcome(changed, of: lock).hasPrefix("lock-"))
    }
    #expect(bench.kept == 1)
  }

  @Test("A key that is not there, or a passphrase that nobody can be asked for, is reported")
  func signing() throws {
    #expect(throws: Rejection.self) { try bench.signature(by: "none") }
    do throws(Rejection) { _ = try bench.signature(by: "none") } catch {
      #expect(error.code == "lock-signature-not-made")
      #expect(error.message.contains("No such file"))
    }
  }
}
