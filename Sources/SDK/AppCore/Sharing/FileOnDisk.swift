internal import Glibc
internal import Synchronization

/// The file of shared values in its file system.
final class FileOnDisk: Sendable {
  private let path: String
  private let files: any FileSystem.Implementation
  /// The thread that writes the file right now; 0 if none does.
  private let writer = Atomic<UInt>(0)

  init(path: String, files: any FileSystem.Implementation) {
    self.path = path
    self.files = files
  }

  /// Whether the current thread is writing it.
  var isWriting: Bool { writer.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// When it was last modified; `nil` if that is not known.
  var modificationTime: Instant? { try? files.status(of: path).modified }

  func read() throws(FileError) -> [UInt8] { try files.read(path) }

  /// Locks it against other processes until the returned object is released; `nil` if it can't be.
  func lock() -> (any AnyObject & Sendable)? { files.lock(path) }

  /// Replaces it, and creates its folder if that is missing.
  func write(_ bytes: [UInt8]) throws(FileError) {
    writer.store(UInt(pthread_self()), ordering: .relaxed)
    defer { writer.store(0, ordering: .relaxed) }
    do throws(FileError) {
      try files.write(bytes, to: path)
    } catch {
      guard error.isNotFound, let slash = path.lastIndex(of: "/") else { throw error }
      try files.createDirectory(String(path[..<slash]))
      try files.write(bytes, to: path)
    }
  }

  func watch(_ didChange: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
    files.watch(path, didChange)
  }
}
