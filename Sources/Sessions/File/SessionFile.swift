internal import Dispatch
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
        exchange(new)
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
      let found = Descriptor.status(former)?.identity
      if let file, found == Descriptor.status(file.descriptor)?.identity {
        close(former)
        return nil
      }
      guard flock(former, LOCK_EX | LOCK_NB) == 0 else {
        let error = SystemError(errno)
        close(former)
        throw error
      }
      // Another process may have replaced the file before it was locked.
      if found == FilePath.status(path)?.identity { return former }
      close(former)
    }
  }

  /// Sets the current file, and closes the former one.
  private func exchange(_ new: ImageFile?) {
    let former = current.withLock { current in
      defer { current = new }
      return current
    }
    if let former { close(former.descriptor) }
  }

  /// Flushes what was written to the disk, which may take seconds.
  ///
  /// - Throws: the error after which it may not be there.
  func synchronize() throws(SystemError) {
    // A copy: the file may be replaced meanwhile, and its descriptor closed.
    let copy = try current.withLock { current throws(SystemError) -> Int32? in
      guard let current else { return nil }
      let copy = fcntl(current.descriptor, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw SystemError(errno) }
      return copy
    }
    guard let copy else { return }
    defer { close(copy) }
    guard Descriptor.uninterrupted({ fdatasync(copy) }) == 0 else { throw SystemError(errno) }
  }

  /// Removes the file, unless another one has replaced it.
  func remove() {
    guard let file, let own = Descriptor.status(file.descriptor)?.identity,
      own == FilePath.status(path)?.identity
    else { return }
    unlink(FilePath.resolved(path) ?? path)
    exchange(nil)
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
    guard let status = Descriptor.status(descriptor),
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

extension SavedSession {
  /// Reads the session of an app in a file, where another process may keep its own if it `isShared`.
  ///
  /// - Returns: the session; `nil` if there is no such file, or it is empty.
  /// - Throws: ``SessionError`` if the session can't be resumed.
  package static func read(
    _ path: String, app: String, isShared: Bool = false
  ) throws(SessionError) -> SavedSession? {
    // Without waiting for a writer, should it be a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw SessionError(path: path, reason: "it can't be read: \(SystemError(errno))")
    }
    defer { close(descriptor) }
    guard isShared || flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      throw SessionError(path: path, reason: SessionFile.holderText(descriptor))
    }
    guard let status = Descriptor.status(descriptor), let file = ImageFile(descriptor: descriptor),
      status.isRegular
    else { throw SessionError(path: path, reason: "it is not a file") }
    guard status.st_size > 0 else { return nil }
    let bytes = file.contents()
    var (image, length): (SessionImage, Int)
    do throws(ImageReader.Problem) {
      (image, _, length) = try ImageReader.read(bytes)
    } catch {
      // After a power failure, a file may consist of zeros.
      let isOwn = !error.isForeign || bytes.allSatisfy { $0 == 0 }
      throw SessionError(path: path, reason: error.description, isUnusable: isOwn)
    }
    guard image.identity.app == app else {
      throw SessionError(
        path: path, reason: "it is of the app '\(image.identity.app)', and this is '\(app)'")
    }
    // The program does not write these parts to a file, but an edited file may contain them.
    image.conversation = image.conversation.withoutSecrets
    return SavedSession(
      path: path, image: image, time: status.st_mtim.tv_sec,
      unreadByteCount: bytes.count - length)
  }
}

package struct SavedSession: Sendable {
  package let path: String
  package let image: SessionImage
  /// When the file was last written, in seconds since 1970.
  package let time: Int
  /// How many bytes at the end of the file could not be read, because they are damaged.
  package let unreadByteCount: Int

  /// The variables whose values differ from those with which the session was begun, by name.
  ///
  /// What its features made of the former values, such as the path of a file, is in their states.
  package func changes(
    to variables: [String: String]
  ) -> [(name: String, former: String, value: String)] {
    image.variables.sorted { $0.key < $1.key }.compactMap { name, former in
      variables[name].flatMap { $0 == former ? nil : (name, former, $0) }
    }
  }

  /// The time, and how many instances the session has.
  package var summary: String {
    var words = tm()
    var time = time
    localtime_r(&time, &words)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &words)
    let moment = String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    return "\(moment), \(counted(image.moment.instances.count, "instance"))"
  }
}

package struct SessionError: Error, CustomStringConvertible {
  package let path: String
  package let reason: String
  /// Whether it is a session's file, but no session can be read from it.
  package let isUnusable: Bool

  package init(path: String, reason: String, isUnusable: Bool = false) {
    self.path = path
    self.reason = reason
    self.isUnusable = isUnusable
  }

  package var description: String {
    SafeText.line(
      "the session in '\(path)' can't be resumed: \(reason); the file is left as it is, and this run "
        + "is not kept. Name another file by '--session FILE'.")
  }
}

/// Keeps the image of an app in a file, without secrets.
///
/// Changes are written at once, on a queue of its own, and are flushed to the disk at most once a
/// second. A screen is shown when its change is written; with a slow disk, after ``patience``.
package final class SessionFileWriter: Sendable {
  /// How long after a change the file is flushed to the disk.
  private static let delay = DispatchTimeInterval.seconds(1)

  /// How long a screen waits until it is in the file.
  private static let patience = DispatchTimeInterval.milliseconds(100)

  private struct Progress {
    var isSynchronizing = false
    var hasFailed = false
    var hasFailedToSynchronize = false
    var hasEnded = false
  }

  package let path: String
  private let file: SessionFile
  private let writer: ImageWriter
  private let queue = DispatchQueue(label: "appcore.session")
  /// Another one, so that a slow disk does not keep changes from being written.
  private let flushing = DispatchQueue(label: "appcore.session.flush")
  private let progress = Locked(Progress())
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - path: the file, which is replaced when the first image is written; its folder is created.
  ///   - report: receives a message when writing or flushing begins to fail.
  package init(path: String, _ report: @escaping @Sendable (String) -> Void) {
    self.path = path
    self.report = report
    FilePath.makeFolder(FilePath.folder(of: path), mode: 0o700)
    file = SessionFile(path: path)
    writer = ImageWriter(file)
  }

  /// Writes a change without secrets and copies of them, asynchronously.
  package func write(_ change: ImageChange, without secrets: SecretTexts) {
    queue.async { self.writeNow(change.open(without: secrets)) }
  }

  private func writeNow(_ change: ImageChange) {
    let failure = progress.withLock { progress -> String? in
      guard !progress.hasEnded else { return nil }
      guard writer.write(change) else {
        defer { progress.hasFailed = true }
        return progress.hasFailed
          ? nil
          : errno == EWOULDBLOCK
            ? "\(SessionFile.holderText(ofFileAt: path)); name another file by '--session FILE'"
            : "\(SystemError(errno))"
      }
      progress.hasFailed = false
      guard !progress.isSynchronizing else { return nil }
      progress.isSynchronizing = true
      flushing.asyncAfter(deadline: .now() + Self.delay) { self.synchronize() }
      return nil
    }
    if let failure { warn(failure) }
  }

  private func warn(_ failure: String) {
    report("the session can't be kept in '\(SafeText.line(path))': \(failure)")
  }

  private func synchronize() {
    progress.withLock { $0.isSynchronizing = false }
    var failure: SystemError?
    do throws(SystemError) { try file.synchronize() } catch { failure = error }
    let isKnown = progress.withLock { progress in
      defer { progress.hasFailedToSynchronize = failure != nil }
      return progress.hasFailedToSynchronize
    }
    if let failure, !isKnown { warn("\(failure)") }
  }

  /// Waits until all changes so far are written, but no longer than a slow disk may keep a person.
  package func wait() {
    let isWritten = DispatchSemaphore(value: 0)
    queue.async { isWritten.signal() }
    _ = isWritten.wait(timeout: .now() + Self.patience)
  }

  /// Waits until all changes are written and flushed to the disk.
  package func flush() {
    queue.sync {}
    flushing.sync { synchronize() }
  }

  /// Removes the file, because the app has ended regularly; later changes are ignored.
  package func remove() {
    queue.sync {
      progress.withLock { $0.hasEnded = true }
      file.remove()
    }
  }
}
