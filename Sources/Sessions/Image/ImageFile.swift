internal import Glibc
internal import PluginHost
internal import Support

/// A file for an image, which is not mapped into memory.
///
/// So a plugin that overwrites the memory of its process can't damage it. If foreign code has
/// closed the descriptor, which may be that of another file by now, nothing is written.
public struct ImageFile: Sendable {
  public let descriptor: Int32
  private let device: UInt64
  private let inode: UInt64

  /// Creates a file in memory, which exists as long as a process has it open.
  ///
  /// The name is shown in `/proc`, for debugging. It fails if the system can't create such files.
  public init?(inMemory name: String) {
    // MFD_CLOEXEC
    guard let create = GNUFunctions.makeMemoryFile, case let created = create(name, 1), created >= 0
    else { return nil }
    self.init(descriptor: created)
  }

  init?(descriptor: Int32) {
    guard let status = Self.status(descriptor) else { return nil }
    self.descriptor = descriptor
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
  }

  private static func status(_ descriptor: Int32) -> stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  private var isOpen: Bool {
    guard let status = Self.status(descriptor) else { return false }
    return UInt64(status.st_dev) == device && UInt64(status.st_ino) == inode
  }

  /// Writes bytes at an offset.
  ///
  /// - Returns: whether all bytes were written.
  package func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    guard isOpen else { return false }
    return bytes.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor, at: offset) } == nil
  }

  package func truncate() { if isOpen { _ = ftruncate(descriptor, 0) } }

  package var isEmpty: Bool { Self.status(descriptor).map { $0.st_size == 0 } ?? true }

  /// The content of the file; empty if it can't be read.
  public func contents() -> [UInt8] { contents(from: 0, atMost: .max) }

  /// The bytes of the file from a place on, at most so many.
  package func contents(from start: Int, atMost limit: Int) -> [UInt8] {
    guard let end = Self.status(descriptor).map({ Int($0.st_size) }), end > start else { return [] }
    let size = min(end - start, limit)
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, initialized in
      while initialized < size {
        let count = Descriptor.uninterrupted {
          pread(
            descriptor, buffer.baseAddress.map { $0 + initialized }, size - initialized,
            off_t(start + initialized))
        }
        guard count > 0 else { return }
        initialized += count
      }
    }
  }
}
