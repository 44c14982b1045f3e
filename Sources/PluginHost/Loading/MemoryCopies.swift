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
    let number: Int32
    let copy: PluginCopies.Copy
  }

  private let files = Locked<[ContentDigest: [File]]>([:])

  /// Flags of `memfd_create`: `MFD_CLOEXEC`, `MFD_ALLOW_SEALING`, and `MFD_EXEC`, which kernels
  /// before 6.3 reject.
  private static let flags: [UInt32] = [0x1 | 0x2 | 0x10, 0x1 | 0x2]
  /// `F_ADD_SEALS`, and the seals against shrinking, growing, writing and further seals.
  private static let addSeals: Int32 = 1033
  private static let seals: Int32 = 0xf

  /// The copies of a plugin and of its libraries; `nil` without enough memory or free descriptors.
  func copies(of plugin: ValidatedPlugin) -> PluginCopies? {
    guard let copy = copy(plugin.file) else { return nil }
    var dependencies: [PluginCopies.Copy] = []
    for item in plugin.dependencies.items {
      guard let copy = self.copy(item.file) else { return nil }
      dependencies.append(copy)
    }
    return PluginCopies(
      plugin: copy, dependencies: dependencies, isKept: false, temporaryFolder: nil)
  }

  private func copy(_ file: PluginFile) -> PluginCopies.Copy? {
    files.withLock { files in
      let same = files[file.digest, default: []].first { Self.holds($0, file.bytes) }
      if let same { return same.copy }
      guard let new = Self.make(file) else { return nil }
      files[file.digest, default: []].append(new)
      return new.copy
    }
  }

  private static func holds(_ file: File, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard file.copy.identity.size == UInt64(bytes.count), let base = bytes.baseAddress,
      let mapped = mmap(nil, bytes.count, PROT_READ, MAP_PRIVATE, file.number, 0),
      mapped != MAP_FAILED
    else { return false }
    defer { munmap(mapped, bytes.count) }
    return memcmp(mapped, base, bytes.count) == 0
  }

  private static func make(_ file: PluginFile) -> File? {
    guard let make = GNUFunctions.makeMemoryFile else { return nil }
    var number: Int32 = -1
    for flags in flags where number < 0 { number = make("appcore-plugin", flags) }
    guard number >= 0 else { return nil }
    var position = 0
    while position < file.bytes.count, let base = file.bytes.baseAddress {
      let count = write(number, base + position, file.bytes.count - position)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      position += count
    }
    var status = stat()
    guard position == file.bytes.count, fchmod(number, 0o500) == 0,
      fcntl(number, addSeals, seals) == 0, fstat(number, &status) == 0
    else {
      close(number)
      return nil
    }
    let copy = PluginCopies.Copy(
      path: "/proc/\(getpid())/fd/\(number)", identity: FileIdentity(status))
    return File(number: number, copy: copy)
  }
}
