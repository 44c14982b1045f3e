import Foundation
import TestSupport
import Testing

@Suite(
  "A machine's policy",
  .enabled("this system allows no mount namespaces", { await PolicyNamespace.isAllowed() }))
struct SignedLockTests {
  private let app: LockedFolder

  init() async throws {
    app = try LockedFolder()
    try FileManager.default.createDirectory(
      atPath: app.path("policy"), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o755])
    for key in ["ann", "bob"] {
      let made = try await Program.run(
        "/usr/bin/ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", app.path(key)])
      try #require(made.status == 0)
    }
    try policy("allowed_signers", "ann@example.com \(try app.read("ann.pub"))")
    _ = try await app.appcore("lock", "app.yaml")
  }

  private func policy(_ name: String, _ text: String?) throws {
    guard let text else { return try app.remove("policy/" + name) }
    try app.write("policy/" + name, text)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o644], ofItemAtPath: app.path("policy/" + name))
  }

  private func sign(_ key: String = "ann") async throws {
    let result = try await app.appcore("sign", "app.yaml", "--key", key)
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.errors == "appcore.lock.sig: written\n")
  }

  /// Runs the app under the policy: its codes, none where it ran.
  private func codes(
    _ arguments: [String] = [], environment: [String: String] = [:]
  ) async throws -> [String] {
    try? app.remove("scanned")
    let program = buildFolder.appendingPathComponent("appcore").path
    // For the program alone: the script needs its own.
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let result = try await Program.run(
      PolicyNamespace.script,
      [app.path("policy"), "/usr/bin/env"] + variables + [program, "run", "app.yaml", "-c", "@add"]
        + arguments,
      environment: [
        "XDG_CACHE_HOME": app.path("cache"), "APPCORE_SCANNER": app.path("scanner"),
      ], folder: try app.folder.get().url)
    #expect((result.status == 0) == result.output.contains("The count is 1."))
    return LockedFolder.codes(result)
  }

  @Test("Where signatures are required, each of the five answers has its code, and nothing runs")
  func require() async throws {
    try policy("policy.yaml", "signatures: require\n")
    // In a cache that knows no plugin, none may be scanned.
    let cold = ["XDG_CACHE_HOME": app.path("cold")]
    #expect(try await codes(environment: cold) == ["lock-not-signed"])
    try await sign("bob")
    #expect(try await codes(environment: cold) == ["lock-unknown-signer"])
    try await sign()
    let lock = try app.read("appcore.lock")
    // What the signature is over, and not what it says.
    try app.write("appcore.lock", lock + "plugin Other 1\n")
    #expect(try await codes(environment: cold) == ["lock-changed-since-signed"])
    try app.write("appcore.lock", lock)
    try policy("revoked_keys", try app.read("ann.pub"))
    #expect(try await codes(environment: cold) == ["lock-signer-revoked"])
    try policy("revoked_keys", nil)
    #expect(!app.hasScanned)
    #expect(try await codes(environment: cold) == [])
    #expect(app.hasScanned)
    // It implies that the app is locked.
    try app.replace("name: counter", "name: counter2", in: "app.yaml")
    #expect(try await codes() == ["lock-manifest-changed"])
    try app.replace("name: counter2", "name: counter", in: "app.yaml")
    try app.modify()
    #expect(try await codes() == ["plugin-modified"])
    try app.remove("appcore.lock")
    #expect(try await codes() == ["lock-missing"])
  }

  @Test("Where signatures are asked for, what is wrong is said and the app runs")
  func warn() async throws {
    try policy("policy.yaml", "signatures: warn\n")
    #expect(try await codes() == ["lock-not-signed"])
    try await sign("bob")
    #expect(try await codes() == ["lock-unknown-signer"])
    try await sign()
    #expect(try await codes() == [])
    try app.remove("appcore.lock")
    #expect(try await codes() == ["lock-missing"])
    try policy("policy.yaml", "signatures: off\n")
    try app.remove("appcore.lock.sig")
    #expect(try await codes() == [])
  }

  @Test("An app can be asked for more than all apps, and no option or variable asks for less")
  func weaker() async throws {
    try policy("policy.yaml", "apps: { counter: require }\n")
    #expect(try await codes() == ["lock-not-signed"])
    #expect(
      try await codes(
        ["--allow-writable", "--rescan", "--plugin-path", "lib"],
        environment: [
          "APPCORE_SCANNER": "", "HOME": app.path(""), "XDG_CONFIG_HOME": app.path(""),
          "APPCORE_POLICY": "off", "PATH": app.path(""),
        ]) == ["lock-not-signed"])
    try policy("policy.yaml", "apps: { other: require }\n")
    #expect(try await codes() == [])
    try policy("policy.yaml", "signatures: require\napps: { counter: off }\n")
    #expect(try await codes() == ["policy-invalid"])
  }

  @Test("A policy that others can change, or that can't be read, lets nothing run")
  func unsafe() async throws {
    try policy("policy.yaml", "signatures: off\n")
    #expect(try await codes() == [])
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: app.path("policy/policy.yaml"))
    #expect(try await codes() == ["policy-not-safe"])
    try policy("policy.yaml", "signatures: require\n")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o666], ofItemAtPath: app.path("policy/allowed_signers"))
    try await sign()
    #expect(try await codes() == ["policy-not-safe"])
  }

  @Test("An app is bundled, and bundles are compared, where signatures are required")
  func bundles() async throws {
    try policy("policy.yaml", "signatures: require\n")
    try await sign()
    let program = buildFolder.appendingPathComponent("appcore").path
    for arguments in [
      ["bundle", "app.yaml", "--with-runtime=no", "-o", "out"], ["plan", "out", "out"],
      ["plan", "out", "out", "--locked"],
    ] {
      let result = try await Program.run(
        PolicyNamespace.script, [app.path("policy"), program] + arguments,
        environment: ["XDG_CACHE_HOME": app.path("cache")], folder: try app.folder.get().url)
      #expect(result.status == 0, "\(arguments): \(result.output)\(result.errors)")
    }
  }

  @Test("A session is not resumed with a plugin that was modified")
  func session() async throws {
    try policy("policy.yaml", "signatures: require\n")
    try await sign()
    #expect(try await codes(["--session", "kept"]) == [])
    try app.modify()
    #expect(try await codes(["--session", "kept", "--resume"]) == ["plugin-modified"])
  }
}
