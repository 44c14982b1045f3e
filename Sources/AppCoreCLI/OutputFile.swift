internal import ArgumentParser
internal import Glibc
internal import Support

/// An output file that a command replaces atomically.
///
/// If writing fails, the file is left as it was.
struct OutputFile: Sendable {
  let path: String
  /// What the file contains, for messages, such as "the profile".
  private let subject: String
  /// The permissions of a new file, or of the one that is replaced.
  private let mode: mode_t

  /// Checks that the file can be written, without changing it.
  ///
  /// If the file is a part of what the command reads, `part` says which, and it is refused.
  ///
  /// - Throws: ``CommandError`` with exit status 73 if the file can't be written.
  init(_ path: String, _ subject: String, part: String? = nil) throws {
    self.path = path
    self.subject = subject
    let former = FilePath.status(path)
    mode = former.map { $0.st_mode & 0o7777 } ?? FileReplacement.usualMode
    if let former, !former.isRegular {
      throw refusal(
        former.isFolder ? "it is a folder" : "it is not a regular file",
        remedy: "name a file")
    }
    if let part { throw refusal("it is \(part)", remedy: "name another file") }
    if former != nil, access(path, W_OK) != 0 { throw refusal("\(SystemError(errno))") }
    do throws(SystemError) {
      try FileReplacement(of: path).discard()
    } catch {
      throw refusal("\(error)")
    }
  }

  /// Writes the file.
  ///
  /// - Throws: exit status 74 if writing fails, after printing why.
  func write(_ bytes: [UInt8]) throws {
    if let status = write({ write throws(SystemError) in try write(bytes) }) {
      throw ExitCode(status)
    }
  }

  /// Writes the file, whose contents `body` passes to `write` in one or more parts.
  ///
  /// - Returns: `nil` on success; 74, the exit status, if writing fails, after printing why.
  func write(
    _ body: (_ write: ([UInt8]) throws(SystemError) -> Void) throws(SystemError) -> Void
  ) -> Int32? {
    do throws(SystemError) {
      let replacement = try FileReplacement(of: path)
      try replacement.complete(mode: mode) { () throws(SystemError) in
        try body { bytes throws(SystemError) in try replacement.write(bytes) }
      }
    } catch {
      Console.printError(
        "appcore: \(subject) can't be written to '\(SafeText.line(path))': \(error)")
      return 74
    }
    return nil
  }

  private func refusal(_ reason: String, remedy: String = Self.remedy) -> CommandError {
    Self.refusal(of: path, subject, reason, remedy: remedy)
  }

  private static let remedy = "name a file in a folder that you can write to"

  /// The error for a file that can't be written, with exit status 73.
  static func refusal(
    of path: String, _ subject: String, _ reason: String, remedy: String = Self.remedy
  ) -> CommandError {
    CommandError("can't write \(subject) to '\(path)': \(reason); \(remedy)", exitStatus: 73)
  }
}

/// Throws a usage error if an option has an empty path.
func checkPath(_ path: String?, of option: String) throws {
  if path?.isEmpty == true {
    throw ValidationError("'\(option)' takes a file; its path is empty.")
  }
}
