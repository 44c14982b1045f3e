import Foundation
import PluginHost
import Support
import TestSupport
import Testing

@Suite("The policy")
struct PolicyTests {
  private let folder: TemporaryFolder
  private var policy: PolicyFolder { PolicyFolder(folder.path, owner: geteuid()) }

  init() throws { folder = try TemporaryFolder() }

  private func write(_ text: String) throws {
    try folder.write("policy.yaml", text)
    try mode(0o644, "policy.yaml")
  }

  private func mode(_ mode: Int, _ name: String = "") throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.path + "/" + name)
  }

  private func level(_ app: String = "notes") throws -> SignaturePolicy.Level? {
    try mode(0o755)
    if case .policy(let policy) = policy.policy() { return policy.level(for: app) }
    return nil
  }

  private func refusal() -> String? {
    switch policy.policy() {
    case .refused(let cause): cause.code
    case .invalid(let path, let bytes):
      policy.problems(of: bytes, path: path, file: 0)
        .map { "\($0.range.start.line):\($0.range.start.column) \($0.code)" }
        .joined(separator: ", ")
    case .policy: nil
    }
  }

  @Test("Without a file nothing is asked for; with one, what it says, for all or for an app")
  func levels() throws {
    #expect(try level() == .off)
    try write("signatures: require\n")
    #expect(try level() == .require)
    try write("signatures: warn\napps: { notes: require }\n")
    #expect(try level() == .require)
    #expect(try level("other") == .warn)
    try write("apps: { notes: warn }\n")
    #expect(try level() == .warn)
    #expect(try level("other") == .off)
    #expect(PolicyFolder(folder.path + "/none").policy().isOff)
  }

  @Test(
    "What a policy may not have is refused, with its place",
    arguments: [
      ("signatures: maybe\n", "1:13 policy-invalid"),
      ("signature: require\n", "1:1 policy-invalid"),
      ("signatures: require\napps: { notes: off }\n", "2:16 policy-invalid"),
      ("signatures: warn\napps: [notes]\n", "2:7 policy-invalid"),
      ("signatures: { all: warn }\n", "1:13 policy-invalid"),
      ("- require\n", "1:1 policy-invalid"),
      ("require\n", "1:1 policy-invalid"),
      ("", "1:1 policy-invalid"), ("# none\n", "1:1 policy-invalid"),
      ("{}\n", "1:1 policy-invalid"),
      ("signatures: require\nsignatures: off\n", "2:1 duplicate-key"),
      ("signatures: [\n", "1:13 syntax"),
    ])
  func invalid(_ text: String, _ problem: String) throws {
    try mode(0o755)
    try write(text)
    #expect(refusal() == problem)
  }

  @Test("A folder or a file that others can write, that is another's, or a link, is refused")
  func unsafe() throws {
    try mode(0o755)
    try write("signatures: off\n")
    #expect(refusal() == nil)
    for (file, folder) in [(0o664, 0o755), (0o646, 0o755), (0o644, 0o775), (0o644, 0o757)] {
      try mode(file, "policy.yaml")
      try mode(folder)
      #expect(refusal() == "policy-not-safe", "\(file) \(folder)")
    }
    try mode(0o755)
    try mode(0o644, "policy.yaml")
    if case .refused(let cause) = PolicyFolder(folder.path, owner: geteuid() + 1).policy() {
      #expect(cause.code == "policy-not-safe")
    } else {
      Issue.record("a folder of another user is taken")
    }
    try FileManager.default.moveItem(
      atPath: folder.path + "/policy.yaml", toPath: folder.path + "/real.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/policy.yaml", withDestinationPath: "real.yaml")
    #expect(refusal() == "policy-not-safe")
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    if case .refused(let cause) = PolicyFolder(link, owner: geteuid()).policy() {
      #expect(cause.code == "policy-not-safe")
    } else {
      Issue.record("a link to a folder is taken")
    }
  }

  @Test("An unsafe folder is refused even where it has no policy")
  func unsafeEmpty() throws {
    try mode(0o777)
    #expect(refusal() == "policy-not-safe")
    try mode(0o755)
  }
}

extension PolicyFolder.Answer {
  fileprivate var isOff: Bool {
    if case .policy(let policy) = self { policy.level(for: "any") == .off } else { false }
  }
}
