import Foundation
import Support
import TestSupport
import Testing

@Suite("SHA256")
struct SHA256Tests {
  @Test(
    "It gives the digests of NIST's examples",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
      (
        "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
      ),
      (
        "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmno"
          + "ijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
        "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
      ),
      (
        String(repeating: "a", count: 1_000_000),
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
      ),
    ])
  func vectors(_ text: String, _ digest: String) {
    #expect(SHA256(Array(text.utf8)).description == digest)
  }

  @Test("It gives what sha256sum does, for lengths around a multiple of 64 and for long files")
  func tool() async throws {
    let tool = try #require(Program.find("sha256sum"))
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 7)
    var digests: [String: String] = [:]
    for count in Array(0...130) + [1000, 4095, 65_537] {
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      let name = "file-\(count)"
      try Data(bytes).write(to: folder.url.appendingPathComponent(name))
      digests[name] = SHA256(bytes).description
    }
    let result = try await Program.run(tool, digests.keys.sorted(), folder: folder.url)
    #expect(result.status == 0)
    #expect(result.lines.count == digests.count)
    for line in result.lines {
      let words = line.split(separator: " ").map(String.init)
      #expect(digests[words[1]] == words[0], "\(words[1])")
    }
  }

  @Test("A digest is read from its digits, and from nothing else")
  func digits() throws {
    let digest = SHA256(Array("abc".utf8))
    func read(_ text: String) -> SHA256? { SHA256(digits: Array(text.utf8)[...]) }
    #expect(read(digest.description) == digest)
    #expect(read(String(digest.description.dropLast())) == nil)
    #expect(read(digest.description + "0") == nil)
    #expect(read(digest.description.uppercased()) == nil)
    #expect(read(digest.description.dropLast() + "g") == nil)
    #expect(digest.short == "ba7816bf8f01…")
  }
}
