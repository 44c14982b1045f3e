internal import ArgumentParser
internal import Glibc
internal import Support

/// A file that a command writes as a whole: it is there complete, or as it was before.
struct OutputFile: Sendable {
  let path: String
  /// What is written, such as "the profile".
  private let subject: String
  /// The permissions of a new file, or of the one that is replaced.
  private let mode: mode_t

  /// Makes sure that the file can be written, and leaves it as it is.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - subject: what is written, such as "the profile".
  /// - Throws: exit status 73 where the file can't be written, after printing why.
  init(_ path: String, _ subject: String) throws {
    self.path = path
    self.subject = subject
    var status = stat()
    let exists = stat(path, &status) == 0
    mode = exists ? status.st_mode & 0o7777 : 0o666 & ~Self.mask()
    if exists, status.st_mode & S_IFMT != S_IFREG {
      throw refusal(
        status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file",
        remedy: "name a file")
    }
    if exists, access(path, W_OK) != 0 { throw refusal("\(SystemError(errno))") }
    do throws(SystemError) {
      try FileReplacement(of: path).discard()
    } catch {
      throw refusal("\(error)")
    }
  }

  /// Writes the file.
  ///
  /// - Parameter body: calls the closure that it is given with one part after the other.
  /// - Returns: exit status 74 where that fails, after printing why; the file is as it was then.
  func write(
    _ body: (_ write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void
  ) -> Int32? {
    do throws(SystemError) {
      let replacement = try FileReplacement(of: path)
      do throws(SystemError) {
        guard fchmod(replacement.descriptor, mode) == 0 else { throw SystemError(errno) }
        try body { bytes throws(SystemError) in try replacement.write(bytes) }
        try replacement.commit()
      } catch {
        replacement.discard()
        throw error
      }
      close(replacement.descriptor)
    } catch {
      Console.printError(
        "appcore: \(subject) can't be written to '\(SafeText.line(path))': \(error)")
      return 74
    }
    return nil
  }

  private func refusal(
    _ reason: String, remedy: String = "name a file in a folder that you can write to"
  ) -> ExitCode {
    Console.printError(
      "appcore: can't write \(subject) to '\(SafeText.line(path))': \(reason); \(remedy)")
    return ExitCode(73)
  }

  /// The process's umask, which can only be read by setting it.
  private static func mask() -> mode_t {
    let mask = umask(0)
    umask(mask)
    return mask
  }
}
