internal import Glibc
internal import Support

/// The last line of a built plugin's file: a digest of all bytes before it.
///
/// ```
/// appcore-stamp 1 release 87950231f783b149 000000000001a2c8 pmats-erocppa
/// ```
///
/// The linker's output ends before it; loaders and tools ignore bytes after the sections. Because
/// of the stamp, a file that was damaged after the build is rejected before `dlopen`, which would
/// not notice. It is not a signature: whoever can change the file can also make a stamp, and a
/// plugin's code is trusted anyway. So the digest is ``ContentDigest``, which is computed for every
/// file to name its copy.
///
/// A damaged stamp must not pass for a missing one. So it is recognized by its end as well as by
/// its beginning, which is where the ELF file ends: only damage to both would hide it. A file that
/// was cut off exactly at the stamp, or stripped, is complete; it has no stamp, and is loaded like
/// one that was built by other means.
package enum PluginStamp {
  static let size = head.count + 8 + 16 + 1 + 16 + tail.count
  static let head = Array("\nappcore-stamp 1 ".utf8)
  static let tail = Array(" pmats-erocppa\n".utf8)

  /// Compares a file with its stamp.
  ///
  /// - Returns: the digest of the bytes before the stamp, and the configuration that the plugin was
  ///   compiled for; without a stamp, the digest of all bytes, and `nil`.
  /// - Throws: if the stamp does not match the bytes.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func check(
    _ bytes: UnsafeRawBufferPointer, of path: String
  ) throws(Rejection) -> (digest: ContentDigest, configuration: BuildConfiguration?) {
    let count = bytes.count - size
    guard count > 0,
      bytes[count...].starts(with: head) || bytes.reversed().starts(with: tail.reversed())
    else { return (ContentDigest(bytes), nil) }
    let digest = ContentDigest(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    let configuration = BuildConfiguration.allCases.first {
      bytes[count...].elementsEqual(stamp($0, digest, after: count))
    }
    guard let configuration else { throw notAsBuilt(path) }
    return (digest, configuration)
  }

  /// Checks that a file without a stamp was not cut off inside a stamp, and that no bytes were
  /// appended to its stamp.
  static func requireNone(
    _ bytes: UnsafeRawBufferPointer, of path: String, after end: UInt64?
  ) throws(Rejection) {
    guard let end, end < bytes.count else { return }
    let rest = bytes[Int(end)...].prefix(head.count)
    if head.starts(with: rest) { throw notAsBuilt(path) }
  }

  private static func notAsBuilt(_ path: String) -> Rejection {
    Rejection(
      .pluginNotAsBuilt, "its bytes are not those that it was built with",
      remedy: "copy the file again, or rebuild it: " + Rejection.rebuildCommand(path))
  }

  /// The stamp as it is written to a file, after `count` other bytes.
  private static func stamp(
    _ configuration: BuildConfiguration, _ digest: ContentDigest, after count: Int
  ) -> [UInt8] {
    let name = configuration.rawValue
    let padded = name + String(repeating: " ", count: max(0, 8 - name.utf8.count))
    return head + Array("\(padded)\(digest) \(ContentDigest.text(UInt64(count)))".utf8) + tail
  }

  /// Adds a stamp to a file that the linker has just written.
  static func write(
    to path: String, configuration: BuildConfiguration
  ) throws(Rejection) {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try WholeFile.read(path) } catch {
      throw .fileRefused(path: path, error: error.code)
    }
    let stamp = added(to: bytes, configuration).dropFirst(bytes.count)
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fileRefused(path: path, error: errno) }
    let error = stamp.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
    guard close(descriptor) == 0, error == nil else {
      throw .fileRefused(path: path, error: error?.code ?? errno)
    }
  }

  /// The bytes of a library without its stamp.
  package static func removed(from bytes: [UInt8]) -> [UInt8] {
    let found = bytes.withUnsafeBytes { try? check($0, of: "") }
    return found?.configuration == nil ? bytes : bytes.dropLast(size)
  }

  /// The bytes with a stamp.
  package static func added(
    to bytes: [UInt8], _ configuration: BuildConfiguration = .release
  ) -> [UInt8] {
    bytes + stamp(configuration, bytes.withUnsafeBytes { ContentDigest($0) }, after: bytes.count)
  }

  /// The digest of a library's bytes, its stamp left out.
  package static func digest(of bytes: [UInt8]) -> String {
    removed(from: bytes).withUnsafeBytes { "\(ContentDigest($0))" }
  }
}

extension PluginFile {
  /// Appends a stamp to the file, which is read again for that.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/built``.
  package func stamp(_ configuration: BuildConfiguration) throws(PluginError) {
    do throws(Rejection) {
      try PluginStamp.write(to: path, configuration: configuration)
    } catch {
      throw PluginError(.built, path: path, error)
    }
  }
}
