internal import AppCoreHost
internal import Sessions
internal import Support

/// The file that `appcore run --profile` writes.
///
/// Before the supervisor forks the app's process, it checks the path and sets up shared memory. The
/// app's process records in that memory and writes the file when it ends. If it crashes, the
/// supervisor writes the file.
struct ProfileOutput: Sendable {
  /// The file of this run; `nil` if no profile is asked for.
  ///
  /// Set once, before there are threads.
  nonisolated(unsafe) private(set) static var current: ProfileOutput?

  private let file: OutputFile
  private let title: String
  private let memory: ProfileMemory

  /// Sets ``current``, after checking that the file can be written; does not change the file.
  ///
  /// - Throws: ``CommandError`` with exit status 73 if the file can't be written, or 71 if there is no
  ///   memory for the profile.
  static func open(_ path: String, title: String) throws {
    let file = try OutputFile(path, "the profile")
    do throws(SystemError) {
      current = ProfileOutput(
        file: file, title: title, memory: try ProfileMemory())
    } catch {
      throw CommandError("can't record a profile: \(error)", exitStatus: 71)
    }
  }

  func begin() -> Profiler { Profiler(memory) }

  /// Writes what a profiler of this process has recorded; further calls do nothing.
  ///
  /// - Returns: 74, the exit status, if writing fails, after printing why; else `nil`.
  func write(_ profiler: Profiler?) -> Int32? { profiler?.finish { write($0) } ?? nil }

  /// Writes the profile of a process that ended without writing it.
  func writeRest() { _ = write(memory) }

  private func write(_ memory: ProfileMemory) -> Int32? {
    guard memory.isDue else { return nil }
    // Marked as written even on failure, so that nobody tries again.
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
