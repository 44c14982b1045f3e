package import Support

/// A digest of a file's bytes, to name its private copy: XXH64, as specified.
///
/// Not cryptographic, and it need not be: a copy that exists under the name is compared byte for
/// byte before it is used, so a collision costs a copy and nothing else. It was chosen for its
/// speed without SIMD or C and for its published test vectors.
package struct ContentDigest: Hashable, CustomStringConvertible {
  package let value: UInt64

  private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
  private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
  private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
  private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
  private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

  /// Computes the digest of bytes.
  ///
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  package init(_ bytes: UnsafeRawBufferPointer) {
    let count = bytes.count
    var position = 0
    var hash: UInt64
    if count >= 32 {
      var lane1 = Self.prime1 &+ Self.prime2
      var lane2 = Self.prime2
      var lane3: UInt64 = 0
      var lane4 = 0 &- Self.prime1
      while count - position >= 32 {
        lane1 = Self.round(lane1, Self.word(bytes, position))
        lane2 = Self.round(lane2, Self.word(bytes, position + 8))
        lane3 = Self.round(lane3, Self.word(bytes, position + 16))
        lane4 = Self.round(lane4, Self.word(bytes, position + 24))
        position += 32
      }
      hash =
        Self.rotate(lane1, 1) &+ Self.rotate(lane2, 7) &+ Self.rotate(lane3, 12)
        &+ Self.rotate(lane4, 18)
      for lane in [lane1, lane2, lane3, lane4] {
        hash = (hash ^ Self.round(0, lane)) &* Self.prime1 &+ Self.prime4
      }
    } else {
      hash = Self.prime5
    }
    hash = hash &+ UInt64(count)
    while count - position >= 8 {
      hash ^= Self.round(0, Self.word(bytes, position))
      hash = Self.rotate(hash, 27) &* Self.prime1 &+ Self.prime4
      position += 8
    }
    if count - position >= 4 {
      let half = bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)
      hash ^= UInt64(UInt32(littleEndian: half)) &* Self.prime1
      hash = Self.rotate(hash, 23) &* Self.prime2 &+ Self.prime3
      position += 4
    }
    while position < count {
      hash ^= UInt64(bytes[position]) &* Self.prime5
      hash = Self.rotate(hash, 11) &* Self.prime1
      position += 1
    }
    hash = (hash ^ (hash &>> 33)) &* Self.prime2
    hash = (hash ^ (hash &>> 29)) &* Self.prime3
    value = hash ^ (hash &>> 32)
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
  }

  private static func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 {
    (value &<< count) | (value &>> (64 &- count))
  }

  private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
    rotate(lane &+ word &* prime2, 31) &* prime1
  }

  /// 16 hexadecimal digits.
  package var description: String { Self.text(value) }

  static func text(_ value: UInt64) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

/// What tells a plugin's code from any other: SHA-256 digests of its file and of the libraries that
/// it brings along.
///
/// ``ContentDigest`` names builds and is fast, but anybody can make two files with the same one.
/// Where a lock decides what may be loaded, these digests are compared, and copies and results of
/// scans are found by them.
package struct PluginDigests: Hashable, Sendable {
  /// The digest of all bytes of the plugin's file, as `sha256sum` prints it.
  package var file: SHA256
  /// Those of its libraries, by the names under which they are needed.
  package var libraries: [String: SHA256] = [:]

  /// One digest over all of them.
  var key: SHA256 {
    guard !libraries.isEmpty else { return file }
    var writer = ByteWriter()
    writer.digest(file)
    for (name, digest) in libraries.sorted(by: { $0.key < $1.key }) {
      writer.string(name)
      writer.digest(digest)
    }
    return SHA256(writer.bytes)
  }
}

extension PluginDigests {
  /// - Complexity: O(*n*), where *n* is the size of the files.
  package init(_ plugin: ValidatedPlugin) {
    self.init(file: SHA256(plugin.file.bytes))
    for item in plugin.dependencies.items { libraries[item.name] = SHA256(item.file.bytes) }
  }
}

extension ByteWriter {
  /// A digest's 32 bytes.
  package mutating func digest(_ digest: SHA256) {
    for index in digest.words.indices { word(digest.words[index].bigEndian) }
  }
}

extension ByteReader {
  /// A digest's 32 bytes.
  package mutating func digest() -> SHA256? {
    guard let first = word(), let second = word(), let third = word(), let fourth = word() else {
      return nil
    }
    return SHA256(
      words: [first.bigEndian, second.bigEndian, third.bigEndian, fourth.bigEndian])
  }
}
