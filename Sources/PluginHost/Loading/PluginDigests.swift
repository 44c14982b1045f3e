package import Support

/// What tells a plugin's code from any other: SHA-256 digests of its file and of the libraries that
/// it brings along.
///
/// ``ContentDigest`` names builds and is fast, but anybody can make two files with the same one.
/// Where a lock decides what may be loaded, these digests are compared, and copies and results of
/// scans are found by them.
package struct PluginDigests: Hashable, Sendable {
  /// The digest of all bytes of the plugin's file, as `sha256sum` prints it.
  package let file: SHA256
  /// Those of its libraries, in the order in which they are loaded.
  package let libraries: [SHA256]
  /// One digest over all of them.
  package let key: SHA256

  package init(file: SHA256, libraries: [SHA256]) {
    self.file = file
    self.libraries = libraries
    guard !libraries.isEmpty else {
      key = file
      return
    }
    var writer = ByteWriter()
    for digest in [file] + libraries { writer.digest(digest) }
    key = SHA256(writer.bytes)
  }

  /// - Complexity: O(*n*), where *n* is the size of the files.
  package init(_ plugin: ValidatedPlugin) {
    self.init(
      file: SHA256(plugin.file.bytes),
      libraries: plugin.dependencies.items.map { SHA256($0.file.bytes) })
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
