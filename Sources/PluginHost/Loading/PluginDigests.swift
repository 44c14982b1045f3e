package import Support

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
