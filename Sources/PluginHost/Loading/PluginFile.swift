internal import Diagnostics
internal import Glibc
internal import Support

/// The bytes of a plugin's file and what they say, read without running any of it.
///
/// The file is read into memory, not mapped: a file that is cut short or written over while it
/// is mapped ends the process, or changes after it was validated. What is loaded later is these
/// bytes; see ``PluginLoader``.
public final class PluginFile: Sendable {
  /// The largest file that is read, 256 MiB: several times a large debug build.
  public static let sizeLimit: UInt64 = 256 << 20

  /// The path that was read.
  public let path: String
  /// Which state of the file was read.
  public let identity: FileIdentity
  /// Whether that state can be told from later ones by ``identity`` alone.
  ///
  /// Not so for a file that was written shortly before it was read: it may be written again within
  /// the same tick of its file system's clock.
  let isSettled: Bool
  /// Whether nobody else can change the file.
  let isGuarded: Bool
  /// Whose files are taken.
  let trust: FileTrust
  /// The digest of the bytes, without the stamp that may be at their end.
  let digest: ContentDigest
  /// For what it was compiled, where its stamp says that.
  public let configuration: BuildConfiguration?
  /// What the file says of itself.
  public let facts: PluginFacts

  /// The version of the SDK that it was compiled against, such as `0.2.0`; `nil` where it has no mark.
  ///
  /// - Complexity: O(size of the file).
  public var sdkVersion: String? { SDKMark.version(in: UnsafeRawBufferPointer(bytes)) }

  // Written by `init` alone, then read only.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer
  nonisolated(unsafe) let elf: ELFFile

  /// Reads a file.
  ///
  /// - Throws: a problem of stage ``PluginError/Stage/read``.
  /// - Complexity: O(size of the file), most of it one copy.
  public convenience init(
    path: String, sizeLimit: UInt64 = PluginFile.sizeLimit, trust: FileTrust = .all
  ) throws(PluginError) {
    let start = FileClock.now()
    let reader = FileReader(path: path, sizeLimit: sizeLimit, trust: trust)
    let (buffer, identity, isGuarded) = try reader.read()
    try self.init(
      path: path, identity: identity, taking: buffer, readAt: start, isGuarded: isGuarded,
      trust: trust)
  }

  /// Reads bytes, which it deallocates whether or not it throws.
  init(
    path: String, identity: FileIdentity, taking buffer: UnsafeMutableRawBufferPointer,
    readAt start: Int64 = 0, isGuarded: Bool = false, trust: FileTrust = .all
  ) throws(PluginError) {
    let bytes = UnsafeRawBufferPointer(buffer)
    do throws(Rejection) {
      // First: of a file that was damaged it says more than what the damage makes of its tables.
      let (digest, stamp) = try PluginStamp.check(bytes, of: path)
      do throws(ELFError) {
        elf = try ELFFile(bytes)
        facts = try PluginFacts(elf)
      } catch {
        throw .notALibrary(error)
      }
      if stamp == nil { try PluginStamp.requireNone(bytes, of: path, after: elf.end) }
      self.digest = digest
      configuration = stamp?.configuration
    } catch {
      buffer.deallocate()
      throw PluginError(.read, path: path, error)
    }
    self.path = path
    self.identity = identity
    isSettled = start - max(identity.modified, identity.changed) > FileClock.margin
    self.isGuarded = isGuarded
    self.trust = trust
    self.bytes = bytes
  }

  deinit { bytes.deallocate() }

  /// The state of the file at a path now, to compare with ``identity``; `nil` if there is none.
  public static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    let isThere = path.withCString { name in
      // A path with a zero in it would be taken for what is before.
      strlen(name) == path.utf8.count && stat(name, &status) == 0
    }
    return isThere ? FileIdentity(status) : nil
  }
}
