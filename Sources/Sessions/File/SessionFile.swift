internal import Glibc
internal import Support

/// A file on a disk that holds the image of an app, readable by its owner alone.
///
/// A whole image is written beside it and renamed, so that the file is never half written; what comes
/// after it is appended. Whoever writes it holds a lock on it, so that two apps don't keep their
/// sessions in one file.
struct SessionFile: ImageStore {
  let path: String
  private var file: ImageFile?

  init(path: String) { self.path = path }

  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    file?.write(bytes, at: offset) ?? false
  }

  mutating func replace(with bytes: [UInt8]) -> Bool {
    do throws(SystemError) {
      let replacement = try FileReplacement(of: path)
      // Before it has its name: whoever finds the file finds it locked.
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

  /// Has what was written reach the disk.
  func synchronize() { if let file { _ = fdatasync(file.descriptor) } }

  /// Removes the file, unless it is another one by now.
  mutating func remove() {
    guard let file, let own = Self.identity(fstat, file.descriptor),
      let current = Self.identity(stat, path), own == current
    else { return }
    unlink(FilePath.resolved(path) ?? path)
    close(file.descriptor)
    self.file = nil
  }

  private static func identity<Place>(
    _ look: (Place, UnsafeMutablePointer<stat>) -> Int32, _ place: Place
  ) -> [UInt64]? {
    var status = stat()
    return look(place, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }
}
