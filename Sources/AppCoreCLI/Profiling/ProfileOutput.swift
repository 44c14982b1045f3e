internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Sessions
internal import Support

/// The file that `appcore run --profile` writes.
///
/// It is opened before the app's process is forked from its supervisor, and written when the app
/// ends: by its process, or else by the supervisor, to which a process that crashes leaves what it
/// has recorded.
struct ProfileOutput: Sendable {
  /// The file of this run; `nil` if no profile is asked for.
  ///
  /// Set once, before there are threads.
  nonisolated(unsafe) private(set) static var current: ProfileOutput?

  private let path: String
  private let title: String
  /// The permissions of a new file, or of the one that is replaced.
  private let mode: mode_t
  private let memory: ProfileMemory

  /// Makes sure that the file can be written, and leaves it as it is until the app ends.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - title: what the profile is called.
  /// - Throws: exit status 73 where the file can't be written, after telling why.
  static func open(_ path: String, title: String) throws {
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      throw refuse(
        path, status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a regular file",
        remedy: "name a file")
    }
    if exists, access(path, W_OK) != 0 { throw refuse(path, "\(SystemError(errno))") }
    do throws(SystemError) {
      try FileReplacement(of: path).discard()
    } catch {
      throw refuse(path, "\(error)")
    }
    do throws(SystemError) {
      current = ProfileOutput(
        path: path, title: title, mode: exists ? status.st_mode & 0o7777 : 0o666 & ~mask(),
        memory: try ProfileMemory())
    } catch {
      Console.printError("appcore: can't record a profile: \(error)")
      throw ExitCode(71)
    }
  }

  private static func refuse(
    _ path: String, _ reason: String,
    remedy: String = "name a file in a folder that you can write to"
  ) -> ExitCode {
    Console.printError(
      "appcore: can't write the profile to '\(SafeText.line(path))': \(reason); \(remedy)")
    return ExitCode(73)
  }

  /// What new files are not allowed; there is no way to only look.
  private static func mask() -> mode_t {
    let mask = umask(0)
    umask(mask)
    return mask
  }

  /// Begins to record in this process.
  func begin() -> Recording { Recording(output: self, profiler: Profiler(memory)) }

  /// The profile of an app that runs in this process.
  struct Recording: Sendable {
    fileprivate let output: ProfileOutput
    let profiler: Profiler

    /// Writes the profile, once.
    ///
    /// - Returns: exit status 74 where that fails, after telling why.
    func write() -> Int32? { profiler.finish { output.write($0) } }
  }

  /// Writes what processes have recorded that have ended without writing it.
  func writeRest() { _ = write(memory) }

  private func write(_ memory: ProfileMemory) -> Int32? {
    guard memory.isDue else { return nil }
    // Whatever comes of it, it is not tried again.
    defer { memory.isWritten = true }
    do throws(SystemError) {
      let replacement = try FileReplacement(of: path)
      do throws(SystemError) {
        guard fchmod(replacement.descriptor, mode) == 0 else { throw SystemError(errno) }
        var file = SpeedscopeFile(memory, title: title)
        try file.write { bytes throws(SystemError) in try replacement.write(bytes) }
        try replacement.commit()
      } catch {
        replacement.discard()
        throw error
      }
      close(replacement.descriptor)
    } catch {
      Console.printError(
        "appcore: the profile can't be written to '\(SafeText.line(path))': \(error)")
      return 74
    }
    if let losses = SpeedscopeFile.losses(of: memory) {
      Console.printError(
        "appcore: the profile in '\(SafeText.line(path))' holds only \(losses)")
    }
    return nil
  }
}

extension RunCommand {
  /// Opens the file of the profile that the command line asks for.
  func openProfile() throws {
    if let profileFile { try ProfileOutput.open(profileFile, title: options.manifest) }
  }
}
