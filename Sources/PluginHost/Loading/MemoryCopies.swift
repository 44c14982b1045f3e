internal import Glibc
internal import Support

/// Private copies in memory, used if no folder can hold them.
///
/// Each is a file without a name, sealed so that nobody can change it. The loader and the scanning
/// process open it through this process's descriptor, which therefore stays open until the process
/// ends.
final class MemoryCopies: Sendable {
  static let shared = MemoryCopies()

  private struct File {
    let file: OpenFile
    let path: String
    let identity: FileIdentity
  }

  private let files = Locked<[ContentDigest: [File]]>([:])

  /// Flags of `memfd_create`: `MFD_CLOEXEC`, `MFD_ALLOW_SEALING`, and `MFD_EXEC`, which kernels
  /// before 6.3 reject.
  private static let flags: [UInt32] = [0x1 | 0x2 | 0x10, 0x1 | 0x2]
  /// `F_ADD_SEALS`, and the seals against shrinking, growing, writing and further seals.
  private static let addSeals: Int32 = 1033
  private static let seals: Int32 = 0xf

  /// A plugin with copies of it and of its libraries; `nil` without enough memory or free
  /// descriptors.
  func prepare(_ plugin: ValidatedPlugin, _ digests: PluginDigests?) -> PreparedPlugin? {
    guard let file = copy(plugin.file, plugin.name) else { return nil }
    let libraries = plugin.dependencies.items.compactMap { copy($0.file, $0.name) }
    guard libraries.count == plugin.dependencies.items.count else { return nil }
    return PreparedPlugin(plugin, digests, file: file, libraries: libraries, isKept: false)
  }

  private func copy(_ file: PluginFile, _ name: String) -> PreparedPlugin.File? {
    files.withLock { files in
      let known = files[file.digest, default: []].first { $0.file.holds(file.bytes) }
      guard let copy = known ?? Self.make(file) else { return nil }
      if known == nil { files[file.digest, default: []].append(copy) }
      return PreparedPlugin.File(file, name: name, copy: copy.path, copy.identity)
    }
  }

  private static func make(_ file: PluginFile) -> File? {
    guard let make = GNUFunctions.makeMemoryFile else { return nil }
    var number: Int32 = -1
    for flags in flags where number < 0 { number = make("appcore-plugin", flags) }
    guard number >= 0 else { return nil }
    let copy = OpenFile(number)
    guard (try? copy.write(file.bytes)) != nil, fchmod(number, 0o500) == 0,
      fcntl(number, addSeals, seals) == 0, let status = copy.status
    else { return nil }
    return File(
      file: copy, path: "/proc/\(getpid())/fd/\(number)", identity: FileIdentity(status))
  }
}
