internal import AppCore
import Foundation
internal import TestSupport
import Testing

@testable import PluginHost

/// What becomes of a built file whose bytes change: validated in this process, and never loaded.
@Suite("A built plugin's stamp")
struct PluginStampTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// A plugin in C, stamped; and how long it is without the stamp.
  private func stamped() throws -> (bytes: [UInt8], body: Int) {
    let path = try workshop.plugin("Stamped")
    let body = try workshop.read(path).count
    try PluginStamp.write(to: path, configuration: .release)
    return (try workshop.read(path), body)
  }

  private enum Validation: Equatable {
    case accepted(BuildConfiguration?)
    case refused(String)
  }

  /// Reads and validates bytes as a host would those of a file.
  private func validation(_ bytes: some Collection<UInt8>) -> Validation {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    buffer.copyBytes(from: bytes)
    do throws(PluginError) {
      let file = try PluginFile(path: "x.so", identity: FileIdentity(stat()), taking: buffer)
      _ = try ValidatedPlugin(file)
      return .accepted(file.configuration)
    } catch {
      return .refused(error.code)
    }
  }

  @Test("It is one line at the end, which says for what the plugin was compiled")
  func form() throws {
    let (bytes, body) = try stamped()
    let line = String(decoding: bytes[body...], as: UTF8.self)
    let digest = bytes[..<body].withUnsafeBytes { ContentDigest($0) }
    let length = String(body, radix: 16)
    #expect(
      line == "\nappcore-stamp 1 release \(digest) "
        + String(repeating: "0", count: 16 - length.count) + length + " pmats-erocppa\n")
    #expect(validation(bytes) == .accepted(.release))
    #expect(validation(bytes[..<body]) == .accepted(nil))
  }

  @Test("Every byte counts: whichever is changed, the file is refused")
  func everyByte() throws {
    var (bytes, _) = try stamped()
    var random = SplitMix64(seed: 0x57a3)
    for position in bytes.indices {
      let flip = UInt8.random(in: 1...255, using: &random)
      bytes[position] ^= flip
      #expect(validation(bytes) == .refused("plugin-not-as-built"), "\(position) ^ \(flip)")
      bytes[position] ^= flip
    }
    #expect(validation(bytes) == .accepted(.release))
  }

  @Test("Every bit of the stamp counts, and of the headers")
  func everyBit() throws {
    var (bytes, body) = try stamped()
    for position in Array(0..<64) + Array(body..<bytes.count) {
      for bit in 0..<8 {
        bytes[position] ^= 1 << bit
        #expect(validation(bytes) == .refused("plugin-not-as-built"), "\(position), \(bit)")
        bytes[position] ^= 1 << bit
      }
    }
  }

  @Test("Several changes at once are refused, in a real plugin too")
  func severalBytes() throws {
    let path = workshop.path("libGood.so")
    let library = BuildBench.toolkit.libraryFolder + "/libMockGood.so"
    try FileManager.default.copyItem(atPath: library, toPath: path)
    try PluginStamp.write(to: path, configuration: .debug)
    let original = try workshop.read(path)
    #expect(validation(original) == .accepted(.debug))
    var random = SplitMix64(seed: 0x900d)
    for round in 0..<200 {
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] ^=
          UInt8.random(in: 1...255, using: &random)
      }
      guard bytes != original else { continue }
      #expect(validation(bytes) == .refused("plugin-not-as-built"), "\(round)")
    }
  }

  @Test("Cut off anywhere it is refused, but where only the stamp is gone and the file is whole")
  func truncation() throws {
    let (bytes, body) = try stamped()
    for count in 1..<bytes.count {
      let found = validation(bytes.prefix(count))
      if count == body {
        #expect(found == .accepted(nil))
      } else if count > body {
        #expect(found == .refused("plugin-not-as-built"), "cut at \(count)")
      } else {
        #expect(found != .accepted(nil), "cut at \(count)")
      }
    }
  }

  @Test("More bytes behind it, and those of another file, are refused")
  func appended() throws {
    let (bytes, body) = try stamped()
    for more in [[0], Array("\n".utf8), Array("more".utf8), Array(bytes[body...])] {
      #expect(validation(bytes + more) == .refused("plugin-not-as-built"), "\(more)")
    }
    let other = try workshop.read(try workshop.plugin("Other"))
    #expect(validation(other + bytes[body...]) == .refused("plugin-not-as-built"))
    // What others append to files without a stamp is none of ours.
    #expect(validation(other + Array("signature".utf8)) == .accepted(nil))
  }

  @Test("A stripped plugin has no stamp, and is loaded as one that was built by other means")
  func stripped() throws {
    let (bytes, _) = try stamped()
    let path = try workshop.write(bytes, to: "libStripped.so")
    try Workshop.run("strip", ["--strip-debug", path])
    #expect(try validation(workshop.read(path)) == .accepted(nil))
  }

  @Test("The refusal says what to do")
  func message() throws {
    var (bytes, body) = try stamped()
    bytes[body / 2] ^= 1
    let path = try workshop.write(bytes, to: "my plugin/.build/appcore/release/libStamped.so")
    #expect(
      try workshop.text(workshop.problem { try PluginFile(path: path) }) == """
        $DIR/my plugin/.build/appcore/release/libStamped.so: error: plugin not read: its bytes \
        are not those that it was built with [plugin-not-as-built]
          help: copy the file again, or rebuild it: `appcore plugin build '$DIR/my plugin' \
        -c release`
        """)
  }
}
