internal import Glibc
internal import Support

/// A file on disk with the image of an app, readable only by its owner.
///
/// A whole image is written to a temporary file and renamed, so that the file is never half
/// written; changes are appended. The writing process holds a lock on the file, so that another one
/// does not resume the session meanwhile.
struct SessionFile: ImageStore {
  let path: String
  private var file: ImageFile?

  init(path: String) { self.path = path }

  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    file?.write(bytes, at: offset) ?? false
  }

  mutating func replace(with bytes: [UInt8]) -> Bool {
    do throws(SystemError) {
      let former = try lockFormer()
      defer { if let former { close(former) } }
      let replacement = try FileReplacement(of: path)
      // Before the file is renamed, so that nobody finds it unlocked.
      _ = flock(replacement.descriptor, LOCK_EX | LOCK_NB)
      do throws(SystemError) {
        guard let new = ImageFile(descriptor: replacement.descriptor) else {
          throw SystemError(errno)
        }
        try replacement.write(bytes)
        try replacement.commit()
        if let file { close(file.descriptor) }
        file = new
      } catch {
        replacement.discard()
        throw error
      }
    } catch {
      errno = error.code
      return false
    }
    return true
  }

  /// Locks the file that is about to be replaced, unless it is this process's own.
  ///
  /// - Returns: its descriptor, whose closing releases the lock; `nil` if there is nothing to lock.
  /// - Throws: `EWOULDBLOCK` if another process keeps its session there.
  private func lockFormer() throws(SystemError) -> Int32? {
    while true {
      let former = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard former >= 0 else { return nil }
      let found = Self.identity(fstat, former)
      if let file, found == Self.identity(fstat, file.descriptor) {
        close(former)
        return nil
      }
      guard flock(former, LOCK_EX | LOCK_NB) == 0 else {
        let error = SystemError(errno)
        close(former)
        throw error
      }
      // Another process may have replaced the file before it was locked.
      if found == Self.identity(stat, path) { return former }
      close(former)
    }
  }

  /// Flushes what was written to the disk.
  func synchronize() { if let file { _ = fdatasync(file.descriptor) } }

  /// Removes the file, unless another one has replaced it.
  mutating func remove() {
    guard let file, let own = Self.identity(fstat, file.descriptor),
      let current = Self.identity(stat, path), own == current
    else { return }
    unlink(FilePath.resolved(path) ?? path)
    close(file.descriptor)
    self.file = nil
  }

  /// The device and inode of a file; `nil` if there is none.
  private static func identity<Place>(
    _ look: (Place, UnsafeMutablePointer<stat>) -> Int32, _ place: Place
  ) -> [UInt64]? {
    var status = stat()
    return look(place, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }
}
