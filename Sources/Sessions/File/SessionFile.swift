internal import Glibc
internal import Support

/// A file on disk with the image of an app, readable only by its owner.
///
/// A whole image is written to a temporary file and renamed, so that the file is never half
/// written; changes are appended. The writing process holds a lock on the file, so that another one
/// does not resume the session meanwhile.
final class SessionFile: ImageStore {
  let path: String
  private let current = Locked<ImageFile?>(nil)

  private var file: ImageFile? { current.withLock { $0 } }

  init(path: String) { self.path = path }

  func write(_ bytes: [UInt8], at offset: Int) -> Bool {
    file?.write(bytes, at: offset) ?? false
  }

  func replace(with bytes: [UInt8]) -> Bool {
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
        current.withLock { $0 = new }
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

  /// Flushes what was written to the disk, which may take seconds.
  func synchronize() { if let file { _ = fdatasync(file.descriptor) } }

  /// Removes the file, unless another one has replaced it.
  func remove() {
    guard let file, let own = Self.identity(fstat, file.descriptor),
      own == Self.identity(stat, path)
    else { return }
    unlink(FilePath.resolved(path) ?? path)
    close(file.descriptor)
    current.withLock { $0 = nil }
  }

  /// The device and inode of a file; `nil` if there is none.
  private static func identity<Place>(
    _ look: (Place, UnsafeMutablePointer<stat>) -> Int32, _ place: Place
  ) -> [UInt64]? {
    var status = stat()
    return look(place, &status) == 0 ? [UInt64(status.st_dev), UInt64(status.st_ino)] : nil
  }
}

// The lock by which a process holds the file of its session.
extension SessionFile {
  /// A sentence about the process that holds the lock of an open file.
  static func holderText(_ descriptor: Int32) -> String {
    guard let id = holder(of: descriptor) else { return "another process keeps its session there" }
    let name = (try? WholeFile.read("/proc/\(id)/comm", limit: 64)).map {
      " (" + SafeText.line(String(decoding: $0.prefix { $0 != 0x0a }, as: UTF8.self)) + ")"
    }
    return "the process \(id)\(name ?? "") keeps its session there"
  }

  static func holderText(ofFileAt path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if descriptor >= 0 { close(descriptor) } }
    return holderText(descriptor)
  }

  /// The number of the process that holds the lock; `nil` if the system does not tell.
  private static func holder(of descriptor: Int32) -> Int32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      let locks = try? WholeFile.read("/proc/locks", limit: 1 << 20)
    else { return nil }
    // 1: FLOCK  ADVISORY  WRITE 4711 08:02:1234 0 EOF
    for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK",
        words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == UInt64(status.st_ino)
      else { continue }
      return Int32(words[4]).flatMap { $0 > 0 ? $0 : nil }
    }
    return nil
  }
}
