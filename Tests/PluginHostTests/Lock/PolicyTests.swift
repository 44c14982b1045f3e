import Foundation
import Manifest
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

  /// What is read: the policy, or what is wrong with it.
  private func read(_ policy: PolicyFolder? = nil) -> (MachinePolicy?, problem: String?) {
    var sources = SourceMap()
    do throws(Rejection) {
      let (policy, problems) = try (policy ?? self.policy).policy(&sources)
      let words = problems.map { "\($0.range.start.line):\($0.range.start.column) \($0.code)" }
      return (policy, words.isEmpty ? nil : words.joined(separator: ", "))
    } catch {
      return (nil, error.code)
    }
  }

  private func level(_ app: String = "notes") throws -> MachinePolicy.Level? {
    try mode(0o755)
    return read().0?.level(for: app)
  }

  private func refusal() -> String? { read().problem }

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
    #expect(read(PolicyFolder(folder.path + "/none")).0?.level(for: "any") == .off)
  }

  @Test("Everything may be typed, unless it says less")
  func commands() throws {
    try mode(0o755)
    for (text, commands) in [
      ("signatures: warn", "all"), ("commands: user", "user"),
      ("signatures: warn\ncommands: none", "none"),
    ] {
      try write(text + "\n")
      #expect(read().0?.commands.rawValue == commands)
    }
  }

  @Test(
    "What a policy may not have is refused, with its place",
    arguments: [
      ("signatures: maybe\n", "1:13 policy-invalid"),
      ("signature: require\n", "1:1 policy-invalid"),
      ("signatures: require\napps: { notes: off }\n", "2:16 policy-invalid"),
      ("signatures: warn\napps: [notes]\n", "2:7 policy-invalid"),
      ("signatures: { all: warn }\n", "1:13 policy-invalid"),
      ("commands: few\n", "1:11 policy-invalid"), ("commands: [user]\n", "1:11 policy-invalid"),
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
    let other = PolicyFolder(folder.path, owner: geteuid() + 1)
    #expect(read(other).problem == "policy-not-safe")
    try FileManager.default.moveItem(
      atPath: folder.path + "/policy.yaml", toPath: folder.path + "/real.yaml")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/policy.yaml", withDestinationPath: "real.yaml")
    #expect(refusal() == "policy-not-safe")
    let link = folder.path + "/link"
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path)
    #expect(read(PolicyFolder(link, owner: geteuid())).problem == "policy-not-safe")
  }

  @Test("An unsafe folder is refused even where it has no policy")
  func unsafeEmpty() throws {
    try mode(0o777)
    #expect(refusal() == "policy-not-safe")
    try mode(0o755)
  }
}
