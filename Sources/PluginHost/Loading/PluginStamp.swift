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
package struct PluginStamp: Equatable {
  /// The configuration that the plugin was compiled for.
  let configuration: BuildConfiguration
  let digest: ContentDigest

  static let size = head.count + 8 + 16 + 1 + 16 + tail.count
  static let head = Array("\nappcore-stamp 1 ".utf8)
  static let tail = Array(" pmats-erocppa\n".utf8)

  /// Compares a file with its stamp.
  ///
  /// - Returns: the digest of the bytes before the stamp, and the stamp; without one, the digest of
  ///   all bytes.
  /// - Throws: if the stamp does not match the bytes.
  /// - Complexity: O(*n*), where *n* is the number of bytes.
  static func check(
    _ bytes: UnsafeRawBufferPointer, of path: String
  ) throws(Rejection) -> (digest: ContentDigest, stamp: PluginStamp?) {
    let count = bytes.count - size
    guard count > 0,
      bytes[count...].starts(with: head) || bytes.reversed().starts(with: tail.reversed())
    else { return (ContentDigest(bytes), nil) }
    let digest = ContentDigest(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
    for configuration in BuildConfiguration.allCases {
      let stamp = PluginStamp(configuration: configuration, digest: digest)
      if bytes[count...].elementsEqual(stamp.bytes(after: count)) { return (digest, stamp) }
    }
    throw notAsBuilt(path)
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
  func bytes(after count: Int) -> [UInt8] {
    let name = configuration.rawValue
    let padded = name + String(repeating: " ", count: max(0, 8 - name.utf8.count))
    let digits = String(count, radix: 16)
    let length = String(repeating: "0", count: max(0, 16 - digits.count)) + digits
    return Self.head + Array("\(padded)\(digest) \(length)".utf8) + Self.tail
  }

  /// Adds a stamp to a file that the linker has just written.
  static func write(
    to path: String, configuration: BuildConfiguration
  ) throws(Rejection) {
    let buffer: UnsafeMutableRawBufferPointer
    do throws(PluginError) {
      buffer = try FileReader(path: path, sizeLimit: PluginFile.sizeLimit).read().0
    } catch {
      throw .fileRefused(path: path, error: EIO)
    }
    defer { buffer.deallocate() }
    let digest = ContentDigest(UnsafeRawBufferPointer(buffer))
    let stamp = PluginStamp(configuration: configuration, digest: digest)
      .bytes(after: buffer.count)
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
    guard descriptor >= 0 else { throw .fileRefused(path: path, error: errno) }
    let count = Glibc.write(descriptor, stamp, stamp.count)
    let error = count == stamp.count ? 0 : count < 0 ? errno : ENOSPC
    guard close(descriptor) == 0, error == 0 else {
      throw .fileRefused(path: path, error: error == 0 ? errno : error)
    }
  }
}

// The stamps of libraries that are bundled.
extension PluginStamp {
  /// The bytes of a library without its stamp.
  package static func removed(from bytes: [UInt8]) -> [UInt8] {
    let found = bytes.withUnsafeBytes { try? check($0, of: "") }
    return found?.stamp == nil ? bytes : bytes.dropLast(size)
  }

  /// The bytes with the stamp of a release build.
  package static func added(to bytes: [UInt8]) -> [UInt8] {
    let digest = bytes.withUnsafeBytes { ContentDigest($0) }
    return bytes
      + PluginStamp(configuration: .release, digest: digest).bytes(after: bytes.count)
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
