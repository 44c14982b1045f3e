internal import Glibc
internal import Support

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
    var status = stat()
    guard fstat(descriptor, &status) == 0, let file = ImageFile(descriptor: descriptor),
      status.st_mode & S_IFMT == S_IFREG
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
    let instances = image.moment.instances.count
    return "\(moment), \(instances) instance\(instances == 1 ? "" : "s")"
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
