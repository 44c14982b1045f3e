import Foundation
import TestSupport
import Testing

/// A bundle with its host, run by an installed appcore whose machine asks for whole signed bundles.
@Suite("A signed bundle under a policy", .long)
struct SignedShippingTests {
  let tree: InstalledTree
  private let name = "signed-\(UUID().uuidString.prefix(8))"

  init() async throws {
    tree = try await InstalledTree.shared
    try tree.makeFolder(name)
  }

  private func run(_ line: String) async throws -> ProgramResult {
    try await tree.run(
      "export PATH=\"$APPCORE/bin:$PATH\" XDG_CACHE_HOME=$PWD/cache\n" + line, in: name)
  }

  /// Runs the bundle after each change of `changes`, which are lines of a file, an offset, and the
  /// byte there before and after as octal digits, and prints how many were refused.
  private static let runner = """
    refused=0
    while read -r file place before after; do
      printf "\\\\$after" | dd of="$file" bs=1 seek="$place" conv=notrunc status=none
      appcore run bundle -c :path > printed 2>&1 < /dev/null
      if [ $? = 65 ] && grep -qE '\\[(bundle|lock)-[a-z-]+\\]$' printed; then
        refused=$((refused + 1))
      else
        echo "not refused: $file $place $after"
      fi
      printf "\\\\$before" | dd of="$file" bs=1 seek="$place" conv=notrunc status=none
    done < changes
    echo "$refused refused"
    appcore run bundle -c :path < /dev/null | grep -o '^/ask'
    """

  @Test("With one bit changed anywhere in its files, a bundle is refused before any of it runs")
  func bits() async throws {
    let folder = tree.folder.appendingPathComponent(name)
    try Data(BundleFolder.manifest.utf8).write(to: folder.appendingPathComponent("app.yaml"))
    try Data(Self.runner.utf8).write(to: folder.appendingPathComponent("runner.sh"))
    let made = try await run(
      """
      mkdir -m 755 policy && ssh-keygen -q -t ed25519 -N '' -f key &&
      echo "ann $(cat key.pub)" > policy/allowed_signers &&
      echo 'signatures: bundle' > policy/policy.yaml && chmod 644 policy/* &&
      appcore bundle app.yaml -o bundle --sign key
      """)
    try #require(made.status == 0, "\(made.output)\(made.errors)")
    let changes = try changes(roundCount, in: folder)
    for start in stride(from: 0, to: changes.count, by: 20) {
      let some = changes[start...].prefix(20)
      try Data(some.joined().utf8).write(to: folder.appendingPathComponent("changes"))
      let line = "'\(packageFolder.path)/scripts/with-policy.sh' policy bash runner.sh"
      #expect(try await run(line).output == "\(some.count) refused\n/ask\n")
    }
  }

  private func changes(_ count: Int, in folder: URL) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/bundle")
      .sorted()
    let files = try names.compactMap { name -> (String, Data)? in
      let path = "bundle/" + name
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(path)")
      guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
      return (
        path, try Data(contentsOf: folder.appendingPathComponent(path), options: .alwaysMapped)
      )
    }
    #expect(files.contains { $0.0 == "bundle/bin/appcore" })
    var random = SplitMix64(seed: 0x5eed)
    return try (0..<count).map { _ in
      let (file, bytes) = try #require(files.randomElement(using: &random))
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let byte = bytes[bytes.startIndex + place]
      let changed = byte ^ 1 << UInt8.random(in: 0..<8, using: &random)
      return "\(file) \(place) \(String(byte, radix: 8)) \(String(changed, radix: 8))\n"
    }
  }
}
