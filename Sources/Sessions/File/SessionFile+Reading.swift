internal import Glibc
internal import Support

extension SavedSession {
  /// Reads the session in a file.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - app: the name of the app that is to resume it.
  /// - Returns: the session; `nil` if there is no such file, or it is empty.
  /// - Throws: ``SessionError`` if the session can't be resumed.
  package static func read(
    _ path: String, app: String
  ) throws(SessionError) -> SavedSession? {
    // Without waiting for a writer, should it be a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw SessionError(path: path, reason: "it can't be read: \(SystemError(errno))")
    }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      throw SessionError(path: path, reason: "another process keeps its session there")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let file = ImageFile(descriptor: descriptor),
      status.st_mode & S_IFMT == S_IFREG
    else { throw SessionError(path: path, reason: "it is not a file") }
    guard status.st_size > 0 else { return nil }
    var image: SessionImage
    do throws(ImageReader.Problem) {
      image = try ImageReader.read(file.contents()).image
    } catch {
      throw SessionError(path: path, reason: "\(error)")
    }
    guard image.identity.app == app else {
      throw SessionError(
        path: path, reason: "it is of the app '\(image.identity.app)', and this is '\(app)'")
    }
    // The program does not write these parts to a file, but an edited file may contain them.
    image.conversation = image.conversation.withoutSecrets
    return SavedSession(path: path, image: image, time: status.st_mtim.tv_sec)
  }
}

/// A session that was read from a file.
package struct SavedSession: Sendable {
  package let path: String
  package let image: SessionImage
  /// When the file was last written, in seconds since 1970.
  package let time: Int

  /// The time, and how many instances the session has.
  package var summary: String {
    var words = tm()
    var time = time
    localtime_r(&time, &words)
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%Y-%m-%d %H:%M", &words)
    let moment = String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    let instances = image.instances.count
    return "\(moment), \(instances) instance\(instances == 1 ? "" : "s")"
  }
}

/// Why a session can't be resumed; its file is left as it is.
package struct SessionError: Error, CustomStringConvertible {
  package let path: String
  package let reason: String

  package var description: String {
    SafeText.line(
      "the session in '\(path)' can't be resumed: \(reason); the file is left as it is, and this run "
        + "is not kept. Remove the file, or name another one by '--session FILE'.")
  }
}
