internal import Glibc
internal import Synchronization

/// Where the program's own output goes: standard output as it was when the program started.
public enum StandardOutput {
  private static let own = Atomic<Int32>(STDOUT_FILENO)

  public static var descriptor: Int32 { own.load(ordering: .relaxed) }

  /// Reserves standard output for the program: whatever other code in this process writes there
  /// from now on goes into a pipe.
  ///
  /// - Returns: the read end of the pipe; `nil` if that fails, and then nothing changes.
  package static func claim() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard descriptor == STDOUT_FILENO, pipe(&ends) == 0 else { return nil }
    let kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
    guard kept >= 0, dup2(ends[1], STDOUT_FILENO) >= 0 else {
      for end in ends { close(end) }
      return nil
    }
    close(ends[1])
    _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
    own.store(kept, ordering: .sequentiallyConsistent)
    // C's `stdout` is line-buffered from now on, so that a line arrives when it is printed.
    if let stream = dlsym(nil, "stdout")?.load(as: OpaquePointer?.self) {
      setLineBuffered(stream)
    }
    return ends[0]
  }

  private static func setLineBuffered(_ stream: OpaquePointer) {
    typealias SetBuffer = @convention(c) (OpaquePointer, OpaquePointer?, Int32, Int) -> Int32
    guard let function = dlsym(nil, "setvbuf") else { return }
    // _IOLBF
    _ = unsafeBitCast(function, to: SetBuffer.self)(stream, nil, 1, 0)
  }
}
