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

  private let file: OutputFile
  private let title: String
  private let memory: ProfileMemory

  /// Makes sure that the file can be written, and leaves it as it is until the app ends.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - title: what the profile is called.
  /// - Throws: exit status 73 where the file can't be written, after telling why.
  static func open(_ path: String, title: String) throws {
    let file = try OutputFile(path, "the profile")
    do throws(SystemError) {
      current = ProfileOutput(
        file: file, title: title, memory: try ProfileMemory())
    } catch {
      Console.printError("appcore: can't record a profile: \(error)")
      throw ExitCode(71)
    }
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
    let status = file.write { write throws(SystemError) in
      var profile = SpeedscopeFile(memory, title: title)
      try profile.write(to: write)
    }
    if let status { return status }
    if let losses = SpeedscopeFile.losses(of: memory) {
      Console.printError(
        "appcore: the profile in '\(SafeText.line(file.path))' holds only \(losses)")
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
