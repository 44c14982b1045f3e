import Foundation
import PluginHost
import Support
import TestSupport
import Testing

@testable import AppCoreCLI

@Suite("Signed bundles")
struct SignedBundleTests {
  @Test("No change of one bit in any file is verified, in the list and its signature neither")
  func bits() async throws {
    let bundle = try BundleFolder()
    let folder = bundle.folder
    try await signer(in: folder)
    _ = try await bundle.make("out", ["--sign", folder.path + "/ann"])
    let files = try bundle.files("out").map { folder.path + "/out/" + $0 }
    #expect(files.contains { $0.hasSuffix("/files.sha256") })
    #expect(files.contains { $0.hasSuffix("/files.sha256.sig") })
    try verify(folder)
    var random = SplitMix64(seed: 0x5eed)
    for index in 0..<roundCount {
      // Small files are changed as often as large ones, whose bits outnumber theirs.
      let file = try #require(files.randomElement(using: &random))
      let url = URL(fileURLWithPath: file)
      let kept = try Data(contentsOf: url)
      let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions]
      var bytes = kept
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let bit = Int.random(in: 0..<8, using: &random)
      bytes[place] ^= 1 << bit
      try bytes.write(to: url)
      try FileManager.default.setAttributes([.posixPermissions: mode as Any], ofItemAtPath: file)
      #expect(throws: BundleError.self, "\(index): byte \(place), bit \(bit) of \(file)") {
        try verify(folder)
      }
      try kept.write(to: url)
    }
    try verify(folder)
  }

  private func signer(in folder: TemporaryFolder) async throws {
    let made = try await Program.run(
      SignatureCheck.verifier, ["-q", "-t", "ed25519", "-N", "", "-f", folder.path + "/ann"])
    try #require(made.status == 0, "\(made.errors)")
    let key = try String(contentsOfFile: folder.path + "/ann.pub", encoding: .utf8)
    try folder.write("policy/allowed_signers", "ann " + key)
    for path in ["policy", "policy/allowed_signers"] {
      try FileManager.default.setAttributes(
        [.posixPermissions: path == "policy" ? 0o755 : 0o644],
        ofItemAtPath: folder.path + "/" + path)
    }
  }

  private func verify(_ folder: TemporaryFolder) throws {
    let environment = ["XDG_CACHE_HOME": folder.path + "/cache"]
    let bundle = try #require(
      try SignedBundle(folder.path + "/out"), "there is no bundle")
    let policy = PolicyFolder(folder.path + "/policy", owner: geteuid())
    #expect(try bundle.verify(by: policy, environment) == "ann")
  }
}
