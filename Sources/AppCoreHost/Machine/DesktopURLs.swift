@_spi(Host) internal import AppCore
internal import Dispatch
internal import Glibc
internal import Support

/// Opens URLs with the desktop's `xdg-open`, whose standard streams are `/dev/null`.
enum DesktopURLs {
  /// How long to wait for a failure, in units of 10 ms; a program that runs longer has succeeded.
  private static let timeout = 100

  static func open(_ url: String) async throws(OpenURLError) {
    guard isURL(url) else { throw OpenURLError(url: url, reason: "it has no scheme, as 'https:'") }
    let failure = await withCheckedContinuation { continuation in
      // A queue of its own, because waiting for a process blocks.
      DispatchQueue(label: "appcore-xdg-open").async {
        run(url) { continuation.resume(returning: $0) }
      }
    }
    if let failure { throw OpenURLError(url: url, reason: failure) }
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

  /// Runs the program to its end; `finish` is called with the failure as soon as it is known, or
  /// with `nil`.
  private static func run(_ url: String, _ finish: (String?) -> Void) {
    var process = pid_t()
    let status = spawn(url, &process)
    guard status == 0 else {
      return finish(
        status == ENOENT
          ? "there is no program 'xdg-open'; install 'xdg-utils'"
          : "'xdg-open' can't be started: \(SystemError(status))")
    }
    var result: Int32 = 0
    for _ in 0..<timeout {
      let ended = Descriptor.uninterrupted { waitpid(process, &result, WNOHANG) }
      guard ended == 0 else {
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
    _ = Descriptor.uninterrupted { waitpid(process, &result, 0) }
  }

  private static func spawn(_ url: String, _ process: inout pid_t) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(
        &actions, stream, "/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
    }
    // A browser that is started for it must not inherit which signals the app ignores or blocks.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("xdg-open"), strdup(url), nil]
    defer { for argument in arguments { free(argument) } }
    return posix_spawnp(&process, "xdg-open", &actions, &attributes, &arguments, environ)
  }
}
