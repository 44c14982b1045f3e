@_spi(Host) internal import AppCore
internal import Glibc

/// Opens URLs with the desktop's `xdg-open`.
enum DesktopURLs {
  static func open(_ url: String) async throws(OpenURLError) {
    guard isURL(url) else { throw OpenURLError(url: url, reason: "it has no scheme, as 'https:'") }
    try await XDGOpen.open(url)
  }

  /// Whether `text` begins with a scheme, so that `xdg-open` takes it for neither an option nor a
  /// file.
  static func isURL(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), let first = text.first, first.isASCII,
      first.isLetter, !text.utf8.contains(0)
    else { return false }
    return text[..<colon].allSatisfy {
      $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0))
    }
  }
}

/// Runs `xdg-open` with its standard streams redirected to `/dev/null`.
private enum XDGOpen {
  static func open(_ url: String) async throws(OpenURLError) {
    let outcome = await withCheckedContinuation { continuation in
      // A thread of its own, because waiting for a process blocks.
      let context = Unmanaged.passRetained(Call(url: url, continuation: continuation))
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          Unmanaged<Call>.fromOpaque(context).takeRetainedValue().perform()
          return nil
        }, context.toOpaque())
      guard status == 0 else {
        context.takeRetainedValue().finish("no thread: \(String(cString: strerror(status)))")
        return
      }
      pthread_detach(thread)
    }
    if let reason = outcome { throw OpenURLError(url: url, reason: reason) }
  }

  private final class Call {
    private let url: String
    private let continuation: CheckedContinuation<String?, Never>
    /// How long to wait for a failure, in units of 10 ms; a program that runs longer has succeeded.
    private static let timeout = 100

    init(url: String, continuation: CheckedContinuation<String?, Never>) {
      self.url = url
      self.continuation = continuation
    }

    func finish(_ reason: String?) { continuation.resume(returning: reason) }

    func perform() {
      var process = pid_t()
      let status = spawn(&process)
      guard status == 0 else {
        return finish(
          status == ENOENT
            ? "there is no program 'xdg-open'; install 'xdg-utils'"
            : "'xdg-open' can't be started: \(String(cString: strerror(status)))")
      }
      var result: Int32 = 0
      for _ in 0..<Self.timeout {
        let ended = waitpid(process, &result, WNOHANG)
        guard ended == 0 || ended < 0 && errno == EINTR else {
          guard ended > 0, result != 0 else { return finish(nil) }
          let signal = result & 0x7f
          return finish(
            signal == 0
              ? "'xdg-open' ended with status \(result >> 8 & 0xff)"
              : "'xdg-open' was ended by signal \(signal)")
        }
        usleep(10_000)
      }
      finish(nil)
      while waitpid(process, &result, 0) < 0, errno == EINTR {}
    }

    private func spawn(_ process: inout pid_t) -> Int32 {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(
          &actions, stream, "/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
      }
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
      defer { for argument in arguments { free(argument) } }
      return posix_spawnp(&process, "xdg-open", &actions, nil, &arguments, environ)
    }
  }
}
